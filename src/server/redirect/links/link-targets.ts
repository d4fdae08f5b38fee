import type { VisitSettings } from '../../../contract/settings.visits.ts';
import { keptRedirectTo, redirectTo } from '../answers/replies.ts';
import type { Forward } from '../memory/forwards.ts';
import type { Short } from '../memory/shorts.ts';
import type { LinkTarget } from '../model.ts';
import { isAllowedJumpUrl } from '../pages/escape.ts';

/** Null for an address that no visitor may be sent to. */
export function targetOf(address: string, { jump_schemes }: VisitSettings, status?: number, redirect = redirectTo): LinkTarget | null {
  if (!isAllowedJumpUrl(address, jump_schemes)) return null;
  const { host, pathname: path } = (/^https?:/i.test(address) && URL.parse(address)) || { host: '', pathname: '' };
  return { reply: redirect(address, status), host, path };
}

/** The target of a link whose address is the same for every visitor: judged and written out once, until settings or link change. */
export function keptTarget(link: Short | Forward, settings: VisitSettings, address: () => string, status?: number): LinkTarget | null {
  if (link.kept?.settings !== settings) link.kept = { settings, to: targetOf(address(), settings, status, keptRedirectTo) };
  return link.kept.to;
}
