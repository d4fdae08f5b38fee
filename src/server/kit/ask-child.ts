import type { ChildProcess } from 'node:child_process';

/** Whether a message between processes is the one that has this key. */
export const hasKey = (message: unknown, key: string): boolean => typeof message === 'object' && message !== null && key in message;

/**
 * Asks a child something, and waits for the message that has the answer's key.
 * @returns the handle that comes with the answer; undefined where none does, where the child ends, or does not answer in time
 */
export function askChild(child: ChildProcess, question: object, answerKey: string, milliseconds: number): Promise<unknown> {
  return new Promise((resolve) => {
    const settle = (handle: unknown) => {
      clearTimeout(timer);
      child.off('message', hear);
      child.off('exit', settleEmpty);
      resolve(handle);
    };
    const settleEmpty = () => settle(undefined);
    const hear = (message: unknown, handle: unknown) => {
      if (hasKey(message, answerKey)) settle(handle);
    };
    const timer = setTimeout(settleEmpty, milliseconds);
    child.on('message', hear);
    child.once('exit', settleEmpty);
    child.send(question, (error) => error && settleEmpty());
  });
}
