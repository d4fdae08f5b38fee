import { z } from 'zod';
import { settingsOf } from '../../../contract/settings.ts';
import { isWarning, pageOf, redirectOf } from './gateway.ts';

/** Redirects as somebody kept them, each where it led. */
const recordedRedirects = z.object({ data: z.array(z.object({ location: z.url() })) });

const settings = settingsOf([]);

/** What the product makes of a redirect of the messenger's gateway. The address that was asked about stands in its query. */
function readRedirect(location: string): string {
  const asked = new URL(location).searchParams.get('url') ?? '';
  const where = redirectOf(location, { from: settings.messenger_gateway, asked, settings });
  if (where !== 'block_page')
    return { itself: 'normal', captcha: 'no answer: captcha', elsewhere: 'no answer: leads elsewhere', on: 'followed' }[where];
  return isWarning(location) ? 'normal (it only warns), or blocked where a detector says so' : 'blocked';
}

/** A page is evidence and no answer: others imitate it, only where the gateway led tells. */
function readPage(html: string): string {
  const { title, text } = pageOf(html);
  return `evidence: ${title ?? 'no title'}${text ? `, ${text}` : ''}`;
}

/** What is read of a file with a page or with redirects, a line each; none where it is neither. */
export function readRecorded(name: string, content: string): string[] {
  if (/\.html?$/.test(name)) return [readPage(content)];
  if (!name.endsWith('.json')) return [];
  const redirects = recordedRedirects.safeParse(JSON.parse(content));
  return redirects.success ? redirects.data.data.map(({ location }) => `${readRedirect(location)}: ${location.slice(0, 120)}`) : [];
}
