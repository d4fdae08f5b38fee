import type { Site } from '../memory/site.ts';
import type { Code, Domain, Target } from '../model.ts';
import type { Lease, Leases } from './leases.ts';
import { issuePress } from './presses.ts';
import { chooseTarget } from './rotation.ts';
import { keptTarget, targetCookie } from './same-target.ts';
import type { Visitor, Visitors } from './visitors.ts';

/** What of a visit its choice depends on, and what it says of the answer. */
interface Choosing extends Visitor {
  response: { req: { headers: { cookie?: string } } };
  domain: Domain | undefined;
  /** The value of its `set-cookie`, and what its page tells of a press by; mostly empty. */
  cookie: string;
  press: string;
}

/** A target whose visit is taken, null where none has visits left, or undefined: something is awaited, and `again` will be called. */
type Chosen = { target: Target; lease: Lease | undefined } | null | undefined;
export type Choose = (visit: Choosing, site: Site, code: Code, again: () => void) => Chosen;

interface Options {
  leases: Leases;
  visitors: Visitors;
  random: () => number;
}

export function createChoosing({ leases, visitors, random }: Options): Choose {
  const chooser = { leases, random };
  return (visit, site, code, again) => {
    const { targeting, same_target } = code;
    const facts = targeting === null ? undefined : visitors.factsOf(visit, targeting.needs, site);
    if (targeting !== null && facts === undefined) {
      visitors.whenReady(again);
      return undefined;
    }
    const { cookie } = visit.response.req.headers;
    const kept = same_target ? keptTarget(site.signing_key, cookie, code) : undefined;
    const choice = chooseTarget(code, visit.at, chooser, facts, kept);
    if (choice === null) return null;
    if ('wait' in choice) {
      leases.ask(choice.wait, again);
      return undefined;
    }
    const { target } = choice;
    if (same_target && target !== kept) {
      const { domain } = visit;
      visit.cookie = targetCookie(site.signing_key, cookie, { code, target, domain, scheme: site.settings.visit_scheme });
    }
    if (target.kind === 'picture') visit.press = issuePress(site.signing_key, code.id, target.id, visit.at);
    return choice;
  };
}
