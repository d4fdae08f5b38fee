import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Balanced {
  asked: number;
  answered: number;
  /** Visits that got no recorded answer, whichever host was tried. */
  refused: number;
  /** Attempts at a host that did not take the connection, or broke it off before an answer: another one was tried. */
  retried: number;
  /** Answers that a host gave while it could not record: tried elsewhere as well. */
  unavailable: number;
  /** Milliseconds from when a visit was due to the end of its answer. */
  p50: number;
  p99: number;
  max: number;
}

interface Load {
  /** Of the hosts. */
  ports: readonly number[];
  /** What visitors ask for. */
  host: string;
  names: readonly string[];
  /** Visits a second, whether they are answered or not. */
  rate: number;
}

/** So long a visit is tried at one host after another, as a load balancer does it. */
const maxTryMilliseconds = 10_000;
const pauseMilliseconds = 20;
const octet = () => Math.floor(Math.random() * 256);

type Outcome = { id: string } | 'unavailable' | 'failed';

/** Sends visits to the hosts in turn. What one of them does not take goes to the next; a host that failed is left out for a moment. */
export function startBalancedLoad({ ports, host, names, rate }: Load) {
  const agents = ports.map(() => new http.Agent({ keepAlive: true, maxSockets: 128 }));
  const awayUntil = ports.map(() => 0);
  const answered: string[] = [];
  const latencies: number[] = [];
  const counts = { asked: 0, refused: 0, retried: 0, unavailable: 0 };
  let turn = 0;

  const nextHost = (): number => {
    for (let tried = 0; tried < ports.length; tried += 1) {
      turn = (turn + 1) % ports.length;
      if ((awayUntil[turn] ?? 0) < performance.now()) return turn;
    }
    return turn;
  };

  const attempt = (at: number, path: string, headers: Record<string, string>) =>
    new Promise<Outcome>((resolve) => {
      const options = { agent: agents[at], host: '127.0.0.1', port: ports[at], path, headers, timeout: 5000 };
      const request = http.get(options, (response) => {
        const id = response.headers['x-visit-id'];
        const outcome: Outcome = typeof id === 'string' && id !== 'none' ? { id } : 'unavailable';
        response.resume();
        response.once('close', () => resolve(outcome));
        response.once('error', () => {});
      });
      request.once('timeout', () => request.destroy());
      request.once('error', () => resolve('failed'));
    });

  async function visit(dueAt: number): Promise<void> {
    counts.asked += 1;
    const path = `/${names[Math.random() < 0.1 ? 0 : Math.floor(Math.random() * names.length)]}`;
    const agent = `Mozilla/5.0 (Linux; Android ${octet() % 20}; hosts test) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36`;
    const headers = { host, 'user-agent': agent, 'x-forwarded-for': `114.${octet() % 8}.${octet()}.1` };
    while (performance.now() - dueAt < maxTryMilliseconds) {
      const at = nextHost();
      const outcome = await attempt(at, path, headers);
      if (typeof outcome === 'object') {
        answered.push(outcome.id);
        latencies.push(performance.now() - dueAt);
        return;
      }
      counts[outcome === 'failed' ? 'retried' : 'unavailable'] += 1;
      awayUntil[at] = performance.now() + 250;
      await delay(pauseMilliseconds);
    }
    counts.refused += 1;
  }

  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) * rate) / 1000);
    while (counts.asked < due) {
      const one = visit(startedAt + (counts.asked * 1000) / rate);
      underWay.add(one);
      void one.then(() => underWay.delete(one));
    }
  }, 2);

  return {
    answered,
    async stop(): Promise<Balanced> {
      clearInterval(timer);
      await Promise.all(underWay);
      for (const agent of agents) agent.destroy();
      const sorted = latencies.sort((one, other) => one - other);
      const quantile = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
      return { ...counts, answered: answered.length, p50: quantile(0.5), p99: quantile(0.99), max: quantile(1) };
    },
  };
}
