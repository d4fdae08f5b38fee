import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { mainContract } from '../tron.networks.ts';
import { readRecorded, recordedAnswer } from './recorded.ts';

const id = 'ab'.repeat(32);
const word = (hex: string) => hex.padStart(64, '0');
const usdt = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c';
const transferred = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const log = { address: usdt, topics: [transferred, word('11'.repeat(20)), word('22'.repeat(20))], data: word('3567e0') };
const paid = { id, blockNumber: 7, blockTimeStamp: 1_700_000_000_000, receipt: { result: 'SUCCESS' }, log: [log] };
const info = 'POST /wallet/gettransactioninfobyid';
const constant = 'POST /wallet/triggerconstantcontract';
const broadcast = 'POST /wallet/broadcasttransaction';

test.each([
  ['a payment', { call: info, body: paid }, 'credit', '3.500000 USDT to TD5gsCwxykWsLN9aPrq2TAfNjByuZKYp4E in block 7'],
  ['of another contract', { call: info, body: { ...paid, log: [{ ...log, address: '33'.repeat(20) }] } }, 'not ours', ''],
  [
    'that failed, whatever its logs say',
    { call: info, body: { ...paid, receipt: { result: 'OUT_OF_ENERGY' } } },
    'failure',
    'OUT_OF_ENERGY',
  ],
  ['of an unknown transaction', { call: info, body: {} }, 'not final', ''],
  ['of no transactions', { call: 'POST /wallet/gettransactioninfobyblocknum', body: {} }, 'not understood', ''],
  [
    'a call that was reverted, and is answered as a success',
    { call: constant, body: { result: { result: true, message: '52' } } },
    'failure',
    '',
  ],
  ['a balance', { call: constant, body: { result: { result: true }, energy_used: 935, transaction: { ret: [{}] } } }, 'read', '935 energy'],
  [
    'energy',
    { call: 'POST /wallet/getaccountresource', body: { EnergyLimit: 10, TotalEnergyLimit: 180_000_000_000 } },
    'read',
    '10 energy',
  ],
  ['taken', { call: broadcast, body: { result: true } }, 'not final', 'pooled'],
  ['taken before', { call: broadcast, body: { code: 'DUP_TRANSACTION_ERROR' } }, 'not final', 'known'],
  ['not taken', { call: broadcast, body: { code: 'SIGERROR' } }, 'failure', 'SIGERROR'],
  ['too many', { call: info, status: 429, body: {} }, 'throttled', 'HTTP 429'],
  ['too many, answered with 200', { call: info, body: { Error: 'class X : lack of computing resources' } }, 'throttled', 'lack'],
  ['about the question', { call: info, body: { Error: 'class X : INVALID hex String' } }, 'not understood', 'INVALID'],
  ['cut on its way', { call: info, body_text: '{"id":"ab' }, 'throttled', 'JSON'],
  ['of a proxy', { call: info, status: 503, body_text: '<html>' }, 'throttled', 'HTTP 503'],
  ['of a call that is never made', { call: 'GET /wallet/getenergyprices', body: { prices: '' } }, 'not asked', ''],
] as const)('an answer %s is read', (_name, recorded, verdict, detail) => {
  const reading = readRecorded(recordedAnswer.parse(recorded), mainContract);
  expect(reading.verdict).toBe(verdict);
  expect(reading.detail).toContain(detail);
});

test('a folder of answers is read by a command, other files in it are left', () => {
  const folder = makeTestFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'paid.json'), JSON.stringify({ call: info, status: 200, body: paid }));
  writeFileSync(join(folder, 'list.json'), '[]');
  const program = fileURLToPath(new URL('./read.main.ts', import.meta.url));
  const said = execFileSync(process.execPath, [program, folder], { encoding: 'utf8' });
  expect(said).toMatch(/^paid\.json +credit +3\.500000 USDT/);
  expect(said).toContain('1 of 2 files are answers: 1 credit');
});
