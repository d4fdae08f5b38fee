import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeRecord, maxRecordLength, type VisitRecord } from '../src/server/kit/visits/journal/record.ts';
import { maxSegmentLength, segmentName, sourceName } from '../src/server/kit/visits/journal/segment.ts';

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const models = [
  'PJZ110',
  'V2309A',
  '23127PN0CC',
  '2211133C',
  'ALN-AL00',
  'LYA-AL00',
  'SM-S9180',
  'PHB110',
  'V2183A',
  'RMX3700',
  'NOH-AN01',
];
const builds = ['TP1A.220905.001', 'UKQ1.231003.002', 'SP1A.210812.016', 'AP3A.240617.008'];

/** A user agent as phones in China send it: mostly the messenger's, on Android and iPhone. */
function userAgent(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const messenger = `8.0.${40 + Math.floor(random() * 20)}.${2400 + Math.floor(random() * 20)}`;
  if (random() < 0.4) {
    const system = `${15 + Math.floor(random() * 4)}_${Math.floor(random() * 7)}`;
    const shell = `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`;
    return random() < 0.8
      ? `${shell} MicroMessenger/${messenger.slice(0, 6)}(0x18003${Math.floor(random() * 10)}2f) NetType/${pick(['WIFI', '4G', '5G'])} Language/zh_CN`
      : `${shell.replace('Mobile', `Version/${system.slice(0, 2)}.0 Mobile`)} Safari/604.1`;
  }
  const android = `Linux; Android ${11 + Math.floor(random() * 5)}; ${pick(models)} Build/${pick(builds)}; wv`;
  return `Mozilla/5.0 (${android}) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160${Math.floor(random() * 90) + 10} MMWEBSDK/20240301 MicroMessenger/${messenger}(0x2800${Math.floor(random() * 10)}3E) WeChat/arm64 Weixin NetType/${pick(['WIFI', '4G', '5G'])} Language/zh_CN ABI/arm64`;
}

/** First octets that are mostly China's. */
const chineseNetworks = [
  14, 27, 36, 39, 42, 58, 59, 60, 61, 101, 106, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123,
];

function address(random: () => number): string {
  const octet = () => Math.floor(random() * 256);
  return `${chineseNetworks[Math.floor(random() * chineseNetworks.length)]}.${octet()}.${octet()}.${octet()}`;
}

/** Models times versions times networks that a site of this size meets. */
const distinctAgents = 20_000;

/** People by the phone that each has and where it is; a few kinds of phone are most of them. */
export function manyPeople(random: () => number, number: number): { ip: string; user_agent: string }[] {
  const agents = Array.from({ length: distinctAgents }, () => userAgent(random));
  return Array.from({ length: number }, () => ({
    ip: address(random),
    user_agent: agents[Math.floor(random() ** 2 * agents.length)] ?? '',
  }));
}

export type JournalPlan = { folder: string; visits: number; codes: number; sources: number; seed: number };

/**
 * Writes the journals of redirect processes that have ended: visits of codes 1 to `codes` at random, 85 % of them passed, from half as many
 * people as there are visits, over the last minutes.
 */
export function writeJournals({ folder, visits, codes, sources, seed }: JournalPlan): { bytes: number } {
  mkdirSync(folder, { recursive: true });
  const random = randomSource(seed);
  const people = manyPeople(random, Math.ceil(visits / 2));
  const now = Date.now();
  const perSource = Math.ceil(visits / sources);
  let bytes = 0;
  for (let slot = 0; slot < sources; slot += 1) {
    // No process has this id, so that the loader knows that nobody writes any more.
    const source = sourceName(`b${slot}`, now, 4_194_304 + slot);
    const buffer = Buffer.alloc(maxSegmentLength);
    let [length, number] = [0, 1];
    const flush = () => {
      writeFileSync(join(folder, segmentName(source, number)), buffer.subarray(0, length));
      bytes += length;
      length = 0;
      number += 1;
    };
    for (let index = 0; index < perSource; index += 1) {
      const code = 1 + Math.floor(random() * codes);
      const person = people[Math.floor(random() * people.length)] ?? { ip: '114.114.114.114', user_agent: '' };
      const isPassed = random() < 0.85;
      const record: VisitRecord = {
        at: now - Math.floor(((perSource - index) / perSource) * 600_000),
        live_code_id: code,
        short_code_id: 0,
        forward_id: 0,
        target_id: isPassed ? code * 3 + Math.floor(random() * 3) : 0,
        lease_id: 0,
        proof_failure: 0,
        outcome: isPassed ? 0 : 4 + Math.floor(random() * 6),
        open_log: true,
        host: `qr${code % 50}.example.com`,
        path: `/code${code.toString(36).padStart(6, '0')}`,
        referer: random() < 0.1 ? `https://servicewechat.example/page/${Math.floor(random() * 200)}` : '',
        language: random() < 0.9 ? 'zh-CN' : 'en-US',
        note: '',
        ...person,
      };
      if (length + maxRecordLength > buffer.length) flush();
      length = encodeRecord(buffer, length, length, record);
    }
    flush();
  }
  return { bytes };
}
