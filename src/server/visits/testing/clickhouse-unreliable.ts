import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Address } from '../clickhouse/sending.ts';

type Deliver = () => Promise<void>;

/**
 * A way to the engine on which statements and answers are lost: one in four before it arrives, one in four after it was done. Or with
 * `around`, which has each insert delivered and decides what happens then.
 */
export async function openUnreliable(address: Address, around?: (deliver: Deliver) => Promise<void>) {
  const { origin, pathname } = new URL(address.url);
  let lost = 0;
  let turn = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const pass = async () => {
      const answer = await fetch(`${origin}${request.url}`, { method: 'POST', body });
      return { status: answer.status, content: await answer.text() };
    };
    const isInsert = new URLSearchParams(request.url?.split('?')[1]).has('query');
    if (around && isInsert) await around(async () => void (await pass()));
    turn += 1;
    const fate = around || !isInsert ? 0 : turn % 4;
    if (fate === 1 || fate === 2) {
      lost += 1;
      if (fate === 2) await pass();
      request.socket.destroy();
      return;
    }
    const { status, content } = await pass();
    response.writeHead(status).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = server.address();
  if (own === null || typeof own === 'string') throw new Error('no port');
  return {
    address: { ...address, url: `http://127.0.0.1:${own.port}${pathname}` },
    lost: () => lost,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
