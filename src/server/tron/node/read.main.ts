// npm run tron:read -- <folder> [--contract T…]: says of each recorded answer of a node what the product would make of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mainContract } from '../tron.networks.ts';
import { readRecorded, recordedAnswer } from './recorded.ts';

try {
  const { values, positionals } = parseArgs({ options: { contract: { type: 'string', default: mainContract } }, allowPositionals: true });
  const [folder] = positionals;
  if (!folder) throw new Error('Which folder? npm run tron:read -- <folder> [--contract T…]');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const readings = names.flatMap((name) => {
    const recorded = recordedAnswer.safeParse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    // Other files may lie beside the answers.
    return recorded.success ? [{ name, ...readRecorded(recorded.data, values.contract) }] : [];
  });
  const width = Math.max(0, ...readings.map(({ name }) => name.length));
  for (const { name, verdict, detail } of readings) console.log(`${name.padEnd(width)}  ${verdict.padEnd(14)}  ${detail}`);
  const counts = [...Map.groupBy(readings, ({ verdict }) => verdict)].map(([verdict, all]) => `${all.length} ${verdict}`);
  console.log(`${readings.length} of ${names.length} files are answers: ${counts.join(', ') || 'none'}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
