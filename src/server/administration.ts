import type pg from 'pg';
import { domainCheckKind, domainJobs, startDomainChecks } from './domains/domains.jobs.ts';
import { domainResolutionExport, domainZoneKind } from './domains/resolution/domain-resolution.export.ts';
import { exportKinds } from './jobs/exports.ts';
import { operationJobs } from './jobs/operations.jobs.ts';
import { startOperations } from './jobs/operations.runner.ts';
import type { Log } from './kit/calls/context.ts';
import type { RecurringJob } from './kit/jobs/jobs.ts';
import type { OperationKind } from './kit/jobs/operations.ts';
import { speak } from './kit/messages/messages.ts';
import { type GuardedNetwork, guardNetwork } from './kit/network/guarded-network.ts';
import { openDatabase } from './kit/postgres/database.ts';
import type { ExportSource } from './kit/rows/exports.ts';
import type { Vault } from './kit/vault.ts';
import { readLanguages } from './languages/languages.public.ts';
import { codeImportKind } from './live-codes/import/import.run.ts';
import { codeExport } from './live-codes/list/export.ts';
import { domainReplaceKinds } from './live-codes/replacement/domain-replacement.jobs.ts';
import { logExport } from './logs/logs.export.ts';
import { logJobs } from './logs/logs.jobs.ts';
import { clearLogKind } from './logs/logs.remove.ts';
import { startLogSealer } from './logs/logs.seal.ts';
import { messageJobs } from './messages/messages.jobs.ts';
import { createStorages } from './uploads/storages/storage.ts';
import { uploadJobs } from './uploads/uploads.jobs.ts';
import { startWebhooks, webhookJobs } from './webhooks/webhooks.runner.ts';

/** Every list that can be exported as a whole. */
export const exportSources: readonly ExportSource[] = [domainResolutionExport, logExport, codeExport];

/** Every kind of async operation. */
export const operationKinds = (vault: Vault, network: GuardedNetwork = guardNetwork([])): OperationKind[] => [
  ...exportKinds(exportSources),
  clearLogKind(vault),
  codeImportKind,
  domainCheckKind(network),
  domainZoneKind,
  ...domainReplaceKinds,
];

type Options = { pool: pg.Pool; url: string; dataDir: string; vault: Vault; log: Log; allowedNetworks: readonly string[] };
type JobOptions = Omit<Options, 'url'>;

/** The administration's work that comes round by the clock. */
export function administrationJobs({ pool, dataDir, vault, log, allowedNetworks }: JobOptions): RecurringJob[] {
  const db = openDatabase(pool);
  const network = guardNetwork(allowedNetworks);
  const storages = createStorages({ dataDir, vault, network });
  return [
    ...operationJobs(db, dataDir),
    ...logJobs(pool, vault),
    ...messageJobs(db),
    ...uploadJobs(db, storages, log),
    ...domainJobs({ pool, network }),
    ...webhookJobs(pool),
  ];
}

/** What a worker does all the time: operations that users asked for, the seal of the log, checks of domains, and webhooks. */
export function startAdministration({ pool, url, dataDir, vault, log, allowedNetworks }: Options): { stop: () => Promise<void> } {
  // What an operation writes for its user is in the words of the moment at which it begins.
  const network = guardNetwork(allowedNetworks);
  const kinds = operationKinds(vault, network).map(
    (kind): OperationKind => ({
      ...kind,
      async run(input, job) {
        speak(await readLanguages(pool));
        return kind.run(input, job);
      },
    }),
  );
  const operations = startOperations({ pool, url, dataDir, kinds, log });
  const sealer = startLogSealer({ pool, vault, log });
  const domainChecks = startDomainChecks({ pool, url, network, log });
  const webhooks = startWebhooks({ pool, url, network, vault, log });
  return {
    async stop() {
      await Promise.all([operations.stop(), sealer.stop(), domainChecks.stop(), webhooks.stop()]);
    },
  };
}
