import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../../contract/settings.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { ask, mayAsk } from '../detectors/detector.ts';
import type { StoredFinding } from '../detectors/findings.ts';
import { takeProbes } from '../detectors/health.ts';
import { type Budgets, takeTurns } from '../detectors/limits.ts';
import { knowsMessengers, type ReadyDetector } from '../detectors/open-detectors.ts';
import { addressOf, besideOf } from '../monitors/addresses.ts';
import type { Portion } from './claims.ts';
import type { Semaphore } from './semaphore.ts';

export type Equipment = {
  db: Database;
  network: GuardedNetwork;
  settings: Settings;
  /** Those that are switched on. */
  detectors: readonly ReadyDetector[];
  budgets: Budgets;
  semaphore: Semaphore;
  now: () => Date;
  signal: AbortSignal;
};

/** What became of one address of a portion: the findings, and for whom of the detectors there was no turn. */
export type Looked = {
  id: number;
  url: string;
  host: string;
  is_registered: boolean;
  /** Asked about as well, and blocked as soon as either is. */
  beside: string | null;
  findings: StoredFinding[];
  refused: Set<'pace' | 'budget'>;
};

/** Asks about every address of a portion each detector that may be asked and has a turn left, many at once. */
export async function askAll(portion: Portion, equipment: Equipment): Promise<Looked[]> {
  const { settings, detectors } = equipment;
  const looked = portion.rows.map((row): Looked => {
    const is_registered = portion.kind === 'monitors' && row.url === null;
    const url = row.url ?? addressOf(row.host, settings.visit_scheme);
    return {
      id: row.id,
      url,
      beside: settings.check_links ? besideOf(url, row.printed ?? null) : null,
      host: row.host,
      is_registered,
      findings: [],
      refused: new Set(),
    };
  });
  const users = new Map(portion.rows.map(({ id, user_id }) => [id, user_id]));
  // Lists ask what messengers do; whether the domain answers, they do not.
  const wanted = portion.kind === 'urls' ? detectors.filter(({ config }) => knowsMessengers(config.kind)) : detectors;
  const working = await workingOf(wanted, equipment);
  await Promise.all(working.map((detector) => askDetector(detector, looked, users, equipment)));
  const place = new Map(wanted.map(({ id }, index) => [id, index]));
  for (const { findings } of looked) findings.sort((a, b) => (place.get(a.detector_id ?? 0) ?? 0) - (place.get(b.detector_id ?? 0) ?? 0));
  return looked;
}

type Working = ReadyDetector & { is_probe: boolean };

/** Those that work, and of those that were switched off for long enough the ones that this worker may try once. */
async function workingOf(detectors: readonly ReadyDetector[], { db, now }: Equipment): Promise<Working[]> {
  const moment = now().getTime();
  const isOver = ({ stopped_until }: ReadyDetector) => stopped_until !== null && Date.parse(stopped_until) <= moment;
  const probes = await takeProbes(
    db,
    detectors.filter(isOver).map(({ id }) => id),
  );
  return detectors.flatMap((detector): Working[] => {
    if (detector.stopped_until === null) return [{ ...detector, is_probe: false }];
    return probes.has(detector.id) ? [{ ...detector, is_probe: true }] : [];
  });
}

type Users = ReadonlyMap<number, number>;

async function askDetector(detector: Working, looked: readonly Looked[], users: Users, equipment: Equipment) {
  const { settings } = equipment;
  const allowed = looked.filter(({ host }) => mayAsk(detector.config, host, { settings }));
  const asked = detector.is_probe ? allowed.slice(0, 1) : allowed;
  await askEach(detector, asked, users, equipment, (address, found) => {
    if ('refused' in found) address.refused.add(found.refused);
    else address.findings.push(found);
  });
  if (detector.is_probe || !knowsMessengers(detector.config.kind)) return;
  // Only where it was told to be normal: what is blocked or not known already stays so.
  const isNormal = ({ findings }: Looked) => findings.some(({ detector_id, answer }) => detector_id === detector.id && answer === 'normal');
  const beside = asked.flatMap((address) => (address.beside !== null && isNormal(address) ? { ...address, url: address.beside } : []));
  await askEach(detector, beside, users, equipment, ({ findings }, found) => {
    if ('refused' in found || found.answer !== 'blocked') return;
    // The list of findings is the address's own.
    findings.splice(
      findings.findIndex(({ detector_id }) => detector_id === detector.id),
      1,
      found,
    );
  });
}

/** Asks about each address for which there is a turn, and hands over what was found, or why there was none. */
async function askEach(
  detector: Working,
  asked: readonly Looked[],
  users: Users,
  { db, budgets, settings, network, semaphore, now, signal }: Equipment,
  take: (address: Looked, found: StoredFinding | { refused: 'pace' | 'budget' }) => void,
) {
  if (asked.length === 0) return;
  const turns = await takeTurns(
    db,
    detector,
    asked.map(({ id }) => users.get(id) ?? 0),
    budgets,
  );
  await Promise.all(
    asked.map(async (address, index) => {
      const turn = turns[index] ?? { refused: 'pace' as const };
      if ('refused' in turn) return take(address, turn);
      if (turn.after_ms > 0) await delay(turn.after_ms, undefined, { signal }).catch(() => {});
      const finding = await semaphore.run(async () => (signal.aborted ? undefined : ask(detector, address, { network, settings, now })));
      if (finding) take(address, finding);
    }),
  );
}
