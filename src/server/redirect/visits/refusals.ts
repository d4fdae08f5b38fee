import type { RefusalDetails } from '../answers/replies.ts';
import type { Site } from '../memory/site.ts';
import type { Code, Reply } from '../model.ts';
import type { RefusalOutcome } from '../pages/texts.ts';
import { parameterOf } from '../requests.ts';
import type { Visit } from './visit.ts';

/** The page that tells a visitor why he gets nothing. */
export function refusalOf(visit: Visit, site: Site, code: Code | null, outcome: RefusalOutcome): Reply {
  const details: RefusalDetails = {};
  if (outcome === 'unknown_host') details.host = visit.asked_host;
  if (code && outcome !== 'not_found') {
    details.code_color = code.page_color;
    details.code_title = code.page_title;
    if (outcome === 'not_messenger') details.link = linkOf(visit, site);
  }
  return site.replies.refusal(outcome, details, visit.page_language);
}

/** The address to open in the messenger: as it was scanned, its signature included. */
function linkOf(visit: Visit, site: Site): string {
  const query = visit.proof === 'signature' ? `?s=${parameterOf(visit.query, 's')}` : '';
  return `${site.settings.visit_scheme}://${visit.asked_host}/${visit.file_name}${query}`;
}
