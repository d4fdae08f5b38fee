import { createHash } from 'node:crypto';
import type { Finding } from '../../../contract/detection/detectors.ts';
import type { Language } from '../../../contract/enums.ts';
import { translate } from '../../kit/messages/messages.ts';

/** Why a detector could not tell: a key of the messages below `errors`, with its parameters. */
export type Failure = { key: string; params?: Record<string, string | number> };

/** What a detector found, as it is kept: its failure stands as a key, to be told in each reader's language. */
export type StoredFinding = Omit<Finding, 'error'> & { error: Failure | null };

export const failureWords = (language: Language, failure: Failure | null): string | null =>
  failure && translate(language, `errors.${failure.key}`, failure.params ?? {});

export const shownFinding = (finding: StoredFinding, language: Language): Finding => ({
  ...finding,
  error: failureWords(language, finding.error),
});

/** The same for findings that say the same: their times, and how long each took, say nothing about the address. */
export function digestOf(block_status: number, state: string, findings: readonly StoredFinding[]): Buffer {
  const said = findings.map(({ at: _at, duration_ms: _duration, request: _request, hops, text, ...rest }) => ({
    ...rest,
    // Gateways put moments and tickets into the queries of their redirects, and pages into their texts.
    hops: hops.map(({ url, status }) => ({ url: url.split(/[?#]/, 1)[0], status })),
    text: rest.answer === 'failed' ? null : text,
  }));
  return createHash('sha256')
    .update(JSON.stringify([block_status, state, said]))
    .digest();
}

/** The time of an answer as the place among doubled milliseconds: up to 64, 128, 256 … 32,768. */
export function latencyStep(milliseconds: number): number {
  const step = Math.ceil(Math.log2(Math.max(milliseconds, 1) / 64));
  return Math.min(Math.max(step, 0), latencySteps - 1);
}
export const latencySteps = 10;

/** The median of counted answers, told as the middle of its step; null where there were none. */
export function medianLatency(counts: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [step, count] of counts.entries()) {
    seen += count;
    if (seen * 2 >= total) return step === 0 ? 32 : Math.round(64 * 2 ** (step - 0.5));
  }
  return null;
}
