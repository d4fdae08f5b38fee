import type pg from 'pg';
import { botJobs, startBots } from './bots/bots.runner.ts';
import { checkAddress } from './detection/block-check.public.ts';
import { detectionJobs } from './detection/detection.jobs.ts';
import { startDetection } from './detection/detection.loop.ts';
import { blockCheckExport } from './detection/lists/lists.export.ts';
import { domainCheckKind, startDomainChecks } from './domains/domains.jobs.ts';
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
import { domainReplaceKinds } from './live-codes/replacement/domain-replacement.jobs.ts';
import { logExport } from './logs/logs.export.ts';
import { logJobs } from './logs/logs.jobs.ts';
import { clearLogKind } from './logs/logs.remove.ts';
import { startLogSealer } from './logs/logs.seal.ts';
import { productExport } from './mall/products.export.ts';
import { purchaseExport } from './mall/purchases.ts';
import { messageJobs } from './messages/messages.jobs.ts';
import { monitorJobs } from './monitor/alarms.ts';
import { membershipJobs } from './orders/membership-notices.ts';
import { pushJobs, startPushes } from './pushes/pushes.runner.ts';
import { serverJobs, startServerChecks } from './servers/checks.ts';
import { scriptRunKind } from './servers/runs/run.operation.ts';
import { scheduleJobs } from './servers/schedules/script-schedule.jobs.ts';
import { startWatcher } from './tron/deposits/watcher.ts';
import { tronKinds } from './tron/tron.operations.ts';
import { startSending } from './tron/tron.sending.ts';
import { readingJobs } from './tron/wallets/readings.ts';
import { createStorages } from './uploads/storages/storage.ts';
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

/** Every kind of async operation. */
export const operationKinds = (vault: Vault, network: GuardedNetwork = guardNetwork([])): OperationKind[] => [
  ...exportKinds(exportSources),
  clearLogKind(vault),
  codeImportKind,
  domainCheckKind(network),
  domainZoneKind,
  ...domainReplaceKinds,
  ...tronKinds({ vault, network }),
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
type JobOptions = Omit<Options, 'bus' | 'serverNetworks'>;

/** The administration's work that comes round by the clock. */
export function administrationJobs({ pool, dataDir, vault, log, allowedNetworks }: JobOptions): RecurringJob[] {
  const db = openDatabase(pool);
  const network = guardNetwork(allowedNetworks);
  const storages = createStorages({ dataDir, vault, network });
  return [
    ...failoverJobs(pool),
    ...operationJobs(db, dataDir),
    ...logJobs(pool, vault),
    ...messageJobs(db),
    ...uploadJobs(db, storages, log),
    ...webhookJobs(pool),
    ...botJobs(pool),
    ...detectionJobs(pool),
    ...pushJobs(pool),
    ...ledgerJobs(pool),
    ...readingJobs({ pool, vault, network }),
    ...membershipJobs(pool),
    ...monitorJobs(pool),
    ...serverJobs(db),
    ...scheduleJobs(pool),
  ];
}

/** What a worker does all the time: operations that users asked for, the seal of the log, checks, failover, webhooks, pushes and bots. */
export function startAdministration({ pool, bus, dataDir, vault, log, allowedNetworks, serverNetworks }: Options): {
  stop: () => Promise<void>;
} {
  // What an operation writes for its user is in the words of the moment at which it begins.
  const network = guardNetwork(allowedNetworks);
  const inWords = (kind: OperationKind): OperationKind => ({
    ...kind,
    async run(input, job) {
      setLocales(await readLanguages(pool));
      return kind.run(input, job);
    },
  });
  const kinds = operationKinds(vault, network).map(inWords);
  const serverMeans = { db: openDatabase(pool), vault, network: guardNetwork([...allowedNetworks, ...serverNetworks]) };
  const operations = startOperations({ pool, bus, dataDir, kinds, log });
  const sealer = startLogSealer({ pool, vault, log });
  const domainChecks = startDomainChecks({ pool, bus, network, log });
  const failover = startFailover({ pool, bus, log });
  const webhooks = startWebhooks({ pool, bus, network, vault, log });
  const bots = startBots({ pool, bus, network, vault, log, checkUrl: checkAddress });
  const detection = startDetection({ pool, bus, network, vault, log });
  const pushes = startPushes({ pool, bus, network, vault, log });
  const payments = startWatcher({ pool, bus, network, vault, log });
  const sending = startSending({ pool, bus, network, vault, log });
  const scripts = startOperations({ pool, bus, dataDir, kinds: longOperationKinds(serverMeans).map(inWords), log, concurrency: 4 });
  const servers = startServerChecks({ ...serverMeans, bus, log });
  const payouts = startPayoutVerifier({ pool, bus, network, vault, log });
  return {
    async stop() {
      const loops = [
        operations,
        sealer,
        domainChecks,
        failover,
        webhooks,
        bots,
        detection,
        pushes,
        payments,
        sending,
        payouts,
        servers,
        scripts,
      ];
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
