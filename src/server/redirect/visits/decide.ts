import { accessMode, domainType, type Outcome, visitRestriction } from '../../../contract/enums.ts';
import type { Code, Domain } from '../model.ts';

/**
 * What a request for a scan-only code shows: nothing valid, the signature of its QR image, a ticket not spent yet, or one spent for it.
 */
export type Proof = 'none' | 'signature' | 'ticket' | 'spent';

/** What the decision depends on, and nothing else. */
export interface Facts {
  domain: Domain | undefined;
  is_blocked: boolean;
  /** Undefined: not known yet; null: there is none. */
  code: Code | null | undefined;
  /** Whether the code has a landing domain that is in use. */
  has_landing: boolean;
  /** Milliseconds since 1970. */
  at: number;
  grace_milliseconds: number;
  /** Whether its owner refuses visits from the page that referred this one. */
  is_source_blocked: boolean;
  /** Undefined where it was not looked at, as for codes that ask for none. */
  proof: Proof | undefined;
  is_messenger: boolean;
}

/** An outcome, or what has to happen first: load the code, spend the ticket, choose a target. */
export type Verdict =
  | Exclude<Outcome, 'passed' | 'exhausted' | 'pressed' | 'forwarded' | 'reported' | 'program' | 'own'>
  | 'load'
  | 'spend'
  | 'rotate';

/** The first rule that fails is the outcome; the order is the product's promise, because statistics show each by its name. */
export function decide(facts: Facts): Verdict {
  const { domain, code, at, proof = 'none' } = facts;
  if (domain === undefined) return 'unknown_host';
  if (facts.is_blocked) return 'blocked_ip';
  // Short domains only redirect; no live code answers there.
  if (domain.type === domainType.short) return 'not_found';
  if (code === undefined) return 'load';
  if (code === null || code.removed || !mayServe(domain, code)) return 'not_found';

  const { owner } = code;
  if (code.is_frozen || owner.is_frozen || domain.is_frozen) return 'frozen';
  if (!code.open || !owner.all_codes_open || (code.expires_at !== null && at >= code.expires_at)) return 'closed';
  if (owner.is_disabled || (owner.member_expires_at !== null && at >= owner.member_expires_at + facts.grace_milliseconds)) {
    return 'owner_inactive';
  }
  if (facts.is_source_blocked) return 'blocked_source';
  const isScanOnly = code.access_mode === accessMode.scan_only;
  if (isScanOnly && proof === 'none') return 'not_scanned';
  if (isScanOnly && proof === 'ticket') return 'spend';
  if (code.restriction_visit === visitRestriction.messenger_only && !facts.is_messenger) return 'not_messenger';

  const isFirstHop = isScanOnly ? proof === 'signature' : facts.has_landing && domain.type === domainType.entry;
  return isFirstHop ? 'entry' : 'rotate';
}

/**
 * A code answers on its own domains, on every enabled one that its owner holds and on the platform's: what was printed before a domain
 * was replaced goes on working as long as that domain is in use. On other users' domains it doesn't exist.
 */
function mayServe(domain: Domain, code: Code): boolean {
  return (
    domain.holder_id === null ||
    domain.holder_id === code.owner_id ||
    domain.id === code.entry_domain_id ||
    domain.id === code.landing_domain_id
  );
}
