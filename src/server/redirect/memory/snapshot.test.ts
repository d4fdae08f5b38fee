import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { createLeases } from '../rotation/leases.ts';
import { createMemory } from './memory.ts';
import { readSnapshot, snapshotPath, writeSnapshot } from './snapshot.ts';

let folder: string;
beforeAll(() => {
  folder = makeTestFolder();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that never reached the database. */
function memoryAway() {
  const query = () => Promise.reject(new Error('away'));
  const isConnected = () => false;
  const onFault = () => {};
  return createMemory({
    query,
    visitQuery: query,
    onFault,
    isConnected,
    leases: createLeases({ query, source: 'r0', isConnected, onFault }),
  });
}

const site = { domains: [], blacklist: [], settings: [], signing_key: '', forwards: [], blocked_sources: [], snippets: [] };
const owner = { id: 9, is_disabled: false, is_frozen: false, member_expires_at: null, all_codes_open: true };
const target = {
  id: 7,
  kind: 'url',
  content: 'https://target.example/',
  picture: null,
  name: '',
  weight: 1,
  is_limited: false,
  generation: null,
  remaining: null,
  expires_at: null,
  rules: null,
  any_picture: false,
};
const code = {
  id: 5,
  file_name: 'abcd',
  owner_id: 9,
  entry_domain_id: null,
  landing_domain_id: null,
  open: true,
  rotation_mode: 1,
  jump_type: 1,
  access_mode: 1,
  restriction_visit: 1,
  open_log: true,
  fallback_url: null,
  page_title: '',
  page_text: '',
  page_style: 'card',
  page_color: null,
  expires_at: null,
  removed: false,
  is_frozen: false,
  same_target: false,
  js_config_ids: [],
  targets: [target],
};

function fileOf(slot: string, lines: object[]): string {
  const path = snapshotPath(folder, slot);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${[...lines, { end: lines.length - 1 }].map((line) => JSON.stringify(line)).join('\n')}\n`);
  return path;
}

describe('a snapshot', () => {
  it('keeps rules, the same target, snippets and aliases', async () => {
    const snippets = [{ id: 3, owner_id: 9, provider: 'code', provider_id: '', code: 'go()', origins: [], all_codes: false }];
    const rules = [{ systems: ['ios'] }];
    const ruled = {
      ...code,
      same_target: true,
      js_config_ids: [3],
      targets: [
        { ...target, rules },
        { ...target, id: 8 },
      ],
    };
    const alias = { key: 'abcd-b', alias_id: 4, file_name: 'abcd' };
    const first = memoryAway();
    const read = readSnapshot(fileOf('new', [{ format: 1, site: { ...site, snippets } }, { owner }, { code: ruled }, { alias }]));
    if (read) first.restore(read);
    const known = first.known();
    if (known) await writeSnapshot(snapshotPath(folder, 'again'), known);
    const again = readSnapshot(snapshotPath(folder, 'again'));
    const second = memoryAway();
    if (again) second.restore(again);
    expect(second.find('abcd')).toMatchObject({
      same_target: true,
      sole: null,
      targeting: { ruled: [{ id: 7, rules }], open: [{ id: 8 }], needs: { place: false, agent: true } },
      snippets: { scripts: ['go()'] },
    });
    expect(second.find('abcd-b')).toBe(second.find('abcd'));
    expect([second.aliasOf('abcd-b'), second.aliasOf('abcd')]).toEqual([4, 0]);
  });

  it('that is cut off, or of another format, is refused', () => {
    const path = fileOf('cut', [{ format: 1, site }, { owner }]);
    writeFileSync(path, `${JSON.stringify({ format: 1, site })}\n${JSON.stringify({ end: 1 })}\n`);
    expect(() => readSnapshot(path)).toThrow('not whole');
    expect(() => readSnapshot(fileOf('later', [{ format: 2, site }, { owner }]))).toThrow('not whole');
  });
});
