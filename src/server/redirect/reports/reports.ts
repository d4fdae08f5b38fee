import type { IncomingMessage } from 'node:http';
import { noteOf, reasonOf } from '../../kit/visits/report-note.ts';
import type { Memory } from '../memory/memory.ts';
import type { Site } from '../memory/site.ts';
import type { ReportFault } from '../pages/report-texts.ts';
import { issueTicket, type NonceStore, readTicket } from '../rotation/tickets.ts';
import { type Ending, outcomeNumbers } from '../visits/ending.ts';
import type { Visit } from '../visits/visit.ts';
import { readForm, type SentForm } from './form.ts';
import { createReportLimit } from './limits.ts';

/** How long a form may stay open before it is sent. */
const formMilliseconds = 2 * 3_600_000;

/** What a form's ticket is for: tickets of visits are for file names, which have no slash. */
const purposeOf = ({ file_name }: Visit): string => `report/${file_name}`;

interface Options {
  memory: Memory;
  spender: NonceStore;
  ending: Ending;
}

export interface Reports {
  /** Whether reports are taken at this address. */
  take(visit: Visit, site: Site): boolean;
  /** Shows the form. The visit has begun. */
  show(visit: Visit, site: Site): void;
  /** Takes what was sent. It is answered when its record is on the disk; the database is not asked what it is about. */
  send(visit: Visit, site: Site, request: IncomingMessage): Promise<void>;
}

export function createReports({ memory, spender, ending }: Options): Reports {
  const isAllowed = createReportLimit();

  const showForm = (visit: Visit, site: Site, { reason, text }: Pick<SentForm, 'reason' | 'text'>, fault?: ReportFault): void => {
    const ticket = issueTicket(site.signing_key, purposeOf(visit), visit.ip, visit.at, formMilliseconds);
    ending.answerUnrecorded(visit, site.replies.reportForm({ ticket, reason, text, fault }, visit.page_language));
  };

  return {
    take: (visit, site) =>
      site.settings.report_link && visit.domain !== undefined && visit.file_name !== '' && !site.blacklist.has(visit.ip),
    show: (visit, site) => showForm(visit, site, { reason: '', text: '' }),
    async send(visit, site, request) {
      const form = await readForm(request);
      const reason = reasonOf(form.reason);
      if (reason === undefined) return showForm(visit, site, form, 'no_reason');
      const ticket = readTicket(site.signing_key, form.ticket, purposeOf(visit), visit.ip, visit.at, formMilliseconds);
      if (ticket === null) return showForm(visit, site, form, 'old_form');
      const answer = (kind: 'thanks' | 'too_many') => site.replies.reportAnswer(kind, visit.page_language);
      if (!isAllowed(visit.ip, visit.at)) return ending.answerUnrecorded(visit, answer('too_many'));
      const code = memory.findKnown(visit.file_name);
      // What was sent twice is thanked for twice; of a code that surely isn't there nothing is kept.
      if (!(await spender.spend(ticket)) || code === null) return ending.answerUnrecorded(visit, answer('thanks'));
      visit.live_code_id = code?.id ?? 0;
      visit.path = `/${visit.file_name}`;
      visit.open_log = false;
      visit.note = noteOf({ reason, text: form.text });
      ending.finish(visit, outcomeNumbers.reported, answer('thanks'));
    },
  };
}
