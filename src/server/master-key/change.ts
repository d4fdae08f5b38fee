import { sql } from 'drizzle-orm';
import { tokenLabel } from '../bots/api/client.ts';
import { keyLabel as detectorLabel } from '../detection/detectors/open-detectors.ts';
import { tryLock } from '../kit/data-folder-lock.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { StartError } from '../kit/start-error.ts';
import { adoptNextKey, createVault, isMasterKey, readMasterKey, readNextKey, replaceMasterKey, type Vault } from '../kit/vault.ts';
import { passwordLabel } from '../pushes/senders/mail.ts';
import { robotLabel } from '../pushes/senders/robots.ts';
import { runSecretsLabel, scheduleSecretsLabel } from '../servers/script.secrets.ts';
import { credentialsLabel } from '../servers/servers.means.ts';
import { keyLabel as platformLabel } from '../short-codes/url-key-platform.reads.ts';
import { rewrapKey } from '../tron/keys/envelope.ts';
import { apiKeyLabel } from '../tron/tron.means.ts';
import { secretLabel as storageLabel } from '../uploads/storages/storage.ts';
import { totpLabel } from '../users/login/second-factor.ts';
import { secretLabel as webhookLabel } from '../webhooks/webhooks.signature.ts';

type Reseal = (from: Vault, to: Vault, sealed: Buffer, key: number) => Buffer;
type Sealed = { table: string; key: string; column: string; reseal: Reseal };

const under =
  (label: (key: number) => string): Reseal =>
  (from, to, sealed, key) =>
    to.seal(from.open(sealed, label(key)), label(key));
/** A private key has a data key of its own: that alone is sealed anew. */
const envelope: Reseal = (from, to, sealed) => rewrapKey(from, to, sealed);

/** Everything that is sealed with the master key. A test finds what is missing here. */
export const sealedColumns: readonly Sealed[] = [
  { table: 'second_factor', key: 'user_id', column: 'secret', reseal: under(totpLabel) },
  { table: 'second_factor', key: 'user_id', column: 'pending_secret', reseal: under(totpLabel) },
  { table: 'image_config', key: 'id', column: 'access_key_secret', reseal: under(storageLabel) },
  { table: 'url_key_platform', key: 'id', column: 'key', reseal: under(platformLabel) },
  { table: 'webhook', key: 'id', column: 'secret', reseal: under(() => webhookLabel) },
  { table: 'detector', key: 'id', column: 'key', reseal: under(detectorLabel) },
  { table: 'mail_server', key: 'id', column: 'password', reseal: under(() => passwordLabel) },
  { table: 'push_channel', key: 'id', column: 'secret', reseal: under(() => robotLabel) },
  { table: 'telegram_bot', key: 'id', column: 'token', reseal: under(() => tokenLabel) },
  { table: 'pay_config', key: 'id', column: 'api_key', reseal: under(() => apiKeyLabel) },
  { table: 'server', key: 'id', column: 'credentials', reseal: under(credentialsLabel) },
  { table: 'script_run', key: 'id', column: 'secrets', reseal: under(runSecretsLabel) },
  { table: 'script_schedule', key: 'id', column: 'secrets', reseal: under(scheduleSecretsLabel) },
  { table: 'tron_seed', key: 'id', column: 'entropy', reseal: envelope },
  { table: 'tron_wallet', key: 'id', column: 'private_key', reseal: envelope },
];

const rowsAtOnce = 5_000;

async function resealColumn(tx: Database, { table, key, column, reseal }: Sealed, from: Vault, to: Vault): Promise<number> {
  const [own, id, sealed] = [sql.identifier(table), sql.identifier(key), sql.identifier(column)];
  const { rows } = await tx.execute<{ key: string; sealed: Buffer }>(
    sql`SELECT ${id}::text AS key, ${sealed} AS sealed FROM ${own} WHERE ${sealed} IS NOT NULL`,
  );
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const changed = rows
      .slice(at, at + rowsAtOnce)
      .map((row) => ({ key: row.key, sealed: reseal(from, to, row.sealed, Number(row.key)).toString('hex') }));
    await tx.execute(sql`
      UPDATE ${own} SET ${sealed} = decode(given.sealed, 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) AS given (key text, sealed text) WHERE ${own}.${id}::text = given.key`);
  }
  return rows.length;
}

export type ChangeOptions = {
  db: Database;
  dataDir: string;
  /** Of LIVECODE_MASTER_KEY, and what follows it; without, the key file is replaced. */
  configured?: { from: Buffer; to: Buffer } | undefined;
  /** Where tests break it off. */
  reached?: (point: 'prepared' | 'sealed' | 'committed') => void;
};

/**
 * Puts a new master key in the place of the old one. Everything is sealed anew in one transaction, and the new key lies in a file of its own
 * before: broken off at any moment and run again, it begins anew or ends what was begun.
 * @returns how many values were sealed anew; undefined where that had been done before
 * @throws {StartError} where the product runs, or the key is not the database's
 */
export async function changeMasterKey({ db, dataDir, configured, reached = () => {} }: ChangeOptions): Promise<number | undefined> {
  const release = tryLock(dataDir);
  if (!release) throw new StartError('Livecode runs, and would go on with the old key: stop it on all hosts first.');
  try {
    const from = configured?.from ?? readMasterKey(dataDir);
    const to = configured?.to ?? readNextKey(dataDir);
    reached('prepared');
    let number: number | undefined;
    if (!(await isMasterKey(db, to))) {
      if (!(await isMasterKey(db, from))) throw new StartError("The present master key is not this database's.");
      number = await transact(db, async (tx) => {
        let sum = 0;
        for (const column of sealedColumns) sum += await resealColumn(tx, column, createVault(from), createVault(to));
        await replaceMasterKey(tx, from, to);
        // What was said of the key before was said of another one.
        await tx.execute(sql`UPDATE backup_schedule SET key_kept_at = NULL`);
        reached('sealed');
        return sum;
      });
      reached('committed');
    }
    if (!configured) adoptNextKey(dataDir);
    return number;
  } finally {
    release();
  }
}
