import { type ProofFailure, proofFailures } from '../../kit/visits/journal/record.ts';
import type { Site } from '../memory/site.ts';
import { parameterOf } from '../requests.ts';
import type { Proof } from '../visits/decide.ts';
import type { Visit } from '../visits/visit.ts';
import { genuineTicket, isSignature, readTicket } from './tickets.ts';

/** What a visit to a scan-only code brought; its ticket, where that is genuine, is kept for spending. */
export function proofOf(visit: Visit, { signing_key }: Site): Proof {
  const ticket = parameterOf(visit.query, 't');
  if (ticket !== '') visit.ticket = readTicket(signing_key, ticket, visit.file_name, visit.ip, visit.at);
  if (visit.ticket !== null) return 'ticket';
  const signature = parameterOf(visit.query, 's');
  return signature !== '' && isSignature(signing_key, signature, visit.file_name) ? 'signature' : 'none';
}

/** What is wrong with the proof of a visit that brought one. A ticket that is only too old is none: its page was opened again. */
export function proofFailureOf({ ticket, query, file_name, ip }: Visit, key: Buffer | undefined): ProofFailure {
  if (ticket !== null) return proofFailures.replayed;
  const text = parameterOf(query, 't');
  if (text !== '') return key && genuineTicket(key, text, file_name, ip) ? proofFailures.none : proofFailures.forged;
  return parameterOf(query, 's') === '' ? proofFailures.none : proofFailures.forged;
}
