import type { Leases } from './leases.ts';
import type { Code, Owner, Reply, StoredCode, StoredTarget, Target } from './model.ts';
import { isAllowedJumpUrl } from './pages/escape.ts';
import { pageLanguages } from './pages/texts.ts';

export interface Compiler {
  leases: Leases;
  jump_schemes: readonly string[];
}

/** Makes a stored code ready to be answered. Targets that no visitor may be sent to are left out, as if they were switched off. */
export function compileCode(stored: StoredCode, owner: Owner, { leases, jump_schemes }: Compiler, before: Code | undefined): Code {
  const targets = stored.targets
    .filter((target) => isUsable(target, jump_schemes))
    .map((target): Target => {
      const quota = target.is_limited ? leases.quotaOf(target.id, target.generation, target.remaining) : null;
      return { stored: target, quota, replies: noReplies() };
    });
  const fallback = stored.fallback_url !== null && isAllowedJumpUrl(stored.fallback_url, jump_schemes) ? stored.fallback_url : null;
  return { stored, owner, targets, fallback, fallback_replies: noReplies(), cursor: before?.cursor ?? 0, is_stale: false };
}

/** Room for one answer in each language; a growing array would take three times as much. */
export const noReplies = (): (Reply | undefined)[] => new Array<Reply | undefined>(pageLanguages.length);

function isUsable({ kind, content, picture }: StoredTarget, jump_schemes: readonly string[]): boolean {
  if (kind === 'url') return isAllowedJumpUrl(content, jump_schemes);
  return kind === 'text' || picture !== null;
}
