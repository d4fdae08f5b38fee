import type { ServerResponse } from 'node:http';
import { sendJson } from '../kit/server.ts';

/**
 * What can go wrong on the way: throttling by status, an error in an answer of 200, an answer that is cut or never comes, and broadcasts
 * whose answer is lost although the transaction was taken.
 */
export const faultKinds = ['throttle_403', 'throttle_429', 'busy_503', 'error_in_200', 'truncated', 'lost', 'wrong_chain'] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let planned: { kind: FaultKind; times: number; method: string | undefined }[] = [];
  return {
    /** The next requests go wrong so, of one method only where it is named. */
    plan(kind: FaultKind, times = 1, method?: string): void {
      planned.push({ kind, times, method });
    },
    clear(): void {
      planned = [];
    },
    take(method: string): FaultKind | undefined {
      const next = planned.find((one) => one.times > 0 && (one.method === undefined || one.method === method));
      if (!next) return undefined;
      next.times -= 1;
      return next.kind;
    },
  };
}

const statuses = {
  throttle_403: [403, 'The key exceeds the frequency limit(15), and the query server is suspended for 5s'],
  throttle_429: [429, 'request rate exceeds the allowed_rps'],
  busy_503: [503, 'no available server'],
  error_in_200: [200, 'class java.util.concurrent.TimeoutException : null'],
} as const;

/** The same blocks with other hashes. */
const onAnotherChain = (text: string): string =>
  text.replaceAll(/"(blockID|parentHash)":"([0-9a-f]{32})[0-9a-f]{32}"/g, `"$1":"$2${'e'.repeat(32)}"`);

/** Answers as the fault says. `answer`: what would have been said. */
export function answerFaulty(kind: FaultKind, answer: unknown, response: ServerResponse): void {
  if (kind === 'lost') {
    response.destroy();
    return;
  }
  const text = JSON.stringify(answer);
  if (kind === 'wrong_chain') sendJson(response, 200, JSON.parse(onAnotherChain(text)));
  else if (kind === 'truncated') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) });
    response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
  } else sendJson(response, statuses[kind][0], { Error: statuses[kind][1] });
}
