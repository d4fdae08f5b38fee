// Starts the installation in the working folder as an operator does, tells when each part first answered, and stops it again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const maxMilliseconds = 240_000;
const { LIVECODE_PORT: office, LIVECODE_VISIT_PORT: visits } = process.env;
const startedAt = performance.now();
const product = spawn('npm', ['start'], { stdio: ['ignore', 'pipe', 'pipe'] });
let said = '';
for (const stream of [product.stdout, product.stderr]) {
  stream.on('data', (chunk) => {
    said += chunk;
  });
}
const ended = once(product, 'close');

function statusOf(url) {
  return new Promise((resolve) => {
    const request = get(url, (response) => response.resume().once('end', () => resolve(response.statusCode)));
    request.once('error', () => resolve(0)).setTimeout(5000, () => request.destroy());
  });
}

async function firstAnswer(url) {
  while (performance.now() - startedAt < maxMilliseconds && product.exitCode === null) {
    if ((await statusOf(url)) === 200) return Math.round(performance.now() - startedAt);
    await delay(50);
  }
  return undefined;
}

const [visitMilliseconds, officeMilliseconds] = await Promise.all([
  firstAnswer(`http://127.0.0.1:${visits}/readyz`),
  firstAnswer(`http://127.0.0.1:${office}/`),
]);
const pages = { office: await statusOf(`http://127.0.0.1:${office}/readyz`), visit: await statusOf(`http://127.0.0.1:${visits}/nocode`) };
while (!said.includes('Livecode is running') && product.exitCode === null && performance.now() - startedAt < maxMilliseconds)
  await delay(50);
product.kill('SIGTERM');
await ended;
console.log(JSON.stringify({ visitMilliseconds, officeMilliseconds, pages, said }));
