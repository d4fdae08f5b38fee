import type { IncomingMessage, ServerResponse } from 'node:http';
import { accessMode, type Outcome, outcomes, visitRestriction } from '../../contract/enums.ts';
import type { CidrSet } from '../kit/ip.ts';
import type { VisitRecord } from '../kit/journal/record.ts';
import type { Journal } from '../kit/journal/writer.ts';
import { decide, type Facts, type Proof, type Verdict } from './decide.ts';
import type { Lease, Leases } from './leases.ts';
import type { Memory } from './memory.ts';
import { type Counters, countAnswer } from './metrics.ts';
import type { Code, Domain, Reply, Target } from './model.ts';
import type { RefusalOutcome } from './pages/texts.ts';
import { type RefusalDetails, redirectTo } from './replies.ts';
import {
  type AcceptedLanguage,
  createLanguageReader,
  fileNameOf,
  isMessenger,
  parameterOf,
  readAddress,
  visitorAddress,
} from './requests.ts';
import { chooseTarget } from './rotation.ts';
import { send } from './send.ts';
import type { Site } from './site.ts';
import { isSignature, issueTicket, readTicket, type Spender, type Ticket } from './tickets.ts';

/** One request for a live code, from its arrival to its answer. */
export interface Visit {
  response: ServerResponse;
  at: number;
  ip: string;
  host: string;
  path: string;
  query: string;
  file_name: string;
  referer: string;
  user_agent: string;
  language: AcceptedLanguage;
  domain: Domain | undefined;
  proof: Proof | undefined;
  ticket: Ticket | null;
  /** Whether the code was asked of the database for this visit, which happens once. */
  is_loaded: boolean;
  outcome: number;
  lease: Lease | undefined;
  reply: Reply | undefined;
}

export interface Visits {
  /** Answers a request; never throws. */
  take(request: IncomingMessage, response: ServerResponse): void;
  /** For the journal: called when the record of a visit is on the disk. */
  answer(visit: Visit, number: number, offset: number): void;
  /** Visits that are not answered yet. */
  pending(): number;
  /** From now on connections end with their answer. */
  stop(): void;
}

interface Options {
  memory: Memory;
  leases: Leases;
  spender: Spender;
  /** Where to write; the journal's `answer` is this module's. */
  journal: () => Journal<Visit>;
  source: string;
  proxies: CidrSet;
  counters: Counters;
  onError: (error: unknown) => void;
  random?: () => number;
}

const outcomeNumbers = Object.fromEntries(outcomes.map((outcome, index) => [outcome, index])) as Record<Outcome, number>;
const { passed, exhausted, entry } = outcomeNumbers;
const randomLabelLength = 8;

export function createVisits(options: Options): Visits {
  const { memory, leases, spender, proxies, counters, onError, random = Math.random } = options;
  const chooser = { leases, random };
  const visitIdPrefix = `${options.source}.`;
  let readLanguage = createLanguageReader('zh-CN');
  let languageOfSite: string = 'zh-CN';
  let pending = 0;
  let isStopping = false;

  /** Filled anew for each visit and read at once. */
  const facts: Facts = {
    domain: undefined,
    is_blocked: false,
    code: undefined,
    has_landing: false,
    now: 0,
    grace_milliseconds: 0,
    proof: 'none',
    is_messenger: false,
  };
  const record: VisitRecord = {
    at: 0,
    live_code_id: 0,
    target_id: 0,
    lease_id: 0,
    outcome: 0,
    open_log: true,
    host: '',
    path: '',
    referer: '',
    language: '',
    user_agent: '',
    ip: '',
  };

  const open = (request: IncomingMessage, response: ServerResponse, site: Site): Visit => {
    const { headers } = request;
    const address = readAddress(request.url ?? '/');
    const host = address.host ?? headers.host ?? '';
    if (languageOfSite !== site.language) {
      languageOfSite = site.language;
      readLanguage = createLanguageReader(site.language);
    }
    return {
      response,
      at: Date.now(),
      ip: visitorAddress(request, proxies),
      host,
      path: address.path,
      query: address.query,
      file_name: fileNameOf(address.path),
      referer: headers.referer ?? '',
      user_agent: headers['user-agent'] ?? '',
      language: readLanguage(headers['accept-language']),
      domain: site.hosts.find(host),
      proof: undefined,
      ticket: null,
      is_loaded: false,
      outcome: 0,
      lease: undefined,
      reply: undefined,
    };
  };

  const tryOpen = (request: IncomingMessage, response: ServerResponse, site: Site): Visit | undefined => {
    try {
      return open(request, response, site);
    } catch (error) {
      counters.errors += 1;
      onError(error);
      return undefined;
    }
  };

  const proceed = (visit: Visit): void => {
    try {
      const site = memory.site();
      if (site && options.journal().isOpen()) act(visit, site, codeOf(visit));
      else refuseAll(visit.response, visit.language.page);
    } catch (error) {
      fail(visit, error);
    }
  };

  const codeOf = (visit: Visit): Code | null | undefined => {
    if (visit.file_name === '') return null;
    return visit.is_loaded ? memory.findKnown(visit.file_name) : memory.find(visit.file_name);
  };

  const judge = (visit: Visit, site: Site, code: Code | null | undefined): Verdict => {
    const { domain } = visit;
    const landing_id = code?.landing_domain_id;
    facts.domain = domain;
    facts.is_blocked = site.blacklist.size > 0 && site.blacklist.has(visit.ip);
    facts.code = code;
    facts.has_landing = typeof landing_id === 'number' && landing_id !== domain?.id && site.hosts.byId(landing_id) !== undefined;
    facts.now = visit.at;
    facts.grace_milliseconds = site.grace_milliseconds;
    if (visit.proof === undefined && code?.access_mode === accessMode.scan_only) visit.proof = proofOf(visit, site);
    facts.proof = visit.proof ?? 'none';
    facts.is_messenger = code?.restriction_visit === visitRestriction.messenger_only && isMessenger(visit.user_agent);
    return decide(facts);
  };

  const proofOf = (visit: Visit, { signing_key }: Site): Proof => {
    const ticket = parameterOf(visit.query, 't');
    if (ticket !== '') visit.ticket = readTicket(signing_key, ticket, visit.file_name, visit.ip, visit.at);
    if (visit.ticket !== null) return 'ticket';
    const signature = parameterOf(visit.query, 's');
    return signature !== '' && isSignature(signing_key, signature, visit.file_name) ? 'signature' : 'none';
  };

  const act = (visit: Visit, site: Site, code: Code | null | undefined): void => {
    const verdict = judge(visit, site, code);
    if (verdict === 'load') load(visit);
    else if (verdict === 'spend') spend(visit);
    else if (verdict !== 'rotate' && verdict !== 'entry') {
      finish(visit, code ?? null, outcomeNumbers[verdict], undefined, refusalOf(visit, site, code ?? null, verdict));
    } else if (!code) throw new Error('decided on a code that is not there');
    else if (verdict === 'entry') finish(visit, code, entry, undefined, redirectTo(landingAddress(visit, site, code)));
    else rotate(visit, site, code);
  };

  const load = (visit: Visit): void => {
    if (visit.is_loaded) {
      // The database did not answer, and nothing was known before.
      refuseAll(visit.response, visit.language.page);
      return;
    }
    visit.is_loaded = true;
    memory.load(visit.file_name, () => proceed(visit));
  };

  const spend = async (visit: Visit): Promise<void> => {
    const isFirst = visit.ticket !== null && (await spender.spend(visit.ticket));
    visit.proof = isFirst ? 'spent' : 'none';
    proceed(visit);
  };

  const rotate = (visit: Visit, site: Site, code: Code): void => {
    const choice = chooseTarget(code, visit.at, chooser);
    if (choice === null) {
      const { fallback } = code;
      const reply =
        fallback === null ? refusalOf(visit, site, code, 'exhausted') : site.replies.toFallback(code, fallback, visit.language.page);
      finish(visit, code, exhausted, undefined, reply);
    } else if ('wait' in choice) {
      // The code may have changed when the answer is there, so that everything is decided again.
      leases.ask(choice.wait, () => proceed(visit));
    } else {
      visit.lease = choice.lease;
      finish(visit, code, passed, choice.target, site.replies.toTarget(code, choice.target, visit.language.page));
    }
  };

  const refusalOf = (visit: Visit, site: Site, code: Code | null, outcome: RefusalOutcome): Reply => {
    const details: RefusalDetails = {};
    if (outcome === 'unknown_host') details.host = visit.host;
    if (code && outcome !== 'not_found') {
      details.code_color = code.page_color;
      details.code_title = code.page_title;
      if (outcome === 'not_messenger') details.link = linkOf(visit, site);
    }
    return site.replies.refusal(outcome, details, visit.language.page);
  };

  /** The address to open in the messenger: as it was scanned, its signature included. */
  const linkOf = (visit: Visit, site: Site): string => {
    const query = visit.proof === 'signature' ? `?s=${parameterOf(visit.query, 's')}` : '';
    return `${site.settings.visit_scheme}://${visit.host}/${visit.file_name}${query}`;
  };

  const landingAddress = (visit: Visit, site: Site, code: Code): string => {
    const landing = facts.has_landing ? site.hosts.byId(code.landing_domain_id ?? 0) : undefined;
    const host = landing === undefined ? visit.host : landing.host.replace('*', randomLabel());
    const ticket = issueTicket(site.signing_key, visit.file_name, visit.ip, visit.at);
    return `${site.settings.visit_scheme}://${host}/${visit.file_name}?t=${ticket}`;
  };

  const randomLabel = (): string =>
    random()
      .toString(36)
      .slice(2, 2 + randomLabelLength)
      .padEnd(randomLabelLength, 'a');

  const finish = (visit: Visit, code: Code | null, outcome: number, target: Target | undefined, reply: Reply): void => {
    visit.outcome = outcome;
    visit.reply = reply;
    record.at = visit.at;
    record.live_code_id = code === null || outcome === outcomeNumbers.not_found ? 0 : code.id;
    record.target_id = target === undefined ? 0 : target.id;
    record.lease_id = visit.lease === undefined ? 0 : visit.lease.id;
    record.outcome = outcome;
    record.open_log = code === null || code.open_log;
    // The registered name: under a wildcard every visit may have a label of its own.
    record.host = visit.domain?.host ?? visit.host;
    record.path = visit.path;
    record.referer = visit.referer;
    record.language = visit.language.tag;
    record.user_agent = visit.user_agent;
    record.ip = visit.ip;
    if (options.journal().append(record, visit)) return;
    if (visit.lease !== undefined) leases.untake(visit.lease);
    refuseAll(visit.response, visit.language.page);
  };

  const answer = (visit: Visit, number: number, offset: number): void => {
    pending -= 1;
    try {
      if (visit.lease !== undefined) leases.answered(visit.lease);
      countAnswer(counters, visit.outcome, Date.now() - visit.at);
      if (visit.reply !== undefined) send(visit.response, visit.reply, `${visitIdPrefix}${number}:${offset}`, isStopping);
    } catch (error) {
      counters.errors += 1;
      onError(error);
      visit.response.destroy();
    }
  };

  /** The answer to what can't be decided or recorded: come again. It is no visit. */
  const refuseAll = (response: ServerResponse, language: number): void => {
    pending -= 1;
    counters.unavailable += 1;
    const reply = memory.site()?.replies.refusal('unavailable', {}, language);
    if (reply) send(response, reply, 'none', isStopping);
    else response.writeHead(503, ['retry-after', '5', 'content-length', '0', 'cache-control', 'no-store']).end();
  };

  const fail = (visit: Visit, error: unknown): void => {
    counters.errors += 1;
    onError(error);
    // Without a reply it was not recorded, so that its visit was not used up.
    if (visit.lease !== undefined && visit.reply === undefined) leases.untake(visit.lease);
    refuseAll(visit.response, visit.language.page);
  };

  return {
    take(request, response) {
      pending += 1;
      const site = memory.site();
      const visit = site && tryOpen(request, response, site);
      if (visit) proceed(visit);
      else refuseAll(response, 0);
    },
    answer,
    pending: () => pending,
    stop() {
      isStopping = true;
    },
  };
}
