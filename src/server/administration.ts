import type pg from 'pg';
import { exportKinds } from './jobs/exports.ts';
import { operationJobs } from './jobs/operations.jobs.ts';
import { startOperations } from './jobs/operations.runner.ts';
import type { Log } from './kit/context.ts';
import { openDatabase } from './kit/database.ts';
import type { ExportSource } from './kit/exports.ts';
import { guardNetwork } from './kit/guarded-network.ts';
import type { RecurringJob } from './kit/jobs.ts';
import { speak } from './kit/messages.ts';
import type { OperationKind } from './kit/operations.ts';
import type { Vault } from './kit/vault.ts';
import { readLanguages } from './languages/languages.reads.ts';
import { logExport } from './logs/logs.export.ts';
import { logJobs } from './logs/logs.jobs.ts';
import { clearLogKind } from './logs/logs.remove.ts';
import { startLogSealer } from './logs/logs.seal.ts';
import { messageJobs } from './messages/messages.jobs.ts';
import { createStorages } from './uploads/storage.ts';
import { uploadJobs } from './uploads/uploads.jobs.ts';

/** Every list that can be exported as a whole. */
const exportSources: readonly ExportSource[] = [logExport];

/** Every kind of async operation. */
export const operationKinds = (vault: Vault): OperationKind[] => [...exportKinds(exportSources), clearLogKind(vault)];

type Options = { pool: pg.Pool; url: string; dataDir: string; vault: Vault; log: Log };
type JobOptions = Pick<Options, 'pool' | 'dataDir' | 'vault' | 'log'> & { allowedNetworks: readonly string[] };

/** The administration's work that comes round by the clock. */
export function administrationJobs({ pool, dataDir, vault, log, allowedNetworks }: JobOptions): RecurringJob[] {
  const db = openDatabase(pool);
  const storages = createStorages({ dataDir, vault, network: guardNetwork(allowedNetworks) });
  return [...operationJobs(db, dataDir), ...logJobs(pool, vault), ...messageJobs(db), ...uploadJobs(db, storages, log)];
}

/** What a worker does all the time: operations that users asked for, and the seal of the log. */
export function startAdministration({ pool, url, dataDir, vault, log }: Options): { stop: () => Promise<void> } {
  // What an operation writes for its user is in the words of the moment at which it begins.
  const kinds = operationKinds(vault).map(
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
  return {
    async stop() {
      await Promise.all([operations.stop(), sealer.stop()]);
    },
  };
}
