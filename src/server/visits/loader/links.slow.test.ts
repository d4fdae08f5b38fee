import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../kit/testing/database.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { journalFolder } from '../../kit/visits/journal/segment.ts';
import { type AskOptions, ask, startProcess } from '../../redirect/testing/process.ts';
import { openRecords } from '../../redirect/testing/records.ts';
import { createAgentCache } from '../facts/agent.ts';
import { openPlaces } from '../facts/place.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { startLoader } from './loader.ts';

/** A phone's: what programs open is counted apart. */
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

test('what the visit path answered for links becomes rows and figures', async () => {
  const database = await createTestDatabase();
  const records = await openRecords(database.url);
  const dataDir = makeTestFolder();
  const port = await freePort();
  const owner = await records.addUser('whole-way');
  const entry = await records.addDomain('entry.example', 1);
  const short = await records.addDomain('s.example', 3);
  const code = await records.addCode('whole-way', { owner_id: owner, entry_domain_id: entry });
  const scan = await records.addCode('whole-scan', { owner_id: owner, entry_domain_id: entry, access_mode: 2 });
  const idOf = async (text: string, values: unknown[]) => Number((await records.client.query(`${text} RETURNING id`, values)).rows[0].id);
  const shortId = await idOf('INSERT INTO short_code (owner_id, domain_id, short, live_code_id) VALUES ($1, $2, $3, $4)', [
    owner,
    short,
    'w',
    code.id,
  ]);
  const forwardId = await idOf('INSERT INTO forward (owner_id, domain_id, path, url) VALUES ($1, $2, $3, $4)', [
    owner,
    entry,
    '/old/*',
    'https://new.example/{rest}',
  ]);
  const redirect = await startProcess({ databaseUrl: database.url, dataDir, port, processes: 1, trustedProxies: '127.0.0.1' });
  const loader = startLoader({
    database_url: database.url,
    folder: journalFolder(dataDir),
    facts: { placeOf: openPlaces().lookup, agentOf: createAgentCache(100).describe },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    pause_milliseconds: 20,
  });
  onTestFinished(async () => {
    await redirect.stop();
    await loader.stop();
    await records.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const from = (ip: string, more: AskOptions = {}): AskOptions => ({
    host: 'entry.example',
    ...more,
    headers: { 'x-forwarded-for': ip, 'user-agent': phone, ...more.headers },
  });
  for (const ip of ['198.51.100.1', '198.51.100.1', '198.51.100.2']) {
    const { headers } = await ask(port, '/w', from(ip, { host: 's.example', headers: { referer: 'https://thief.example/' } }));
    expect(headers.location).toBe('http://entry.example/whole-way');
    expect((await ask(port, '/whole-way', from(ip))).status).toBe(200);
  }
  await ask(port, '/old/a', from('198.51.100.3'));
  await ask(port, '/old/b', from('198.51.100.3', { method: 'HEAD' }));
  await ask(port, '/whole-scan?t=false', from('198.51.100.4'));
  await ask(port, '/any', from('198.51.100.5', { host: 'stray.example' }));

  const all = async (text: string) => (await records.client.query(text)).rows;
  await eventually(async () => expect(await all('SELECT count(*)::int AS n FROM visit')).toEqual([{ n: 10 }]), { interval: 50 });
  expect(await all('SELECT live_code_id::int, visits::int, ips::int FROM live_code_total')).toEqual([
    { live_code_id: code.id, visits: 3, ips: 2 },
  ]);
  expect(await all('SELECT short_code_id::int, visits::int, ips::int FROM short_code_total')).toEqual([
    { short_code_id: shortId, visits: 3, ips: 2 },
  ]);
  expect(await all('SELECT forward_id::int, hits::int FROM forward_total')).toEqual([{ forward_id: forwardId, hits: 2 }]);
  expect(
    await all('SELECT kind, host, live_code_id::int, short_code_id::int, host(ip) AS ip, visits::int FROM visit_source ORDER BY kind, ip'),
  ).toEqual([
    { kind: 'forged', host: '', live_code_id: scan.id, short_code_id: null, ip: '198.51.100.4', visits: 1 },
    { kind: 'referer', host: 'thief.example', live_code_id: null, short_code_id: shortId, ip: '198.51.100.1', visits: 2 },
    { kind: 'referer', host: 'thief.example', live_code_id: null, short_code_id: shortId, ip: '198.51.100.2', visits: 1 },
    { kind: 'unknown_host', host: 'stray.example', live_code_id: null, short_code_id: null, ip: '198.51.100.5', visits: 1 },
  ]);
  expect(await inconsistencies(records.client)).toEqual([]);
});
