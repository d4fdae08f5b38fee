import type { ServerResponse } from 'node:http';
import { type Outcome, outcomes } from '../../../contract/enums.ts';
import type { Journal } from '../../kit/visits/journal/writer.ts';
import { createVisitIds } from '../../kit/visits/visit-id.ts';
import { send } from '../answers/send.ts';
import type { Memory } from '../memory/memory.ts';
import { type Counters, countAnswer } from '../metrics.ts';
import type { Reply } from '../model.ts';
import type { Leases } from '../rotation/leases.ts';
import { proofFailureOf } from '../rotation/proofs.ts';
import type { Visit } from './visit.ts';

/** How visits end: recorded and then answered, or told to come again. */
export interface Ending {
  /** A visit has begun that will end by one of the others. */
  begin(): void;
  /** Records what became of a visit; it is answered once the record is on the disk. */
  finish(visit: Visit, outcome: number, reply: Reply): void;
  /** For the journal: called when the record of a visit is on the disk. */
  answer(visit: Visit, number: number, offset: number): void;
  /** Answers what is no visit, and is not recorded. */
  answerUnrecorded(visit: Visit, reply: Reply): void;
  /** The answer to what can't be decided or recorded: come again. It is no visit. */
  refuse(response: ServerResponse, language: number): void;
  /** Ends a visit that an error of ours stopped. */
  fail(visit: Visit, error: unknown): void;
  /** Visits that are not answered yet. */
  pending(): number;
  /** From now on connections end with their answer. */
  stop(): void;
}

export interface EndingOptions {
  memory: Memory;
  leases: Leases;
  /** Where to write; the journal's `answer` is this module's. */
  journal: () => Journal<Visit>;
  source: string;
  counters: Counters;
  onError: (error: unknown) => void;
}

export const outcomeNumbers = Object.fromEntries(outcomes.map((outcome, index) => [outcome, index])) as Record<Outcome, number>;

export function createEnding({ memory, leases, journal, source, counters, onError }: EndingOptions): Ending {
  const visitIdOf = createVisitIds(source);
  let pending = 0;
  let isStopping = false;

  const refuse = (response: ServerResponse, language: number): void => {
    pending -= 1;
    counters.unavailable += 1;
    const reply = memory.site()?.replies.refusal('unavailable', {}, language);
    if (reply) send(response, reply, 'none', isStopping);
    else response.writeHead(503, ['retry-after', '5', 'content-length', '0', 'cache-control', 'no-store']).end();
  };

  return {
    begin() {
      pending += 1;
    },
    finish(visit, outcome, reply) {
      visit.outcome = outcome;
      visit.reply = reply;
      visit.lease_id = visit.lease === undefined ? 0 : visit.lease.id;
      if (outcome === outcomeNumbers.not_scanned) visit.proof_failure = proofFailureOf(visit, memory.site()?.signing_key);
      if (journal().append(visit, visit)) return;
      if (visit.lease !== undefined) leases.untake(visit.lease);
      refuse(visit.response, visit.page_language);
    },
    answer(visit, number, offset) {
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
    },
    answerUnrecorded(visit, reply) {
      pending -= 1;
      send(visit.response, reply, 'none', isStopping, visit.cookie);
    },
    refuse,
    fail(visit, error) {
      counters.errors += 1;
      onError(error);
      // Without a reply it was not recorded, so that its visit was not used up.
      if (visit.lease !== undefined && visit.reply === undefined) leases.untake(visit.lease);
      refuse(visit.response, visit.page_language);
    },
    pending: () => pending,
    stop() {
      isStopping = true;
    },
  };
}
