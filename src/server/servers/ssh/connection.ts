import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import ssh2, { type Client, type ConnectConfig } from 'ssh2';
import { AppError } from '../../kit/calls/errors.ts';
import { guardedConnect } from '../../kit/network/guarded-connect.ts';
import { type GuardedNetwork, RefusedAddress } from '../../kit/network/guarded-network.ts';

const loginMilliseconds = 15_000;
const keepaliveMilliseconds = 10_000;

export type Credentials = { private_key?: string | undefined; passphrase?: string | undefined; ssh_password?: string | undefined };
export type HostKey = { fingerprint: string; type: string };
export type Target = {
  host: string;
  port: number;
  ssh_user: string;
  /** The fingerprint of the pinned host key; null: whatever the host shows is met for the first time. */
  host_key: string | null;
  credentials: Credentials;
};
export type Connection = { client: Client; hostKey: HostKey; close: () => void };

/** The host showed another key than the pinned one. */
export class HostKeyChanged extends AppError {
  readonly offered: HostKey;
  constructor(host: string, pinned: string, offered: HostKey) {
    super(409, 'server_list.key_changed', { params: { host, pinned, offered: offered.fingerprint } });
    this.offered = offered;
  }
}

/** As `ssh-keygen -l` tells a key: the hash of its wire form, and the kind that its first field names. */
export function hostKeyOf(key: Buffer): HostKey {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  const type = key
    .subarray(4, 4 + Math.min(length, 64))
    .toString('latin1')
    .replace(/[^\w@.-]/g, '');
  return { fingerprint: `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`, type };
}

const loginOf = ({ private_key, passphrase, ssh_password }: Credentials): Partial<ConnectConfig> => ({
  ...(private_key ? { privateKey: private_key } : {}),
  ...(private_key && passphrase ? { passphrase } : {}),
  // Some servers ask for a password only by questions.
  ...(ssh_password ? { password: ssh_password, tryKeyboard: true } : {}),
});

/**
 * Logs in over SSH. The host's key is compared before anything of ours is sent; nothing is forwarded, no agent is asked. Whoever gets the
 * connection closes it.
 * @throws `server_list.key_changed`, `server_list.login_refused`, or `outgoing.*` where the host may not or cannot be reached
 */
export async function openConnection(network: GuardedNetwork, target: Target, signal?: AbortSignal): Promise<Connection> {
  const { host, port, host_key, ssh_user, credentials } = target;
  try {
    signal?.throwIfAborted();
    return await logIn(await guardedConnect(network, { host, port, signal }));
  } catch (error) {
    throw signal?.aborted ? signal.reason : failureOf(error, host);
  }

  function logIn(sock: Socket): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const client = new ssh2.Client();
      let shown: HostKey | undefined;
      let refusal: Error | undefined;
      const abort = () => sock.destroy();
      const fail = (error: Error) => {
        signal?.removeEventListener('abort', abort);
        sock.destroy();
        reject(refusal ?? error);
      };
      signal?.addEventListener('abort', abort);
      // After the login there is always somebody who hears of a lost connection by its `close`.
      client.on('error', fail);
      client.on('close', () => fail(new Error('closed')));
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
        answer(prompts.map(() => credentials.ssh_password ?? '')),
      );
      client.once('ready', () => {
        signal?.removeEventListener('abort', abort);
        if (!shown) return fail(new Error('the host showed no key'));
        resolve({ client, hostKey: shown, close: () => client.destroy() });
      });
      client.connect({
        sock,
        username: ssh_user,
        readyTimeout: loginMilliseconds,
        keepaliveInterval: keepaliveMilliseconds,
        keepaliveCountMax: 3,
        hostVerifier: (key: Buffer) => {
          shown = hostKeyOf(key);
          if (host_key === null || host_key === shown.fingerprint) return true;
          refusal = new HostKeyChanged(host, host_key, shown);
          return false;
        },
        ...loginOf(credentials),
      });
    });
  }
}

function failureOf(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedAddress) return new AppError(400, 'outgoing.refused_address', { params: { host } });
  const { level, code, message } = error as Error & { level?: string; code?: string };
  if (level === 'client-authentication') return new AppError(502, 'server_list.login_refused', { params: { host } });
  if (level === 'client-timeout' || code === 'ETIMEDOUT') return new AppError(504, 'outgoing.timeout', { params: { host } });
  const reason = (code ?? message).replaceAll('\0', '').slice(0, 100);
  return new AppError(502, 'outgoing.failed', { params: { host, reason } });
}
