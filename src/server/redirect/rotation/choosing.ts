import { rotationMode } from '../../../contract/enums.ts';
import type { Site } from '../memory/site.ts';
import type { Code, Domain, Target } from '../model.ts';
import type { Leases } from './leases.ts';
import { issueLongPress } from './presses.ts';
import { type Lease, newQuota } from './quota.ts';
import { type Chooser, chooseTarget } from './rotation.ts';
import { keptTarget, targetCookie } from './same-target.ts';
import type { SharedTurns } from './shared-turns.ts';
import type { Visitor, Visitors } from './visitors.ts';

/** What of a visit its choice depends on, and what it says of the answer. */
interface Choosing extends Visitor {
  response: { req: { headers: { cookie?: string } } };
  domain: Domain | undefined;
  /** The value of its `set-cookie`, and what its page tells of a press by; mostly empty. */
  cookie: string;
  press: string;
  /** It only looks where a visitor would go: it takes neither a visit nor a turn. */
  is_look: boolean;
  /** Whose turn it is, by the supervisor; 0 while it was not asked, -1 where nobody said. */
  turn: number;
}

/** A target whose visit is taken, null where none has visits left, or undefined: something is awaited, and `again` will be called. */
type Chosen = { target: Target; lease: Lease | undefined } | null | undefined;
export type Choose = (visit: Choosing, site: Site, code: Code, again: () => void) => Chosen;

interface Options {
  leases: Leases;
  visitors: Visitors;
  random: () => number;
  /** Undefined where this process is the only one. */
  turns: SharedTurns | undefined;
}

export function createChoosing({ leases, visitors, random, turns }: Options): Choose {
  const alone = { leases, random };
  const looking = { leases: looksOf(leases), random, isLook: true };
  return (visit, site, code, again) => {
    const { targeting, same_target } = code;
    const facts = targeting === null ? undefined : visitors.factsOf(visit, targeting.needs, site);
    if (targeting !== null && facts === undefined) {
      visitors.whenReady(again);
      return undefined;
    }
    const { cookie } = visit.response.req.headers;
    const kept = same_target ? keptTarget(site.signing_key, cookie, code) : undefined;
    const isShared = turns !== undefined && code.rotation_mode === rotationMode.round_robin && visit.turn >= 0;
    const own = visit.is_look ? looking : alone;
    const chooser = isShared ? { ...own, turnOf: turnOf(turns, visit, again) } : own;
    const choice = chooseTarget(code, visit.at, chooser, facts, kept);
    if (choice === null) return null;
    if ('asked' in choice) return undefined;
    if ('wait' in choice) {
      if (visit.is_look) leases.look(choice.wait, again);
      else leases.ask(choice.wait, again);
      return undefined;
    }
    const { target } = choice;
    if (same_target && target !== kept) {
      const { domain } = visit;
      visit.cookie = targetCookie(site.signing_key, cookie, { code, target, domain, scheme: site.settings.visit_scheme });
    }
    if (target.kind === 'picture') visit.press = issueLongPress(site.signing_key, code.id, target.id, visit.at);
    return visit.is_look ? { target, lease: undefined } : choice;
  };
}

/** Leases that find the target of the next visit and give none. */
function looksOf(leases: Leases): Chooser['leases'] {
  const seen: Lease = { id: 0, left: 0, served: 0, answered: 0, quota: newQuota(0, 0, 0) };
  return { take: (quota) => (leases.hasLeft(quota) ? seen : undefined), canAsk: leases.canLook };
}

/** A visit that waits for something else keeps its turn, as long as its target has visits left. */
function turnOf(turns: SharedTurns, visit: Choosing, again: () => void): NonNullable<Chooser['turnOf']> {
  return (code, targets) => {
    const held = targets.find(({ id }) => id === visit.turn);
    if (held) return held;
    const ids = targets.map(({ id }) => id);
    const told = (target: number): void => {
      visit.turn = target || -1;
      again();
    };
    const next = turns.next(code.id, ids, told, visit.is_look);
    if (next === 0) return targets[(visit.is_look ? code.cursor : code.cursor++) % targets.length];
    visit.turn = next ?? 0;
    return targets.find(({ id }) => id === next);
  };
}
