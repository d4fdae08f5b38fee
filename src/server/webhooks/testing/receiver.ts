import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { headers: IncomingHttpHeaders; body: string; at: number };
type Answer = (response: ServerResponse, received: Received) => void;

export type Receiver = {
  url: string;
  received: Received[];
  /** How it answers from now on. */
  answer: (how: Answer) => void;
  /** The most requests that were open at once. */
  busiest: () => number;
  close: () => Promise<void>;
};

/** A real server that keeps what it is sent. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let how: Answer = (response) => response.end('thank you');
  let open = 0;
  let busiest = 0;
  const server = createServer((request, response) => {
    open += 1;
    busiest = Math.max(busiest, open);
    response.on('close', () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() };
      received.push(one);
      how(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (next) => {
      how = next;
    },
    busiest: () => busiest,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
