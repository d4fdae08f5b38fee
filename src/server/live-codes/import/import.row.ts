import type { ImportPlan, RowFault } from '../../../contract/codes/code-import.ts';
import type { DomainOption } from '../../../contract/domains/domain-list.ts';
import type { FieldIssue } from '../../../contract/kit/issues.ts';
import { truncate } from '../../kit/texts.ts';

/** What rows are checked against, looked up once for many of them. */
export type Known = {
  owner_id: number;
  schemes: readonly string[];
  time_zone: string;
  domains: ReadonlyMap<string, DomainOption>;
  keys: ReadonlyMap<string, { id: number; owner_id: number; removed: boolean; entry_domain_id: number | null }>;
  /** The entry domain of new codes that name none. */
  usual_entry: DomainOption | null;
  /** Whether a forward answers in the place of a code of this key, or of any key, on this domain. */
  isForwarded: (domain_id: number, file_name: string | null) => boolean;
  /** Ids of uploads that may be targets. */
  files: ReadonlySet<number>;
};

/** A row while it is read: its filled cells by what their columns hold, and what is found wrong or worth a note. */
export type ReadRow = {
  plan: ImportPlan;
  known: Known;
  cells: ReadonlyMap<string, { text: string; heading: string }>;
  faults: RowFault[];
  notes: RowFault[];
  fault: (column: string, code: string, params?: RowFault['params']) => void;
  issue: (column: string, issues: readonly FieldIssue[]) => void;
  /** `value` where it is not what stands in the cell. */
  note: (column: string, code: string, value?: string) => void;
};

export function readRow(
  texts: readonly string[],
  row: number,
  { plan, header, known }: { plan: ImportPlan; header: readonly string[]; known: Known },
): ReadRow {
  const cells = new Map(
    plan.columns.flatMap((column, at) => {
      const text = (texts[at] ?? '').trim();
      return column === null || text === '' ? [] : [[column, { text, heading: header[at] || column }] as const];
    }),
  );
  const told = (column: string, code: string, params: RowFault['params'] = {}): RowFault => {
    const { heading = column, text = '' } = cells.get(column) ?? {};
    return { row, column: heading, code, ...(Object.keys(params).length > 0 && { params }), value: truncate(text, 100) };
  };
  const faults: RowFault[] = [];
  const notes: RowFault[] = [];
  const fault: ReadRow['fault'] = (column, code, params) => faults.push(told(column, code, params));
  return {
    plan,
    known,
    cells,
    faults,
    notes,
    fault,
    issue: (column, [issue]) => fault(column, issue?.code ?? 'invalid_format', issue?.params),
    note: (column, code, value) => {
      const found = told(column, code);
      notes.push(value === undefined ? found : { ...found, value });
    },
  };
}
