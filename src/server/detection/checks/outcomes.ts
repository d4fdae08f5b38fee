import type { BeatState } from '../../../contract/detection/domain-monitor.ts';
import { blockStatus } from '../../../contract/enums.ts';
import type { Settings } from '../../../contract/settings.ts';
import { mayAsk } from '../detectors/detector.ts';
import { digestOf, type StoredFinding } from '../detectors/findings.ts';
import { knowsMessengers, type ReadyDetector } from '../detectors/open-detectors.ts';
import type { Looked } from './asking-all.ts';
import type { ClaimedMonitor } from './claims.ts';
import { type BlockStatus, judge, type Known, type Rules, type Voice } from './verdict.ts';

/** What a check of a watched address comes to. */
export type Outcome = {
  monitor: ClaimedMonitor;
  url: string;
  before: BlockStatus | null;
  status: BlockStatus | null;
  /** Null where nobody was asked: then nothing was found, and nothing is counted. */
  state: BeatState | null;
  known: Omit<Known, 'status'>;
  disputed: boolean;
  findings: StoredFinding[];
  /** Hexadecimal. */
  digest: string;
  latency_ms: number | null;
  /** Until the next check. */
  seconds: number;
};

type Judging = {
  settings: Settings;
  detectors: readonly ReadyDetector[];
  /** Seconds between two checks of each monitor, by its id. */
  intervals: ReadonlyMap<number, number>;
  now: Date;
  random?: () => number;
};

/** An address for which there was no turn with a detector is looked at again soon. */
const retrySeconds = 15;
const jitter = 0.1;
/** What detectors said counts for some intervals, and at least so long. */
const freshIntervals = 2.5;
const minFreshSeconds = 180;

export const voicesOf = (findings: readonly StoredFinding[]): Voice[] =>
  findings.flatMap(({ detector_id, kind, answer }) => (detector_id !== null && knowsMessengers(kind) ? [{ detector_id, answer }] : []));

export function rulesFor(host: string, intervalSeconds: number, { settings, detectors }: Pick<Judging, 'settings' | 'detectors'>): Rules {
  const known = detectors.filter(({ config }) => knowsMessengers(config.kind) && mayAsk(config, host, { settings }));
  return {
    detectors: known.map(({ id, weight }) => ({ id, weight })),
    confirmations: settings.confirmations,
    again_ms: settings.confirmation_seconds * 1000,
    fresh_ms: Math.max(minFreshSeconds, freshIntervals * intervalSeconds) * 1000,
  };
}

/** Judges what was found about a watched address. */
export function outcomeOf(monitor: ClaimedMonitor, { url, findings, refused }: Looked, judging: Judging): Outcome {
  const { settings, intervals, now, random = Math.random } = judging;
  const interval = intervals.get(monitor.id) ?? settings.monitor_seconds;
  const before: Known = { status: monitor.block_status, opinions: {}, untold: 0, ...monitor.pending };
  const voices = voicesOf(findings);
  const verdict = judge(before, voices, rulesFor(monitor.host, interval, judging), now.getTime());
  const { status, ...known } = verdict.known;
  const state = findings.length === 0 ? null : stateOf(monitor, { findings, status, told: voices.length > 0 ? verdict.state : undefined });
  const spread = (seconds: number) => seconds * (1 + jitter * (2 * random() - 1));
  // Answers count anew only when they are far enough apart: not a moment sooner.
  const soon = settings.confirmation_seconds + 1 + random();
  const seconds = findings.length === 0 && refused.has('pace') ? Math.min(interval, retrySeconds) : interval;
  return {
    monitor,
    url,
    before: monitor.block_status,
    status,
    state,
    known,
    disputed: verdict.disputed,
    findings,
    digest: state === null ? '' : digestOf(status ?? 0, state, findings).toString('hex'),
    latency_ms: latencyOf(findings),
    seconds: verdict.is_open ? Math.min(spread(seconds), soon) : spread(seconds),
  };
}

type Seen = { findings: readonly StoredFinding[]; status: BlockStatus | null; told: Exclude<BeatState, 'down'> | undefined };

/** What the bar of a check shows: the messenger's verdict, unless the domain itself does not answer. */
function stateOf({ suspected_since }: ClaimedMonitor, { findings, status, told }: Seen): BeatState {
  const ofMessenger = told ?? (status === blockStatus.blocked ? 'blocked' : 'normal');
  const isDown = findings.some(({ answer }) => answer === 'down');
  if (isDown && (ofMessenger === 'normal' || ofMessenger === 'failed')) return 'down';
  return ofMessenger === 'normal' && suspected_since !== null ? 'suspected' : ofMessenger;
}

/** The median of those who answered: of detectors that know messengers, or else of the others. */
function latencyOf(findings: readonly StoredFinding[]): number | null {
  const answered = findings.filter(({ answer }) => answer !== 'failed');
  const telling = answered.filter(({ kind }) => knowsMessengers(kind));
  const times = (telling.length > 0 ? telling : answered).map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? null;
}
