import { accessMode, visitRestriction } from '../../../contract/enums.ts';
import type { Site } from '../memory/site.ts';
import type { Code } from '../model.ts';
import { isMessenger } from '../requests.ts';
import { proofOf } from '../rotation/proofs.ts';
import { decide, type Verdict } from './decide.ts';
import type { Visit } from './visit.ts';

/** Finds out what the decision on a visit depends on, and decides. */
export function judge(visit: Visit, site: Site, code: Code | null | undefined): Verdict {
  const { domain } = visit;
  const landing_id = code?.landing_domain_id;
  visit.code = code;
  visit.has_landing = typeof landing_id === 'number' && landing_id !== domain?.id && site.hosts.byId(landing_id) !== undefined;
  visit.grace_milliseconds = site.grace_milliseconds;
  visit.is_source_blocked = site.sources.size > 0 && !!code && site.sources.refuse(code.owner_id, visit.referer);
  if (visit.proof === undefined && code?.access_mode === accessMode.scan_only) visit.proof = proofOf(visit, site);
  visit.is_messenger = code?.restriction_visit === visitRestriction.messenger_only && isMessenger(visit.user_agent);
  return decide(visit);
}
