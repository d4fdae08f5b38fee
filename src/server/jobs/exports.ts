import { z } from 'zod';
import { exportFormats } from '../../contract/system/async-operations.ts';
import { AppError } from '../kit/calls/errors.ts';
import { type OperationJob, type OperationKind, type OperationResult, operationKind } from '../kit/jobs/operations.ts';
import { translate } from '../kit/messages/messages.ts';
import type { Cell, ExportSource, Portion } from '../kit/rows/exports.ts';
import { writeTable } from './tabular.ts';

const exportInput = z.object({
  filters: z.unknown(),
  format: z.enum(exportFormats),
  /** Keys of the wanted columns in their order; all when left out. */
  columns: z.array(z.string()).optional(),
});

/** `20260131-235900` of the moment in the time zone. */
function stamp(moment: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
  return text.replaceAll(/[-:]/g, '').replace(' ', '-');
}

async function* counted(portions: AsyncIterable<Portion>, pick: (line: Cell[]) => Cell[], onPortion: (portion: Portion) => void) {
  for await (const portion of portions) {
    yield portion.lines.map(pick);
    onPortion(portion);
  }
}

async function runExport(source: ExportSource, input: z.output<typeof exportInput>, job: OperationJob): Promise<OperationResult> {
  const { access, columns, name } = source;
  if (access.kind === 'nodes' && !access.nodes.some((node) => job.person.nodes.has(node))) throw new AppError(403, 'forbidden');
  const wanted = input.columns ?? columns.map((column) => column.key);
  const places = wanted.map((key) => columns.findIndex((column) => column.key === key)).filter((place) => place >= 0);
  const { total, portions } = await source.open(input.filters, job);
  job.progress(0, total);
  let done = 0;
  let lines = 0;
  const picked = counted(
    portions,
    (line) => places.map((place) => line[place] ?? null),
    (portion) => {
      done += portion.rows;
      lines += portion.lines.length;
      // The total was counted before: rows that came since must not make more than all.
      job.progress(done, Math.max(done, total));
    },
  );
  const path = job.file(input.format);
  const headings = places.map((place) => translate(job.language, columns[place]?.title ?? ''));
  const title = translate(job.language, `async_operations.kind.${name}_export`);
  await writeTable(path, input.format, { title, headings, portions: picked, signal: job.signal });
  return {
    file: { path, name: `${name}-${stamp(job.now, job.settings.time_zone)}.${input.format}` },
    message: { key: 'async_operations.message.exported', params: { rows: lines } },
  };
}

/** The kinds of operation that export these lists. */
export const exportKinds = (sources: readonly ExportSource[]): OperationKind[] =>
  sources.map((source) => operationKind(`${source.name}_export`, exportInput, (input, job) => runExport(source, input, job)));
