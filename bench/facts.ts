/**
 * Measures the look-ups that the loader makes for each visit: `npm run bench:facts`.
 * Prints look-ups per second on one core and the memory that each table keeps.
 */
import { canonicalIp, clientAddress, createCidrSet } from '../src/server/kit/network/ip.ts';
import { createAgentCache, describeAgent } from '../src/server/visits/facts/agent.ts';
import { describeModel } from '../src/server/visits/facts/models.ts';
import { openPlaces } from '../src/server/visits/facts/place.ts';

const random = (limit: number): number => Math.floor(Math.random() * limit);
const ipv4 = (): string => `${1 + random(222)}.${random(256)}.${random(256)}.${random(256)}`;
const ipv6 = (): string =>
  `24${random(16).toString(16)}${random(16).toString(16)}:${random(65536).toString(16)}:${random(65536).toString(16)}::${random(9)}`;
const many = (make: () => string): string[] => Array.from({ length: 20_000 }, make);

function keptMegabytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function opened<T>(what: string, open: () => T): T {
  const before = keptMegabytes();
  const start = performance.now();
  const result = open();
  const milliseconds = performance.now() - start;
  const kept = globalThis.gc === undefined ? 'unknown without --expose-gc' : `${(keptMegabytes() - before).toFixed(1)} MB kept`;
  console.log(`${what}: ${milliseconds.toFixed(0)} ms, ${kept}`);
  return result;
}

function measured(what: string, inputs: readonly string[], look: (input: string) => unknown, seconds = 1): void {
  for (const input of inputs) look(input);
  let count = 0;
  const start = performance.now();
  while (performance.now() - start < seconds * 1000) {
    for (const input of inputs) look(input);
    count += inputs.length;
  }
  console.log(`${what}: ${Math.round((count / (performance.now() - start)) * 1000).toLocaleString('en')} /s`);
}

const places = opened('open the address files', () => openPlaces());
opened('open the model names', () => describeModel('V2241A'));
const set = opened('build a set of 100,000 networks', () =>
  createCidrSet(Array.from({ length: 100_000 }, (_, i) => (i % 4 === 0 ? `${ipv4()}/24` : ipv4()))),
);
const none = createCidrSet([]);

const device = (): string =>
  `Mozilla/5.0 (Linux; Android ${9 + random(6)}; V2241A Build/TP1A.${random(1e6)}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/${random(130)}.0.0.0 Mobile Safari/537.36 MMWEBID/${random(9999)} MicroMessenger/8.0.38.2400(0x28002658) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64`;
const browser = (): string =>
  `Mozilla/5.0 (Linux; Android 10; M2012K11AC) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${random(130)}.0.${random(9999)}.0 Mobile Safari/537.36`;

measured('place of an IPv4 address', many(ipv4), places.lookup);
measured('place of an IPv6 address', many(ipv6), places.lookup);
measured('name of a model', ['V2241A', 'NOH-AN00', 'SM-S918B', 'M2012K11AC', 'XYZ-1234', 'Redmi K30'], (code) => describeModel(code));
measured('user agent of the messenger, not seen before', many(device), (userAgent) => describeAgent(userAgent));
measured('user agent of a browser, not seen before', many(browser), (userAgent) => describeAgent(userAgent));
measured('user agent from the cache', many(device).slice(0, 4000), createAgentCache(20_000).describe);
measured('address in a set of 100,000', many(ipv4), set.has);
measured('canonical IPv6 address', many(ipv6), canonicalIp);
measured(
  'client address without proxies',
  many(() => `::ffff:${ipv4()}`),
  (ip) => clientAddress(ip, undefined, none),
);
