/**
 * Visitors that come at a rate, whether they are answered or not: `steady-client.ts PORT RATE FILE`, FILE a list of visits as JSON.
 * A line a second: the milliseconds from the moment when each visit was due to its answer's end, and how many failed. What this process
 * itself took to begin is in none of them, but what the machine let it wait is.
 */
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { type Visit, visitorHeaders } from './load.ts';

const [port = '', rate = '', file = ''] = process.argv.slice(2);
const visits: Visit[] = JSON.parse(readFileSync(file, 'utf8'));
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const tickMilliseconds = 1;
const warmUpMilliseconds = 3_000;

let latencies: number[] = [];
let failures = 0;
const startedAt = performance.now();
let sent = 0;

function visit(dueAt: number): void {
  const { path, host, address } = visits[Math.floor(Math.random() * visits.length)] ?? { path: '/' };
  const end = (isFailed: boolean) => {
    if (isFailed) failures += 1;
    latencies.push(performance.now() - dueAt);
  };
  const own = { ...(host && { host }), ...(address && { 'X-Forwarded-For': address }) };
  const request = get({ port, path, agent, headers: { ...visitorHeaders, ...own } }, (answer) => {
    answer.resume().on('end', () => end((answer.statusCode ?? 500) >= 400));
  });
  // A connection that the server closed while it lay unused: browsers ask again, too.
  request.on('error', () => (request.reusedSocket ? visit(dueAt) : end(true)));
}

setInterval(() => {
  const due = Math.floor(((performance.now() - startedAt) * Number(rate)) / 1000);
  for (; sent < due; sent += 1) visit(startedAt + (sent * 1000) / Number(rate));
}, tickMilliseconds);

setInterval(() => {
  if (performance.now() - startedAt > warmUpMilliseconds) console.log(JSON.stringify({ latencies, failures }));
  latencies = [];
  failures = 0;
}, 1000);
