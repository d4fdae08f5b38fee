import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CidrSet } from '../../kit/network/ip.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import type { Site } from '../memory/site.ts';
import type { Reply } from '../model.ts';
import { createLanguageReader, createProgramReader, fileNameOf, readAddress, visitorAddress } from '../requests.ts';
import type { Lease } from '../rotation/quota.ts';
import type { Ticket } from '../rotation/tickets.ts';
import type { Facts } from './decide.ts';

/**
 * One request, from its arrival to its answer. What is decided on and what is recorded stands in it, so that neither takes an object of
 * its own: ids are set where they are found out, and the journal writes the visit as it is.
 */
export interface Visit extends Facts, VisitRecord {
  response: ServerResponse;
  /** On the clock of `performance.now()`. */
  started_at: number;
  /** As the visitor asked for it; `host` is the registered name, because under a wildcard every visit may have a label of its own. */
  asked_host: string;
  query: string;
  file_name: string;
  /** The code's further key that it came by; 0 where that is the code's own. */
  alias_id: number;
  /** Position in `pageLanguages`. */
  page_language: number;
  ticket: Ticket | null;
  /** Whether the code was asked of the database for this visit, which happens once. */
  is_loaded: boolean;
  lease: Lease | undefined;
  reply: Reply | undefined;
  /** The value of its `set-cookie`, and what its page tells of a press by; mostly empty. */
  cookie: string;
  press: string;
  /** Whose turn it is at its code, and whether it leaves it and all visits to others; see `Choosing`. */
  turn: number;
  is_look: boolean;
  /** The owner's own; see `tellOwn`. */
  is_own: boolean;
}

/** Throws where a request cannot be read. */
export type VisitReader = (request: IncomingMessage, response: ServerResponse, site: Site) => Visit;

export function createVisitReader(proxies: CidrSet): VisitReader {
  const isProgram = createProgramReader();
  let siteLanguage: Site['language'] = 'zh-CN';
  let readLanguage = createLanguageReader(siteLanguage);
  return (request, response, site) => {
    const { headers } = request;
    const address = readAddress(request.url ?? '/');
    const asked_host = address.host ?? headers.host ?? '';
    const domain = site.hosts.find(asked_host);
    if (siteLanguage !== site.language) {
      siteLanguage = site.language;
      readLanguage = createLanguageReader(siteLanguage);
    }
    const language = readLanguage(headers['accept-language']);
    const user_agent = headers['user-agent'] ?? '';
    return {
      response,
      at: Date.now(),
      started_at: performance.now(),
      ip: visitorAddress(request, proxies),
      asked_host,
      host: domain === undefined ? asked_host : domain.host,
      path: address.path,
      query: address.query,
      file_name: fileNameOf(address.path),
      alias_id: 0,
      referer: headers.referer ?? '',
      user_agent,
      page_language: language.page,
      language: language.tag,
      domain,
      code: undefined,
      is_blocked: false,
      has_landing: false,
      grace_milliseconds: 0,
      is_source_blocked: false,
      proof: undefined,
      is_messenger: false,
      ticket: null,
      is_loaded: false,
      live_code_id: 0,
      short_code_id: 0,
      target_id: 0,
      forward_id: 0,
      lease_id: 0,
      outcome: 0,
      open_log: true,
      proof_failure: 0,
      note: '',
      lease: undefined,
      reply: undefined,
      cookie: '',
      press: '',
      turn: 0,
      is_look: request.method === 'HEAD' || isProgram(user_agent),
      is_own: false,
    };
  };
}
