import type pg from 'pg';
import { botJobs, startBots } from './bots/bots.runner.ts';
import { databaseJobs, startLockWatch } from './database/history.ts';
import { checkAddress } from './detection/block-check.public.ts';
import { detectionJobs } from './detection/detection.jobs.ts';
import { startDetection } from './detection/detection.loop.ts';
import { blockCheckExport } from './detection/lists/lists.export.ts';
import { domainCheckKind, startDomainChecks } from './domains/domains.jobs.ts';
import { startRegistrations } from './domains/registrations/registrations.ts';
import { domainResolutionExport, domainZoneKind } from './domains/resolution/domain-resolution.export.ts';
import { failoverJobs, startFailover } from './failover/failover.jobs.ts';
import { exportKinds } from './jobs/exports.ts';
import { operationJobs } from './jobs/operations.jobs.ts';
import { startOperations } from './jobs/operations.runner.ts';
import type { Log } from './kit/calls/context.ts';
import type { RecurringJob } from './kit/jobs/jobs.ts';
import type { OperationKind } from './kit/jobs/operations.ts';
import { setLocales } from './kit/messages/messages.ts';
import { type GuardedNetwork, guardNetwork } from './kit/network/guarded-network.ts';
import type { Bus } from './kit/postgres/bus.ts';
import { openDatabase } from './kit/postgres/database.ts';
import type { ExportSource } from './kit/rows/exports.ts';
import type { Vault } from './kit/vault.ts';
import { readLanguages } from './languages/languages.public.ts';
import { ledgerJobs } from './ledger/ledger.jobs.ts';
import { codeImportKind } from './live-codes/import/import.run.ts';
import { codeExport } from './live-codes/list/export.ts';
import { startRenewal } from './live-codes/renewal/renewal.public.ts';
import { domainReplaceKinds } from './live-codes/replacement/domain-replacement.jobs.ts';
import { logExport } from './logs/logs.export.ts';
import { logJobs } from './logs/logs.jobs.ts';
import { clearLogKind } from './logs/logs.remove.ts';
import { startLogSealer } from './logs/logs.seal.ts';
import { productExport } from './mall/products.export.ts';
import { purchaseExport } from './mall/purchases.ts';
import { messageJobs } from './messages/messages.jobs.ts';
import { monitorJobs } from './monitor/alarms.ts';
import { heartbeatJobs } from './monitor/heartbeat.ts';
import { quotaJobs } from './orders/keeping.ts';
import { membershipJobs } from './orders/membership-notices.ts';
import { shareJobs } from './orders/shares.jobs.ts';
import { pushJobs, startPushes } from './pushes/pushes.runner.ts';
import { serverJobs, startServerChecks } from './servers/checks.ts';
import { scriptRunKind } from './servers/runs/run.operation.ts';
import { scheduleJobs } from './servers/schedules/script-schedule.jobs.ts';
import { stalledJobs } from './tron/deposits/stalled.ts';
import { startWatcher } from './tron/deposits/watcher.ts';
import { tronKinds } from './tron/tron.operations.ts';
import { startSending } from './tron/tron.sending.ts';
import { readingJobs } from './tron/wallets/readings.ts';
import { createStorages } from './uploads/storages/storage.ts';
import { openPictureTaker } from './uploads/storing.public.ts';
import { uploadJobs } from './uploads/uploads.jobs.ts';
import { accessRecordsExport } from './visits/access-records.public.ts';
import { startWebhooks, webhookJobs } from './webhooks/webhooks.runner.ts';
import { startPayoutVerifier } from './withdrawals/withdrawals.verifying.ts';

/** Every list that can be exported as a whole. */
export const exportSources: readonly ExportSource[] = [
  domainResolutionExport,
  logExport,
  codeExport,
  blockCheckExport,
  accessRecordsExport,
  productExport,
  purchaseExport,
];

/** Operations that stay within the site. */
const innerKinds = (vault: Vault): OperationKind[] => [
  ...exportKinds(exportSources),
  clearLogKind(vault),
  codeImportKind,
  domainZoneKind,
  ...domainReplaceKinds,
];
const outwardKinds = (vault: Vault, network: GuardedNetwork): OperationKind[] => [
  domainCheckKind(network),
  ...tronKinds({ vault, network }),
];

/** Every kind of async operation. */
export const operationKinds = (vault: Vault, network: GuardedNetwork = guardNetwork([])): OperationKind[] => [
  ...innerKinds(vault),
  ...outwardKinds(vault, network),
];

/** Kinds that may run for hours, and are no reason for others to wait. */
export const longOperationKinds = (means: Parameters<typeof scriptRunKind>[0]): OperationKind[] => [scriptRunKind(means)];

type Options = {
  pool: pg.Pool;
  bus: Bus;
  dataDir: string;
  vault: Vault;
  log: Log;
  allowedNetworks: readonly string[];
  serverNetworks: readonly string[];
};
type JobOptions = Pick<Options, 'pool' | 'dataDir' | 'vault'>;
type OutwardJobOptions = Omit<Options, 'bus' | 'serverNetworks'>;

/** The administration's work that comes round by the clock, and stays within the site. */
export function administrationJobs({ pool, dataDir, vault }: JobOptions): RecurringJob[] {
  const db = openDatabase(pool);
  return [
    ...failoverJobs(pool),
    ...operationJobs(db, dataDir),
    ...logJobs(pool, vault),
    ...messageJobs(db),
    ...webhookJobs(pool),
    ...botJobs(pool),
    ...detectionJobs(pool),
    ...pushJobs(pool),
    ...ledgerJobs(pool),
    ...membershipJobs(pool),
    ...quotaJobs(pool),
    ...shareJobs(pool),
    ...monitorJobs(pool),
    ...databaseJobs(pool),
    ...serverJobs(db),
  ];
}

/** What comes round by the clock and reaches outside: other people's servers, or those that the original of a restored copy shares with it. */
export function outwardJobs({ pool, dataDir, vault, log, allowedNetworks }: OutwardJobOptions): RecurringJob[] {
  const network = guardNetwork(allowedNetworks);
  return [
    ...uploadJobs(openDatabase(pool), createStorages({ dataDir, vault, network }), log),
    ...readingJobs({ pool, vault, network }),
    ...stalledJobs(pool),
    ...scheduleJobs(pool, vault),
    ...heartbeatJobs(pool, network),
  ];
}

const stopAll = async (loops: readonly { stop: () => Promise<void> }[]): Promise<void> => {
  await Promise.all(loops.map((loop) => loop.stop()));
};

/** What an operation writes for its user is in the words of the moment at which it begins. */
const inWords =
  (pool: pg.Pool) =>
  (kind: OperationKind): OperationKind => ({
    ...kind,
    async run(input, job) {
      setLocales(await readLanguages(pool));
      return kind.run(input, job);
    },
  });

/** What a worker does all the time within the site: operations that users asked for, the seal of the log, failover, the watch over locks. */
export function startAdministration({ pool, bus, dataDir, vault, log }: Pick<Options, 'pool' | 'bus' | 'dataDir' | 'vault' | 'log'>) {
  const loops = [
    startOperations({ pool, bus, dataDir, kinds: innerKinds(vault).map(inWords(pool)), log }),
    startLogSealer({ pool, vault, log }),
    startFailover({ pool, bus, log }),
    startLockWatch(pool, log),
  ];
  return { stop: () => stopAll(loops) };
}

/** What a worker does all the time towards the outside: checks, detection, webhooks, pushes, bots, payments, scripts. */
export function startOutwardAdministration({ pool, bus, dataDir, vault, log, allowedNetworks, serverNetworks }: Options) {
  const network = guardNetwork(allowedNetworks);
  const means = { pool, bus, network, vault, log };
  const serverMeans = { db: openDatabase(pool), vault, network: guardNetwork([...allowedNetworks, ...serverNetworks]) };
  const operationsOf = (kinds: readonly OperationKind[], concurrency: number) =>
    startOperations({ pool, bus, dataDir, kinds: kinds.map(inWords(pool)), log, concurrency });
  const taker = openPictureTaker({ db: openDatabase(pool), dataDir, vault, network, log });
  const loops = [
    operationsOf(outwardKinds(vault, network), 2),
    startDomainChecks({ pool, bus, network, log }),
    startRegistrations({ pool, bus, network, log }),
    startWebhooks(means),
    startBots({ ...means, checkUrl: checkAddress, takePicture: startRenewal(taker) }),
    startDetection(means),
    startPushes(means),
    startWatcher(means),
    startSending(means),
    operationsOf(longOperationKinds(serverMeans), 4),
    startServerChecks({ ...serverMeans, bus, log }),
    startPayoutVerifier(means),
  ];
  return {
    async stop() {
      await stopAll(loops);
      taker.close();
    },
  };
}
