import type { ChildProcess } from 'node:child_process';
import type { Server } from 'node:net';
import { askChild, hasKey } from '../ask-child.ts';

/**
 * A port that is listened on, as Node passes it between processes. Nobody takes connections from it where it only passes through: they wait
 * in it, and none is refused, while the process that answers them is exchanged.
 */
export interface Listener {
  close(): void;
}

/** Tells a process that it is sent what it is to listen on. */
export const listenerEnv = 'LIVECODE_LISTENER';

const maxWaitMilliseconds = 10_000;

/** Sends a listener to another process, and keeps none of it here: connections would wait for a process that takes none. */
export function sendListener(to: Pick<ChildProcess, 'send'>, listener: Listener, message: object = { listener: true }): void {
  // Node's types know servers and sockets only; it sends their handles as well, which take no connections on their way.
  to.send(message, listener as unknown as Server, () => listener.close());
}

/** Asks a child for what it listens on, which then stops as on a signal. Undefined where it listens on nothing, or does not answer. */
export const listenerFrom = async (child: ChildProcess): Promise<Listener | undefined> =>
  (await askChild(child, { listener_wanted: true }, 'listener', maxWaitMilliseconds)) as Listener | undefined;

/** In a process that is sent what it is to listen on; to be called before anything is awaited, as no message waits for long. */
export function givenListener(): Promise<Listener> | undefined {
  if (!process.env[listenerEnv] || !process.send) return undefined;
  return new Promise((resolve) => {
    const hear = (message: unknown, handle: unknown) => {
      if (!hasKey(message, 'listener')) return;
      process.off('message', hear);
      resolve(handle as Listener);
    };
    process.on('message', hear);
  });
}

/** In a child: gives away what it listens on when it is asked to, and stops. */
export function giveListener(server: Server, stop: () => void): void {
  process.on('message', (message) => {
    if (!hasKey(message, 'listener_wanted')) return;
    const handle: Server | null = server.listening ? Reflect.get(server, '_handle') : null;
    process.send?.({ listener: handle !== null }, handle ?? undefined, {}, () => stop());
  });
}
