import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
/** Where metrics get their names. */
const sources = [
  'src/server/kit/metrics/metrics.ts',
  'src/server/kit/jobs/work-metrics.ts',
  'src/server/redirect/metrics.ts',
  'src/server/redirect/process.ts',
  'src/server/supervisor/children.ts',
  'src/server/visits/maintenance/loader-progress.ts',
  'src/server/web.ts',
]
  .map(read)
  .join('\n');

test.each(['docs/monitoring/grafana.json', 'docs/monitoring/livecode.rules.yml'])('%s asks for metrics that there are', (path) => {
  const asked = [...new Set(read(path).match(/livecode_[a-z_]+/g))];
  expect(asked.length).toBeGreaterThan(8);
  const missing = asked.filter((name) => {
    const plain = name.replace(/^livecode_/, '').replace(/_(bucket|sum|count)$/, '');
    return !sources.includes(`'${plain}'`) && !sources.includes(`livecode_${plain}`);
  });
  expect(missing).toEqual([]);
});

test('the dashboard is JSON with a title on every panel', () => {
  const { panels } = JSON.parse(read('docs/monitoring/grafana.json')) as { panels: { title: string; targets: unknown[] }[] };
  expect(panels.every(({ title, targets }) => title !== '' && targets.length > 0)).toBe(true);
});
