/** The measure of `visits.ts`: the least that node:http can do for a redirection, on the same runtime. */
import { createServer } from 'node:http';

const [port = '0', shared = ''] = process.argv.slice(2);
const server = createServer((_, response) => {
  response.writeHead(302, { location: 'https://target.example/0' });
  response.end();
});
server.listen({ port: Number(port), host: '::', reusePort: shared === 'shared' }, () => process.send?.({ ready: true }));
process.on('disconnect', () => process.exit(0));
