import type { ChildProcess } from 'node:child_process';
import { mergeMetrics } from './metrics.ts';

/** What the supervisor and its children say to each other about metrics; each message holds one of these. */
type Message =
  | { metrics_wanted: number }
  | { metrics_own: number; text: string }
  | { metrics_asked: number }
  | { metrics_all: number; text: string };

const childMilliseconds = 1_500;
const allMilliseconds = 3_000;

const has = <K extends string>(message: unknown, key: K): message is Record<K, unknown> =>
  typeof message === 'object' && message !== null && key in message;

/**
 * In a child of the supervisor: answers it with this process's own metrics, and asks it for those of all. Without an answer, or a supervisor,
 * all is this process alone.
 */
export function shareMetrics(own: () => string | Promise<string>): { all: () => Promise<string> } {
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;
  const say = (message: Message) => void process.send?.(message, undefined, {}, () => {});
  process.on('message', (message: unknown) => {
    if (has(message, 'metrics_wanted')) {
      const id = Number(message.metrics_wanted);
      void Promise.resolve()
        .then(own)
        .then(
          (text) => say({ metrics_own: id, text }),
          () => say({ metrics_own: id, text: '' }),
        );
    } else if (has(message, 'metrics_all') && has(message, 'text')) waiting.get(Number(message.metrics_all))?.(String(message.text));
  });
  return {
    all() {
      if (!process.send || !process.connected) return Promise.resolve(own());
      asked += 1;
      const id = asked;
      return new Promise<string>((resolve) => {
        const settle = (text: string | Promise<string>) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(text);
        };
        const timer = setTimeout(() => settle(Promise.resolve(own())), allMilliseconds);
        waiting.set(id, settle);
        say({ metrics_asked: id });
      });
    },
  };
}

type Asked = { process: ChildProcess; name: string };

/** In the supervisor: gathers what all children tell, for the one that asks. `own` is the supervisor's own. */
export function gatherMetrics(
  children: () => readonly Asked[],
  own: () => string,
): { hear: (from: ChildProcess, message: unknown) => void } {
  const waiting = new Map<string, (text: string) => void>();
  let wanted = 0;
  function ask({ process: child }: Asked): Promise<string> {
    wanted += 1;
    const key = `${child.pid}:${wanted}`;
    return new Promise((resolve) => {
      const settle = (text: string) => {
        clearTimeout(timer);
        waiting.delete(key);
        resolve(text);
      };
      const timer = setTimeout(() => settle(''), childMilliseconds);
      waiting.set(key, settle);
      child.send({ metrics_wanted: wanted } satisfies Message, () => {});
    });
  }
  async function gather(): Promise<string> {
    const asked = children().filter(({ process: child }) => child.connected);
    const told = await Promise.all(asked.map(async (child) => [child.name, await ask(child)] as const));
    return mergeMetrics(new Map([['supervisor', own()], ...told]));
  }
  return {
    hear(from, message) {
      if (has(message, 'metrics_own') && has(message, 'text'))
        waiting.get(`${from.pid}:${Number(message.metrics_own)}`)?.(String(message.text));
      else if (has(message, 'metrics_asked')) {
        const id = Number(message.metrics_asked);
        void gather().then((text) => {
          if (from.connected) from.send({ metrics_all: id, text } satisfies Message, () => {});
        });
      }
    },
  };
}
