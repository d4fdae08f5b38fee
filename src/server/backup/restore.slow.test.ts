import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../kit/data-folder-lock.ts';
import { runsAs } from '../kit/postgres/postgres-account.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { withPartFolder } from './archive/parts.ts';
import { openFileTarget } from './archive/target.ts';
import { createArchive } from './archive/writer.ts';
import { machine } from './manifest.ts';
import { restore } from './restore.ts';
import {
  dataDir,
  home,
  leftovers,
  newPath,
  notes,
  prepareBackedUp,
  program,
  restored,
  sound,
  started,
  timeout,
} from './testing/backed-up.ts';
import { settings } from './testing/looks.ts';

const nobody = { name: 'nobody', uid: 65534, gid: 65534 };

prepareBackedUp();

describe('restoring refuses', { timeout }, () => {
  const refused = async (path: string, words: string, target = newPath()) => {
    await expect(restored(path, target)).rejects.toThrow(words);
    expect(leftovers()).toEqual([]);
  };

  test('a file in which any byte differs, or that was cut', { tags: 'full' }, async () => {
    const { size } = statSync(sound);
    const bytes = readFileSync(sound);
    const places = [0, 5, 100, size >> 2, size >> 1, size - 200, size - 64, size - 60, size - 50, size - 36, size - 32, size - 1];
    for (const place of places) {
      const path = newPath('.damaged');
      writeFileSync(path, bytes);
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.of((bytes[place] ?? 0) ^ 0x10), 0, 1, place);
      await refused(path, place >= size - 64 && place < size - 40 ? '' : 'is damaged');
      rmSync(path);
    }
    for (const length of [0, 10, 64, 1000, size >> 1, size - 64, size - 1]) {
      const path = newPath('.cut');
      writeFileSync(path, bytes);
      truncateSync(path, length);
      await refused(path, 'is no backup of Livecode, or was cut short');
      rmSync(path);
    }
  });

  test('a folder that is not empty, one that is in use, and a file that is missing', { tags: 'full' }, async () => {
    const full = newPath();
    mkdirSync(full);
    writeFileSync(join(full, 'letter'), 'of mine');
    await refused(sound, 'is not empty', full);
    expect(readdirSync(full)).toEqual(['letter']);
    const release = tryLock(dataDir);
    await refused(sound, 'is in use', dataDir);
    release?.();
    await refused(join(home, 'none.tar.zst'), 'There is no file');
  });

  test('what this version, machine or PostgreSQL cannot read, and names that lead out of the folder', { tags: 'full' }, async () => {
    const cluster = { kind: 'cluster', major: 18, machine, online: false };
    const sane = {
      format: 1,
      product: 'livecode',
      version: '9.9.9',
      created_at: '2026-01-01T00:00:00Z',
      database: cluster,
      migrations: null,
      master_key: false,
    };
    const crafted = async (manifest: object, name = 'x') => {
      const path = newPath('.tar.zst');
      const archive = createArchive(await openFileTarget(path), new AbortController().signal);
      await archive.addBytes('manifest.json', Buffer.from(JSON.stringify(manifest)));
      await archive.addBytes(name, Buffer.from('x'));
      await archive.finish();
      return path;
    };
    await refused(await crafted({ ...sane, format: 2 }), 'another version of Livecode');
    await refused(
      await crafted({ ...sane, migrations: ['9999-later'] }),
      'newer version, or of an unreleased state (9.9.9, migration 9999-later)',
    );
    await refused(await crafted({ ...sane, database: { ...cluster, machine: 'darwin-arm64' } }), 'machine of another kind');
    await refused(await crafted({ ...sane, database: { ...cluster, major: 17 } }), 'PostgreSQL 17');
    for (const name of ['../evil', '/evil', 'a/../../evil', 'a//b', './a', 'a\nb']) {
      await refused(await crafted(sane, name), 'no backup has');
    }
    expect(existsSync(join(home, 'evil'))).toBe(false);
  });
});

describe('restoring', { timeout }, () => {
  test('fills a folder that exists and is empty, as a mount does', { tags: 'full' }, async () => {
    const target = newPath();
    mkdirSync(target);
    const { ino } = statSync(target);
    await restored(sound, target);
    expect(statSync(target).ino).toBe(ino);
    expect(readdirSync(target).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(await notes((await started(target)).url)).toEqual([0]);
  });

  test('that was killed leaves a folder, which the next one into the same place removes, but none that is worked in', {
    tags: 'full',
  }, async () => {
    for (const isThere of [false, true]) {
      const target = newPath();
      if (isThere) mkdirSync(target);
      const left = () => readdirSync(isThere ? target : home).filter((name) => name.includes('.restoring-'));
      const child = spawn(process.execPath, [program('restore'), sound, target], { env: { PATH: process.env.PATH }, stdio: 'ignore' });
      await eventually(() => expect(left()).toHaveLength(1));
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(left()).toHaveLength(1);
      await restored(sound, target);
      expect(left()).toEqual([]);
      expect(await notes((await started(target)).url)).toEqual([0]);
    }
    await withPartFolder(home, 'other.restoring-', async (folder) => {
      await withPartFolder(home, 'other.restoring-', async () => expect(existsSync(folder)).toBe(true));
    });
  });

  test('marks the folder as a copy, unless it goes back to where it came from', { tags: 'full' }, async () => {
    const { dataDir: copy } = await restored(sound);
    const mark = JSON.parse(readFileSync(join(copy, 'restored.json'), 'utf8'));
    expect(mark).toEqual({ backed_up_at: expect.stringMatching(/^\d{4}-.*Z$/), restored_at: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(Date.parse(mark.backed_up_at)).toBeLessThan(Date.parse(mark.restored_at));
    const same = newPath();
    const quiet = { signal: new AbortController().signal, log: () => {} };
    await restore({ path: sound, dataDir: same, config: { databaseUrl: undefined, masterKey: undefined }, isSite: true, ...quiet });
    expect(existsSync(join(same, 'restored.json'))).toBe(false);
  });

  const canRun = process.getuid?.() === 0 && runsAs(nobody, process.execPath, ['--check', program('restore')]);
  test.runIf(canRun)('works as another user, who then runs the site', { tags: 'full' }, async () => {
    const place = newPath();
    mkdirSync(place);
    chownSync(place, nobody.uid, nobody.gid);
    chmodSync(sound, 0o644);
    onTestFinished(() => chmodSync(sound, 0o600));
    const asNobody = (args: string[]) =>
      spawnSync(process.execPath, args, { uid: nobody.uid, gid: nobody.gid, cwd: '/', encoding: 'utf8', env: { PATH: process.env.PATH } });
    const target = join(place, 'data');
    expect(asNobody([program('restore'), sound, target]).stderr).toContain('cannot be read by this user (EACCES)');
    chmodSync(home, 0o711);
    const made = asNobody([program('restore'), sound, target]);
    expect(made.stderr).toBe('');
    expect(made.status).toBe(0);
    const script = `
      const { startPostgres } = await import(${JSON.stringify(fileURLToPath(new URL('../kit/postgres/postgres.ts', import.meta.url)))});
      const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))});
      const postgres = await startPostgres({ dataDir: ${JSON.stringify(join(place, 'data'))}, settings: ${JSON.stringify(settings)} });
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      console.log((await client.query('SELECT number FROM note')).rows);
      await client.end();
      await postgres.stop();`;
    expect(asNobody(['--input-type=module', '-e', script])).toMatchObject({ status: 0, stdout: '[ { number: 0 } ]\n' });
    expect(statSync(join(place, 'data/postgres')).uid).toBe(nobody.uid);
  });
});
