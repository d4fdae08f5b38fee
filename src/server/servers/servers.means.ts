import { and, eq, isNull, sql } from 'drizzle-orm';
import ssh2 from 'ssh2';
import { type AppError, invalidField } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { type StoredServer, server } from './server-list.table.ts';
import { type Connection, type Credentials, HostKeyChanged, openConnection } from './ssh/connection.ts';

/** What servers are reached with. */
export type Means = { db: Database; vault: Vault; network: GuardedNetwork };

/** The label that a server's key or password is sealed under. */
export const credentialsLabel = (id: number): string => `server credentials:${id}`;
export const sealCredentials = (vault: Vault, id: number, credentials: Credentials): Buffer =>
  vault.seal(Buffer.from(JSON.stringify(credentials)), credentialsLabel(id));
const openCredentials = (vault: Vault, { id, credentials }: StoredServer): Credentials =>
  credentials ? (JSON.parse(vault.open(credentials, credentialsLabel(id)).toString()) as Credentials) : {};

/** What was typed to log in with, where it can be used; undefined where nothing was typed. */
export function credentialsOf(
  auth: StoredServer['auth'],
  { private_key = '', passphrase = '', ssh_password = '' }: Credentials,
): Credentials | undefined {
  if (auth === 'password') return ssh_password === '' ? undefined : { ssh_password };
  if (private_key.trim() === '') return undefined;
  // Keys end with a line break; what is pasted often does not.
  const text = `${private_key.trim().replaceAll('\r\n', '\n')}\n`;
  const parsed = ssh2.utils.parseKey(text, passphrase);
  if (parsed instanceof Error) throw keyFault(parsed, passphrase);
  const keys = Array.isArray(parsed) ? parsed : [parsed];
  if (!keys.some((key) => key.isPrivateKey())) throw invalidField('private_key', 'private_key');
  return { private_key: text, ...(passphrase === '' ? {} : { passphrase }) };
}

function keyFault({ message }: Error, passphrase: string): AppError {
  if (!/passphrase|integrity|decrypt/i.test(message)) return invalidField('private_key', 'private_key');
  return invalidField('passphrase', passphrase === '' ? 'required' : 'passphrase');
}

/**
 * Connects to a server. The first connection ever pins the host key that it met; another one at the same moment may have pinned first,
 * and its key counts.
 */
export async function connectTo({ db, vault, network }: Means, row: StoredServer, signal?: AbortSignal): Promise<Connection> {
  const { host, port, ssh_user, host_key } = row;
  const target = { host, port, ssh_user, host_key, credentials: openCredentials(vault, row) };
  const connection = await openConnection(network, target, signal).catch(async (error: unknown) => {
    if (error instanceof HostKeyChanged) await noteOffered(db, row, error.offered.fingerprint);
    throw error;
  });
  if (host_key === null) await pinFirst(db, row, connection);
  else if (row.host_key_type === null) await noteType(db, row, connection.hostKey.type);
  return connection;
}

async function pinFirst(db: Database, row: StoredServer, connection: Connection): Promise<void> {
  const { fingerprint, type } = connection.hostKey;
  const isSame = and(eq(server.id, row.id), eq(server.host, row.host), eq(server.port, row.port));
  const { rowCount } = await db
    .update(server)
    .set({ host_key: fingerprint, host_key_type: type, host_key_at: sql`now()` as never, offered_key: null })
    .where(and(isSame, isNull(server.host_key)));
  if (rowCount === 1) return;
  const [present] = await db.select({ host_key: server.host_key }).from(server).where(isSame);
  if (present?.host_key === fingerprint) return;
  connection.close();
  throw new HostKeyChanged(row.host, present?.host_key ?? '', connection.hostKey);
}

/** Of a key that was accepted by its fingerprint alone. */
const noteType = (db: Database, { id, host_key }: StoredServer, host_key_type: string) =>
  db
    .update(server)
    .set({ host_key_type })
    .where(and(eq(server.id, id), eq(server.host_key, host_key ?? '')));

/** Kept to be shown and, deliberately, accepted. */
const noteOffered = (db: Database, { id, host_key }: StoredServer, offered: string) =>
  db
    .update(server)
    .set({ offered_key: offered })
    .where(and(eq(server.id, id), eq(server.host_key, host_key ?? '')));
