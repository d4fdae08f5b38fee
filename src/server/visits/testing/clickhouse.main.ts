// The engine of ClickHouse behind so much of its HTTP interface as the product uses, for tests: each request is one statement, one after the other.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

type Session = { query: (statement: string) => string };

const [folder = '', dataDir = ''] = process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const { Session } = load('chdb') as { Session: new (path: string) => Session };
const session = new Session(dataDir);

/** What the address of a request says that is not a setting. */
const notSettings = ['database', 'query', 'query_id', 'wait_end_of_query'];

function answer(query: URLSearchParams, statement: string): string {
  const settings = [...query].filter(([name]) => !notSettings.includes(name));
  session.query(`USE ${query.get('database') ?? 'default'}`);
  try {
    for (const [name, value] of settings) session.query(`SET ${name} = '${value}'`);
    return session.query(statement);
  } finally {
    // Settings are a request's: a token that stayed would make the next insert one that was done.
    for (const [name] of settings) session.query(`SET ${name} = DEFAULT`);
  }
}

const server = createServer(async (request, response) => {
  try {
    const query = new URL(request.url ?? '/', 'http://engine').searchParams;
    // What is inserted comes as the body, behind its statement in the address.
    const statement = [...query.getAll('query'), await text(request)].join('\n');
    response.end(answer(query, statement));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : String(error));
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit());
