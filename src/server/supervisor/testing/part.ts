// A part that answers on its port with its process id and what it was told.
import { createServer } from 'node:http';
import { readConfig } from '../../config.ts';

const [name, behaviour] = process.argv.slice(2);
const config = readConfig(process.env);
const port = { visits: config.visitPort, web: config.port }[name ?? ''];

if (behaviour === 'ignore-sigterm') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
  process.send?.({ ready: true });
}
if (port) {
  const server = createServer((_, response) => {
    const { databaseUrl, dataDir, adminPassword } = config;
    response.end(JSON.stringify({ pid: process.pid, databaseUrl, dataDir, adminPassword }));
  });
  server.listen(port, () => process.send?.({ ready: true }));
}
