import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { GuardedNetwork } from './guarded-network.ts';

const defaultMilliseconds = 10_000;

type Peer = {
  host: string;
  port: number;
  /** For all of it, the look-up and the handshake included. */
  milliseconds?: number;
  /** Breaks it off, and ends the connection when it is aborted later. */
  signal?: AbortSignal | undefined;
};

/**
 * Connects to an address that a user typed in, if it may be reached, which is asked about at the moment of connecting. Whoever gets the
 * connection closes it, and listens for its errors.
 * @throws `RefusedAddress`, or an error with the system's `code`: `ETIMEDOUT` where it took too long
 */
export function guardedConnect(network: GuardedNetwork, peer: Peer): Promise<Socket>;
export function guardedConnect(network: GuardedNetwork, peer: Peer & { tls: ConnectionOptions }): Promise<TLSSocket>;
export async function guardedConnect(network: GuardedNetwork, peer: Peer & { tls?: ConnectionOptions }): Promise<Socket> {
  const { host, port, milliseconds = defaultMilliseconds, signal, tls } = peer;
  network.checkHost(`tcp://${host.includes(':') ? `[${host}]` : host}`);
  const to = { host, port, lookup: network.lookup, ...(signal ? { signal } : {}) };
  const socket = tls ? connectTls({ ...tls, ...to }) : connect(to);
  // A slow peer that goes on sending never meets a timeout of idleness.
  const timer = setTimeout(() => socket.destroy(failure('ETIMEDOUT')), milliseconds);
  return new Promise<Socket>((resolve, reject) => {
    socket.once(tls ? 'secureConnect' : 'connect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(failure('ECONNRESET')));
  }).finally(() => clearTimeout(timer));
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });
