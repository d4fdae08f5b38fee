import { redirectTo } from '../answers/replies.ts';
import type { Site } from '../memory/site.ts';
import type { Code, Reply } from '../model.ts';
import { issueTicket } from '../rotation/tickets.ts';
import type { Visit } from './visit.ts';

const randomLabelLength = 8;

/** Sends a visitor on to the code's landing domain, or to the same host where it has none, with a ticket that is good for one visit. */
export function entryReply(visit: Visit, site: Site, code: Code, random: () => number): Reply {
  const landing = visit.has_landing ? site.hosts.byId(code.landing_domain_id ?? 0) : undefined;
  const host = landing === undefined ? visit.asked_host : landing.host.replace('*', randomLabel(random));
  const ticket = issueTicket(site.signing_key, visit.file_name, visit.ip, visit.at);
  return redirectTo(`${site.settings.visit_scheme}://${host}/${visit.file_name}?t=${ticket}`);
}

const randomLabel = (random: () => number): string =>
  random()
    .toString(36)
    .slice(2, 2 + randomLabelLength)
    .padEnd(randomLabelLength, 'a');
