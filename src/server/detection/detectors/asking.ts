import type { DetectorAnswer, DetectorConfig } from '../../../contract/detection/detectors.ts';
import type { Settings } from '../../../contract/settings.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type GuardedAnswer, type GuardedRequest, guardedRequest } from '../../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Failure, StoredFinding } from './findings.ts';
import { covered } from './templates.ts';

export type DetectionSettings = Pick<Settings, 'messenger_gateway' | 'block_page_patterns' | 'dns_servers' | 'visit_scheme'>;

/** What is asked about: an address, and the name in it that is looked up. */
export type Asked = {
  url: string;
  /** As it is registered: with `*.` and a port where it has them. */
  host: string;
  /** One of our own domains. */
  is_registered: boolean;
};

/** A detector ready to ask, saved or not. */
export type OpenDetector<C extends DetectorConfig = DetectorConfig> = {
  id: number | null;
  name: string;
  config: C;
  key: string | undefined;
  timeout_ms: number;
};

type Header = { name: string; value: string };
/** What was sent and came back, for an operator who tries a detector out. Keys stand covered in it. */
export type Trace = {
  sent: { headers: Header[]; body: string };
  answered: { headers: Header[]; body: string };
  read: { path: string; value: string | null } | null;
};
export const newTrace = (): Trace => ({ sent: { headers: [], body: '' }, answered: { headers: [], body: '' }, read: null });

export type Asking = { network: GuardedNetwork; settings: DetectionSettings; trace?: Trace; now: () => Date };

/** What one kind of detector says; the rest of a finding is the same for all. */
export type Said = Partial<Omit<StoredFinding, 'answer' | 'error'>> & { answer: DetectorAnswer; error?: Failure | null };

const shownBytes = 8192;
/** Of one address in the evidence. */
const maxUrl = 1000;
const maxText = 500;

/** A line of evidence: short, on one line, and nothing that could not be stored. */
export const cut = (text: string, max = maxText): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed();
export const cutUrl = (url: string): string => cut(url, maxUrl);

export const failed = (key: string, params?: Failure['params']): Said => ({
  answer: 'failed',
  error: { key: `detection.${key}`, ...(params ? { params } : {}) },
});

/** Requests an address for a detector and shows it in the trace. What was asked, and what came, never holds the key. */
export async function request(
  outgoing: GuardedRequest,
  { network, trace }: Pick<Asking, 'network' | 'trace'>,
  key: string | undefined,
): Promise<GuardedAnswer> {
  const lines = (headers: Record<string, string>): Header[] =>
    Object.entries(headers).map(([name, value]) => ({ name, value: covered(value, key).slice(0, 1000) }));
  if (trace) {
    const body = typeof outgoing.body === 'string' ? outgoing.body : '';
    trace.sent = { headers: lines(outgoing.headers ?? {}), body: covered(body, key).slice(0, shownBytes) };
  }
  const answer = await guardedRequest(network, outgoing);
  if (trace) {
    const body = covered(answer.body, key).replaceAll('\u0000', '\ufffd').slice(0, shownBytes).toWellFormed();
    trace.answered = { headers: lines(answer.headers), body };
  }
  return answer;
}

/** Why a detector could not tell, where something was thrown on the way. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) return { key: 'internal' };
  const { params } = error.details;
  return { key: error.code, ...(params ? { params } : {}) };
}
