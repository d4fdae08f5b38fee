import type { IncomingMessage, ServerResponse } from 'node:http';
import { accessMode, type Outcome, outcomes, visitRestriction } from '../../contract/enums.ts';
import type { CidrSet } from '../kit/network/ip.ts';
import { type FalseProof, falseProofs, type VisitRecord } from '../kit/visits/journal/record.ts';
import type { Journal } from '../kit/visits/journal/writer.ts';
import { createVisitIds } from '../kit/visits/visit-id.ts';
import { type RefusalDetails, redirectTo } from './answers/replies.ts';
import { send } from './answers/send.ts';
import { decide, newFacts, type Proof, type Verdict } from './decide.ts';
import { createLinks } from './links.ts';
import type { Memory } from './memory/memory.ts';
import type { Site } from './memory/site.ts';
import { type Counters, countAnswer } from './metrics.ts';
import type { Code, Domain, Reply } from './model.ts';
import type { RefusalOutcome } from './pages/texts.ts';
import {
  type AcceptedLanguage,
  createLanguageReader,
  fileNameOf,
  isMessenger,
  parameterOf,
  readAddress,
  visitorAddress,
} from './requests.ts';
import { createChoosing } from './rotation/choosing.ts';
import type { Lease, Leases } from './rotation/leases.ts';
import { type Press, pressReply, readPress } from './rotation/presses.ts';
import { isSignature, issueTicket, readTicket, type Spender, type Ticket } from './rotation/tickets.ts';
import type { Visitors } from './rotation/visitors.ts';

/** One request for a live code, from its arrival to its answer. */
export interface Visit {
  response: ServerResponse;
  at: number;
  /** On the clock of `performance.now()`. */
  started_at: number;
  ip: string;
  host: string;
  path: string;
  query: string;
  file_name: string;
  referer: string;
  user_agent: string;
  language: AcceptedLanguage;
  domain: Domain | undefined;
  is_blocked: boolean;
  proof: Proof | undefined;
  ticket: Ticket | null;
  /** Whether the code was asked of the database for this visit, which happens once. */
  is_loaded: boolean;
  outcome: number;
  lease: Lease | undefined;
  reply: Reply | undefined;
  /** The value of its `set-cookie`, and what its page tells of a press by; mostly empty. */
  cookie: string;
  press: string;
}

export interface Visits {
  /** Answers a request; never throws. */
  take(request: IncomingMessage, response: ServerResponse): void;
  /** Records that a page's picture was pressed, once for each token. */
  press(token: string, request: IncomingMessage, response: ServerResponse): void;
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
  visitors: Visitors;
  /** Where to write; the journal's `answer` is this module's. */
  journal: () => Journal<Visit>;
  source: string;
  proxies: CidrSet;
  counters: Counters;
  onError: (error: unknown) => void;
  random?: () => number;
}

const outcomeNumbers = Object.fromEntries(outcomes.map((outcome, index) => [outcome, index])) as Record<Outcome, number>;
const { passed, exhausted, entry, pressed } = outcomeNumbers;
const randomLabelLength = 8;

export function createVisits(options: Options): Visits {
  const { memory, leases, spender, visitors, proxies, counters, onError, random = Math.random } = options;
  const choose = createChoosing({ leases, visitors, random });
  const links = createLinks({ memory, random });
  const visitIdOf = createVisitIds(options.source);
  let readLanguage = createLanguageReader('zh-CN');
  let languageOfSite: string = 'zh-CN';
  let pending = 0;
  let isStopping = false;

  /** Filled anew for each visit and read at once. */
  const facts = newFacts();
  const record: VisitRecord = {
    at: 0,
    live_code_id: 0,
    target_id: 0,
    lease_id: 0,
    outcome: 0,
    open_log: true,
    false_proof: 0,
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
      started_at: performance.now(),
      ip: visitorAddress(request, proxies),
      host,
      path: address.path,
      query: address.query,
      file_name: fileNameOf(address.path),
      referer: headers.referer ?? '',
      user_agent: headers['user-agent'] ?? '',
      language: readLanguage(headers['accept-language']),
      domain: site.hosts.find(host),
      is_blocked: false,
      proof: undefined,
      ticket: null,
      is_loaded: false,
      outcome: 0,
      lease: undefined,
      reply: undefined,
      cookie: '',
      press: '',
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
      if (!site || !options.journal().isOpen()) {
        refuseAll(visit.response, visit.language.page);
        return;
      }
      visit.is_blocked = site.blacklist.size > 0 && site.blacklist.has(visit.ip);
      if (!actOnLink(visit, site)) act(visit, site, codeOf(visit));
    } catch (error) {
      fail(visit, error);
    }
  };

  const codeOf = (visit: Visit): Code | null | undefined => {
    if (visit.file_name === '') return null;
    return visit.is_loaded ? memory.findKnown(visit.file_name) : memory.find(visit.file_name);
  };

  /** Answers short codes and forwards; false where the visit is for none, or refused whatever it is for. */
  const actOnLink = (visit: Visit, site: Site): boolean => {
    const { domain } = visit;
    if (visit.is_blocked || domain === undefined) return false;
    const link = links.answer(visit, domain, site);
    if (link === undefined) return false;
    if ('load' in link) load(visit, (done) => memory.shorts.load(link.load, done));
    else {
      const short = link.short && { id: link.short.id, open_log: true };
      finish(visit, short, outcomeNumbers[link.outcome], link.forward ?? undefined, link.reply);
    }
    return true;
  };

  const judge = (visit: Visit, site: Site, code: Code | null | undefined): Verdict => {
    const { domain } = visit;
    const landing_id = code?.landing_domain_id;
    facts.domain = domain;
    facts.is_blocked = visit.is_blocked;
    facts.code = code;
    facts.has_landing = typeof landing_id === 'number' && landing_id !== domain?.id && site.hosts.byId(landing_id) !== undefined;
    facts.now = visit.at;
    facts.grace_milliseconds = site.grace_milliseconds;
    facts.is_source_blocked = site.sources.size > 0 && !!code && site.sources.refuse(code.owner_id, visit.referer);
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
    if (verdict === 'load') load(visit, (done) => memory.load(visit.file_name, done));
    else if (verdict === 'spend') spend(visit);
    else if (verdict !== 'rotate' && verdict !== 'entry') {
      finish(visit, code ?? null, outcomeNumbers[verdict], undefined, refusalOf(visit, site, code ?? null, verdict));
    } else if (!code) throw new Error('decided on a code that is not there');
    else if (verdict === 'entry') finish(visit, code, entry, undefined, redirectTo(landingAddress(visit, site, code)));
    else rotate(visit, site, code);
  };

  const load = (visit: Visit, read: (done: () => void) => void): void => {
    if (visit.is_loaded) {
      // The database did not answer, and nothing was known before.
      refuseAll(visit.response, visit.language.page);
      return;
    }
    visit.is_loaded = true;
    read(() => proceed(visit));
  };

  const spend = async (visit: Visit): Promise<void> => {
    const isFirst = visit.ticket !== null && (await spender.spend(visit.ticket));
    visit.proof = isFirst ? 'spent' : 'none';
    proceed(visit);
  };

  const rotate = (visit: Visit, site: Site, code: Code): void => {
    // The code may have changed when what is awaited is there, so that everything is decided again.
    const choice = choose(visit, site, code, () => proceed(visit));
    if (choice === undefined) return;
    if (choice === null) {
      const { fallback } = code;
      const reply =
        fallback === null ? refusalOf(visit, site, code, 'exhausted') : site.replies.toFallback(code, fallback, visit.language.page);
      finish(visit, code, exhausted, undefined, reply);
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

  /** What is wrong with the proof of a visit that brought one. A ticket that is only too old is none: its page was opened again. */
  const falseProofOf = (visit: Visit): FalseProof => {
    if (visit.ticket !== null) return falseProofs.replayed;
    const key = memory.site()?.signing_key;
    const ticket = parameterOf(visit.query, 't');
    if (ticket !== '') return key && readTicket(key, ticket, visit.file_name, visit.ip, 0) ? falseProofs.none : falseProofs.forged;
    return parameterOf(visit.query, 's') === '' ? falseProofs.none : falseProofs.forged;
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

  const finish = (
    visit: Visit,
    code: Pick<Code, 'id' | 'open_log'> | null,
    outcome: number,
    target: { id: number } | undefined,
    reply: Reply,
  ): void => {
    visit.outcome = outcome;
    visit.reply = reply;
    record.at = visit.at;
    record.live_code_id = code === null || outcome === outcomeNumbers.not_found ? 0 : code.id;
    record.target_id = target === undefined ? 0 : target.id;
    record.lease_id = visit.lease === undefined ? 0 : visit.lease.id;
    record.outcome = outcome;
    record.false_proof = outcome === outcomeNumbers.not_scanned ? falseProofOf(visit) : 0;
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
      countAnswer(counters, visit.outcome, performance.now() - visit.started_at);
      const site = memory.site();
      if (visit.reply === undefined || site === undefined) return;
      send(visit.response, visit.reply, visitIdOf(site.signing_key, number, offset), isStopping, visit.cookie, visit.press);
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

  const recordPress = async (visit: Visit, press: Press): Promise<void> => {
    pending += 1;
    try {
      const isFirst = await spender.spend(press);
      const page = { id: press.live_code_id, open_log: false };
      if (isFirst && options.journal().isOpen()) finish(visit, page, pressed, { id: press.target_id }, pressReply);
      else {
        pending -= 1;
        send(visit.response, pressReply, 'none', isStopping);
      }
    } catch (error) {
      fail(visit, error);
    }
  };

  return {
    press(token, request, response) {
      const site = memory.site();
      const press = site ? readPress(site.signing_key, token, Date.now()) : null;
      const visit = site && press && tryOpen(request, response, site);
      if (visit && press) void recordPress(visit, press);
      else response.writeHead(404, ['content-length', '0', 'cache-control', 'no-store']).end();
    },
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
