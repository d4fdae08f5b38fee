// Notes in migrations/released.json which migrations a release has: `npm run release:migrations`. From then on they may not change.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Migration, readMigrations } from '../src/server/kit/postgres/migrate.ts';

export type ReleasedMigration = Pick<Migration, 'name' | 'checksum'>;

const file = new URL('../migrations/released.json', import.meta.url);

export const readReleased = (): ReleasedMigration[] => JSON.parse(readFileSync(file, 'utf8'));

/** What keeps a database of the last release from today's list, in words; undefined where that begins with the released one. */
export function brokenUpgrade(released: readonly ReleasedMigration[], today: readonly ReleasedMigration[]): string | undefined {
  for (const [index, { name, checksum }] of released.entries()) {
    const here = today.find((migration) => migration.name === name);
    if (!here) return `Migration ${name} is released and must stay.`;
    if (here.checksum !== checksum) return `Migration ${name} is released and must not be edited: write a new one.`;
    if (today[index] !== here)
      return `Migration ${today[index]?.name} must get a number after ${released.at(-1)?.name}, the last released one.`;
  }
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const today = readMigrations().map(({ name, checksum }) => ({ name, checksum }));
  const broken = brokenUpgrade(readReleased(), today);
  if (broken) throw new Error(broken);
  writeFileSync(file, `${JSON.stringify(today, null, 2)}\n`);
  console.log(`${today.length} migrations are released.`);
}
