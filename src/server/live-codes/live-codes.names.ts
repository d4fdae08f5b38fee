import { eq } from 'drizzle-orm';
import type { TargetInput } from '../../contract/codes/live-code.ts';
import { readableHost } from '../domains/domains.public.ts';
import type { Database } from '../kit/postgres/database.ts';
import { file } from '../uploads/uploads.table.ts';

const maxLength = 64;
/** Of a text so many characters tell codes apart. */
const maxWords = 24;

const cut = (words: string, length: number): string => Array.from(words).slice(0, length).join('').trim();

/** The host of a web address, in its own script where it has one; any other address itself. */
function nameOfUrl(address: string): string {
  const url = /^https?:/i.test(address) ? URL.parse(address) : null;
  return cut(url ? readableHost(url.hostname) : address, maxLength);
}

/**
 * What a code is called that nobody gave a name: the host of its link, the first words of its text, the title of its picture. Empty where
 * these say nothing. The target must be checked.
 */
export async function nameAfter({ kind, content }: TargetInput, db: Database): Promise<string> {
  if (kind === 'url') return nameOfUrl(content);
  if (kind === 'text') return cut(content.replace(/[\s\p{Cc}]+/gu, ' ').trim(), maxWords);
  const [picture] = await db
    .select({ title: file.title })
    .from(file)
    .where(eq(file.id, Number(content)));
  return cut((picture?.title ?? '').replace(/\.\w{2,5}$/, ''), maxLength);
}
