import { isbot } from 'isbot';
import type { VisitSource } from '../../../contract/enums.ts';
import { APPS, BROWSERS, CRAWLER, nameOf, PROGRAM } from './agent-names.ts';

export type { VisitSource } from '../../../contract/enums.ts';

/** Where the visit comes from, and in which browser. The messenger comes first: whatever else its user agent holds, it is no bot. */
export function sourceOf(agent: string, lower: string): { source: VisitSource; browser: string } {
  const isMiniProgram = lower.includes('miniprogram/') || lower.includes('miniprogramenv/');
  if (lower.includes('wxwork/')) return { source: 'messenger_enterprise', browser: 'WeCom' };
  if (lower.includes('micromessenger/')) {
    // Pages in the desktop messenger carry `MiniProgramEnv/Windows` too: only phones and `miniProgram/<id>` tell a mini program.
    const isDesktop = lower.includes('windowswechat') || lower.includes('macwechat');
    return {
      source: 'messenger',
      browser: isMiniProgram && (!isDesktop || lower.includes('miniprogram/')) ? 'WeChat mini program' : 'WeChat',
    };
  }
  if (lower === '' || CRAWLER.test(lower)) return { source: 'bot', browser: '' };
  const app = nameOf(APPS, lower);
  if (app !== '') return { source: 'app', browser: app };
  if (PROGRAM.test(lower) || isbot(agent)) return { source: 'bot', browser: '' };
  const browser = nameOf(BROWSERS, lower);
  return { source: 'browser', browser: browser || (lower.includes('safari/') ? 'Safari' : '') };
}

/** Whether a user agent is a program's (a crawler, a script, the look of a messenger's server at a link); an empty one is. */
export function isProgram(userAgent: string): boolean {
  const agent = userAgent.trim();
  return sourceOf(agent, agent.toLowerCase()).source === 'bot';
}
