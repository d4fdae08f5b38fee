import { connect, createServer, type Socket } from 'node:net';

export type Freezable = {
  url: string;
  /** From now on connections are accepted, and nothing is passed on: neither way, or only no answers. */
  freeze: (which?: 'everything' | 'answers') => void;
  /** Freezes the answers as soon as a query with this word was passed on. */
  freezeAfter: (word: string) => Promise<void>;
  thaw: () => void;
  close: () => Promise<void>;
};

/** A way to the database that can fall silent, as a frozen server does or a network that swallows everything. */
export async function openFreezable(databaseUrl: string): Promise<Freezable> {
  const target = new URL(databaseUrl);
  const pairs = new Set<{ page: Socket; server: Socket }>();
  let frozen: 'everything' | 'answers' | undefined;
  let awaited: { word: string; seen: () => void } | undefined;

  function apply({ page, server }: { page: Socket; server: Socket }): void {
    if (frozen === 'everything') page.pause();
    else page.resume();
    if (frozen) server.pause();
    else server.resume();
  }

  const proxy = createServer((page) => {
    const socketFolder = target.searchParams.get('host');
    const port = Number(target.port || 5432);
    const server = socketFolder ? connect(`${socketFolder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
    const pair = { page, server };
    pairs.add(pair);
    page.on('data', (chunk) => {
      server.write(chunk);
      if (!awaited || !String(chunk).includes(awaited.word)) return;
      freeze('answers');
      awaited.seen();
      awaited = undefined;
    });
    server.on('data', (chunk) => page.write(chunk));
    for (const [one, other] of [
      [page, server],
      [server, page],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => {
        pairs.delete(pair);
        other.end();
      });
    }
    apply(pair);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(typeof address === 'object' && address ? address.port : 0);

  function freeze(which: 'everything' | 'answers' = 'everything'): void {
    frozen = which;
    for (const pair of pairs) apply(pair);
  }
  return {
    url: url.href,
    freeze,
    freezeAfter: (word) => new Promise((seen) => (awaited = { word, seen })),
    thaw() {
      frozen = undefined;
      for (const pair of pairs) apply(pair);
    },
    async close() {
      for (const { page, server } of pairs) {
        page.destroy();
        server.destroy();
      }
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
