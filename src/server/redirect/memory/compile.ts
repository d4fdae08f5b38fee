import type { TargetRule } from '../../../contract/codes/targeting.ts';
import { type CompiledRule, compileRule, needsOf } from '../../kit/visits/targeting.ts';
import type { SnippetBook } from '../answers/snippets.ts';
import type { Code, Owner, StoredCode, StoredTarget, Target, Targeting } from '../model.ts';
import { isAllowedJumpUrl } from '../pages/escape.ts';
import type { Leases } from '../rotation/leases.ts';
import { createLruCache } from './lru-cache.ts';

export interface Compiler {
  leases: Pick<Leases, 'quotaOf'>;
  jump_schemes: readonly string[];
  snippets: SnippetBook | undefined;
}

/**
 * Makes a stored code ready to be answered. Targets that no visitor may be sent to are left out, as if they were switched off. What each
 * visit reads stands first, close together.
 */
export function compileCode(stored: StoredCode, owner: Owner, compiler: Compiler, before: Code | undefined): Code {
  return {
    id: stored.id,
    is_stale: false,
    open: stored.open,
    removed: stored.removed,
    is_frozen: stored.is_frozen,
    open_log: stored.open_log,
    access_mode: stored.access_mode,
    restriction_visit: stored.restriction_visit,
    rotation_mode: stored.rotation_mode,
    same_target: stored.same_target,
    owner,
    owner_id: stored.owner_id,
    entry_domain_id: stored.entry_domain_id,
    landing_domain_id: stored.landing_domain_id,
    expires_at: stored.expires_at,
    ...compileTargets(stored, compiler, before),
    cursor: before?.cursor ?? 0,
    targets: stored.targets,
    js_config_ids: stored.js_config_ids,
    file_name: stored.file_name,
    jump_type: stored.jump_type,
    fallback_url: stored.fallback_url,
    page_title: stored.page_title,
    page_text: stored.page_text,
    page_style: stored.page_style,
    page_color: stored.page_color,
  };
}

/** The part of a code that depends on the allowed schemes and the owner's snippets, and its finished answers, which are made anew. */
export function compileTargets(
  { targets, fallback_url, owner_id, js_config_ids }: StoredCode,
  { leases, jump_schemes, snippets }: Compiler,
  before: Code | undefined,
): Pick<Code, 'usable' | 'sole' | 'targeting' | 'fallback' | 'fallback_reply' | 'snippets'> {
  // Without targeting the cursor is a position: turns from before that would be ahead of it, and their targets wait for it to catch up.
  const turns = new Map(before?.targeting ? before.usable.map(({ id, turn }) => [id, turn]) : []);
  const usable = targets
    .filter((target) => isUsable(target, jump_schemes))
    .map((target): Target => {
      const quota = target.is_limited ? leases.quotaOf(target.id, target.generation, target.remaining) : null;
      return {
        id: target.id,
        expires_at: target.expires_at,
        quota,
        reply: undefined,
        mark: undefined,
        cookie: undefined,
        compiled: target.rules === null ? null : compileRules(target.rules),
        turn: turns.get(target.id) ?? 0,
        kind: target.kind,
        content: target.content,
        picture: target.picture,
        name: target.name,
        weight: target.weight,
        is_limited: target.is_limited,
        generation: target.generation,
        remaining: target.remaining,
        rules: target.rules,
        any_picture: target.any_picture,
      };
    });
  const fallback = fallback_url !== null && isAllowedJumpUrl(fallback_url, jump_schemes) ? fallback_url : null;
  const targeting = targetingOf(usable);
  const sole = usable.length === 1 && targeting === null ? (usable[0] ?? null) : null;
  return { sole, usable, targeting, fallback, fallback_reply: undefined, snippets: snippets?.of(owner_id, js_config_ids) };
}

const rememberedCharacters = 8 * 2 ** 20;
/** Operators give many targets the same rules; one copy of them stays in the processor's cache. */
const compiledRules = createLruCache<{ compiled: readonly CompiledRule[]; characters: number }>(
  rememberedCharacters,
  ({ characters }) => characters,
);

function compileRules(rules: readonly TargetRule[]): readonly CompiledRule[] {
  const key = JSON.stringify(rules);
  const known = compiledRules.get(key);
  if (known !== undefined) return known.compiled;
  const compiled = rules.map(compileRule);
  compiledRules.set(key, { compiled, characters: key.length });
  return compiled;
}

function targetingOf(usable: readonly Target[]): Targeting | null {
  const ruled = usable.filter(({ compiled }) => compiled !== null);
  if (ruled.length === 0) return null;
  return {
    ruled,
    open: usable.filter(({ compiled }) => compiled === null),
    needs: needsOf(ruled.flatMap(({ compiled }) => compiled ?? [])),
  };
}

function isUsable({ kind, content, picture }: StoredTarget, jump_schemes: readonly string[]): boolean {
  if (kind === 'url') return isAllowedJumpUrl(content, jump_schemes);
  return kind === 'text' || picture !== null;
}
