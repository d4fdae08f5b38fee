import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CidrSet } from '../../kit/network/ip.ts';
import type { AskedImage } from '../images/asked.ts';
import { createQrImages, type ImageMeans } from '../images/images.ts';
import { createLinks, type Links } from '../links/links.ts';
import type { Memory } from '../memory/memory.ts';
import type { Site } from '../memory/site.ts';
import type { Code } from '../model.ts';
import { createReports } from '../reports/reports.ts';
import { type Choose, createChoosing } from '../rotation/choosing.ts';
import { type LongPress, longPressReply, readLongPress } from '../rotation/presses.ts';
import type { SharedTurns } from '../rotation/shared-turns.ts';
import type { NonceStore } from '../rotation/tickets.ts';
import type { Visitors } from '../rotation/visitors.ts';
import { createEnding, type Ending, type EndingOptions, outcomeNumbers } from './ending.ts';
import { entryReply } from './entry.ts';
import { judge } from './judge.ts';
import { tellOwn } from './own.ts';
import { markOwnDevice } from './own-device.ts';
import { refusalOf } from './refusals.ts';
import { createVisitReader, type Visit, type VisitReader } from './visit.ts';

export interface Visits extends Pick<Ending, 'answer' | 'pending' | 'stop'> {
  /** Answers a request; never throws. */
  take(request: IncomingMessage, response: ServerResponse): void;
  /** Records that a page's picture was pressed, once for each token. */
  press(token: string, request: IncomingMessage, response: ServerResponse): void;
  /** Shows the page on which a code is reported, or takes the report; where there is none, it is a visit as any other. */
  report(request: IncomingMessage, response: ServerResponse): void;
  /** Marks the device of an owner that opens his link; where nothing is answered, it is a visit as any other. */
  ownDevice(request: IncomingMessage, response: ServerResponse): void;
  /** Answers the image of a code. */
  image(asked: AskedImage, request: IncomingMessage, response: ServerResponse): void;
}

interface Options extends EndingOptions {
  spender: NonceStore;
  visitors: Visitors;
  proxies: CidrSet;
  images: ImageMeans;
  turns?: SharedTurns | undefined;
  random?: () => number;
}

/** What a visit passes through. */
interface Path extends Pick<EndingOptions, 'journal' | 'counters' | 'onError'> {
  memory: Memory;
  spender: NonceStore;
  links: Links;
  choose: Choose;
  random: () => number;
  read: VisitReader;
  ending: Ending;
}

export function createVisits({ spender, visitors, proxies, images: imageMeans, turns, random = Math.random, ...options }: Options): Visits {
  const { memory, leases, journal, counters, onError } = options;
  const ending = createEnding(options);
  const path: Path = {
    memory,
    journal,
    counters,
    onError,
    spender,
    links: createLinks({ memory, random }),
    choose: createChoosing({ leases, visitors, random, turns }),
    random,
    read: createVisitReader(proxies),
    ending,
  };
  const reports = createReports({ memory, spender, ending });
  const images = createQrImages({ ...imageMeans, memory, ending, onError });
  const take: Visits['take'] = (request, response) => {
    ending.begin();
    const site = memory.site();
    const visit = site && tryRead(path, request, response, site);
    if (visit) proceed(path, visit);
    else ending.refuse(response, 0);
  };
  return {
    take,
    press(token, request, response) {
      const site = memory.site();
      const press = site ? readLongPress(site.signing_key, token, Date.now()) : null;
      const visit = site && press && tryRead(path, request, response, site);
      if (visit && press) void recordPress(path, visit, press);
      else response.writeHead(404, ['content-length', '0', 'cache-control', 'no-store']).end();
    },
    report(request, response) {
      const site = memory.site();
      const visit = site && tryRead(path, request, response, site);
      if (!site || !visit || !reports.take(visit, site)) {
        if (request.method !== 'POST') return take(request, response);
        response.writeHead(404, ['content-length', '0', 'cache-control', 'no-store']).end();
        return;
      }
      ending.begin();
      if (request.method === 'POST') reports.send(visit, site, request).catch((error) => ending.fail(visit, error));
      else reports.show(visit, site);
    },
    ownDevice(request, response) {
      const site = memory.site();
      const visit = site && tryRead(path, request, response, site);
      const domain = visit?.domain;
      if (!site || !visit || !domain || domain.is_frozen || site.blacklist.has(visit.ip)) return take(request, response);
      ending.begin();
      ending.answerUnrecorded(visit, markOwnDevice(visit, domain, site));
    },
    image(asked, request, response) {
      const site = memory.site();
      const visit = site && tryRead(path, request, response, site);
      if (visit) return images.take(visit, asked);
      ending.begin();
      ending.refuse(response, 0);
    },
    answer: ending.answer,
    pending: ending.pending,
    stop: ending.stop,
  };
}

function tryRead({ read, counters, onError }: Path, request: IncomingMessage, response: ServerResponse, site: Site): Visit | undefined {
  try {
    return read(request, response, site);
  } catch (error) {
    counters.errors += 1;
    onError(error);
    return undefined;
  }
}

/** Decides a visit; again from the beginning where something was awaited, because everything may have changed meanwhile. */
function proceed(path: Path, visit: Visit): void {
  const { memory, ending } = path;
  try {
    const site = memory.site();
    if (!site || !path.journal().isOpen()) {
      ending.refuse(visit.response, visit.page_language);
      return;
    }
    visit.is_blocked = site.blacklist.size > 0 && site.blacklist.has(visit.ip);
    if (!actOnLink(path, visit, site)) act(path, visit, site, codeOf(memory, visit));
  } catch (error) {
    ending.fail(visit, error);
  }
}

function codeOf(memory: Memory, visit: Visit): Code | null | undefined {
  if (visit.file_name === '') return null;
  return visit.is_loaded ? memory.findKnown(visit.file_name) : memory.find(visit.file_name);
}

/** Answers short codes and forwards; false where the visit is for none, or refused whatever it is for. */
function actOnLink(path: Path, visit: Visit, site: Site): boolean {
  const { domain } = visit;
  if (visit.is_blocked || domain === undefined) return false;
  const link = path.links.answer(visit, domain, site);
  if (link === undefined) return false;
  if ('load' in link) load(path, visit, (done) => path.memory.shorts.load(link.load, done));
  else {
    visit.short_code_id = link.short === null ? 0 : link.short.id;
    visit.forward_id = link.forward === null ? 0 : link.forward.id;
    path.ending.finish(visit, link.outcome === 'passed' ? passedAs(visit) : outcomeNumbers[link.outcome], link.reply);
  }
  return true;
}

function act(path: Path, visit: Visit, site: Site, code: Code | null | undefined): void {
  const { ending } = path;
  const verdict = judge(visit, site, code);
  if (verdict === 'load') {
    load(path, visit, (done) => path.memory.load(visit.file_name, done));
    return;
  }
  if (verdict === 'spend') {
    void spend(path, visit);
    return;
  }
  visit.live_code_id = code && verdict !== 'not_found' ? code.id : 0;
  visit.alias_id = code && code.file_name !== visit.file_name ? path.memory.aliasOf(visit.file_name) : 0;
  visit.open_log = !code || code.open_log;
  if (verdict !== 'rotate' && verdict !== 'entry') {
    ending.finish(visit, outcomeNumbers[verdict], refusalOf(visit, site, code ?? null, verdict));
  } else if (!code) throw new Error('decided on a code that is not there');
  else if (verdict === 'entry') ending.finish(visit, outcomeNumbers.entry, entryReply(visit, site, code, path.random));
  else rotate(path, visit, site, code);
}

/** What was asked for by no person is a visit of nobody. */
const passedAs = ({ is_own, is_look }: Visit): number =>
  is_own ? outcomeNumbers.own : is_look ? outcomeNumbers.program : outcomeNumbers.passed;

function load(path: Path, visit: Visit, read: (done: () => void) => void): void {
  if (visit.is_loaded) {
    // The database did not answer, and nothing was known before.
    path.ending.refuse(visit.response, visit.page_language);
    return;
  }
  visit.is_loaded = true;
  read(() => proceed(path, visit));
}

async function spend(path: Path, visit: Visit): Promise<void> {
  // A look ahead leaves the ticket to the visitor who is to come with it.
  const isHead = visit.response.req.method === 'HEAD';
  const isFirst = visit.ticket !== null && (isHead || (await path.spender.spend(visit.ticket)));
  visit.proof = isFirst ? 'spent' : 'none';
  proceed(path, visit);
}

function rotate(path: Path, visit: Visit, site: Site, code: Code): void {
  const { ending } = path;
  tellOwn(visit, code.owner, site);
  const choice = path.choose(visit, site, code, () => proceed(path, visit));
  if (choice === undefined) return;
  if (choice === null) {
    const { fallback } = code;
    const reply =
      fallback === null ? refusalOf(visit, site, code, 'exhausted') : site.replies.toFallback(code, fallback, visit.page_language);
    ending.finish(visit, outcomeNumbers.exhausted, reply);
  } else {
    visit.lease = choice.lease;
    visit.target_id = choice.target.id;
    // Only what counts says by which of the code's keys it came; the loader counts it there.
    if (visit.alias_id > 0 && !visit.is_look) visit.note = String(visit.alias_id);
    ending.finish(visit, passedAs(visit), site.replies.toTarget(code, choice.target, visit.page_language));
  }
}

async function recordPress({ ending, spender, journal }: Path, visit: Visit, press: LongPress): Promise<void> {
  ending.begin();
  try {
    if (!(await spender.spend(press)) || !journal().isOpen()) return ending.answerUnrecorded(visit, longPressReply);
    visit.live_code_id = press.live_code_id;
    visit.target_id = press.target_id;
    visit.open_log = false;
    ending.finish(visit, outcomeNumbers.pressed, longPressReply);
  } catch (error) {
    ending.fail(visit, error);
  }
}
