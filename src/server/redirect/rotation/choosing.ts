import { rotationMode } from '../../../contract/enums.ts';
import type { Site } from '../memory/site.ts';
import type { Code, Domain, Target } from '../model.ts';
import type { Leases } from './leases.ts';
import { issueLongPress } from './presses.ts';
import type { Lease } from './quota.ts';
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
    const chooser = isShared ? { ...alone, turnOf: turnOf(turns, visit, again) } : alone;
    const choice = chooseTarget(code, visit.at, chooser, facts, kept);
    if (choice === null) return null;
    if ('asked' in choice) return undefined;
    if ('wait' in choice) {
      leases.ask(choice.wait, again);
      return undefined;
    }
    const { target } = choice;
    if (same_target && target !== kept) {
      const { domain } = visit;
      visit.cookie = targetCookie(site.signing_key, cookie, { code, target, domain, scheme: site.settings.visit_scheme });
    }
    if (target.kind === 'picture') visit.press = issueLongPress(site.signing_key, code.id, target.id, visit.at);
    return choice;
  };
}

/** A visit that waits for something else keeps its turn, as long as its target has visits left. */
function turnOf(turns: SharedTurns, visit: Choosing, again: () => void): NonNullable<Chooser['turnOf']> {
  return (code, targets) => {
    const held = targets.find(({ id }) => id === visit.turn);
    if (held) return held;
    const ids = targets.map(({ id }) => id);
    const next = turns.next(code.id, ids, (target) => {
      visit.turn = target || -1;
      again();
    });
    if (next === 0) return targets[code.cursor++ % targets.length];
    visit.turn = next ?? 0;
    return targets.find(({ id }) => id === next);
  };
}
