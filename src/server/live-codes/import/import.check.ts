import { setImmediate } from 'node:timers/promises';
import type { codeImport, ImportPlan, RowFault } from '../../../contract/codes/code-import.ts';
import type { DomainOption } from '../../../contract/domains/domain-list.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { groupsOf, lookUp } from './import.known.ts';
import { type CheckedRow, createRowChecker } from './import.rows.ts';
import { type ImportHead, keysOf, readRows, sheetRow } from './import.run.ts';

type Checked = OutputOf<(typeof codeImport)['calls']['check']>;

const [maxFaults, maxNotes, maxDomains, previewRows] = [2000, 200, 50, 20];
/** Few enough to hold, many enough for each look-up. */
const rowsAtOnce = 500;
/** After so many rows others have their turn. */
const rowsInTurn = 25;

const countedAs = { add: 'added', update: 'updated', skip: 'skipped', refuse: 'refused' } as const;

const previewOf = (row: CheckedRow): Checked['preview'][number] => ({
  row: row.row,
  file_name: row.file_name ?? '',
  name: String(row.fields.name ?? ''),
  targets: (row.targets ?? []).slice(0, 5).map(({ kind, content }) => ({ kind, content: content.slice(0, 200) })),
  group: row.group ?? '',
});

/** What importing the file would do: a portion of its rows after the other, of which only what is told is kept. */
export async function checkImport(plan: ImportPlan, stored: ImportHead, { db, scope }: Context): Promise<Checked> {
  const groups = await groupsOf(db, scope.owner_id);
  const newGroups = new Set<string>();
  const told: Checked = {
    added: 0,
    updated: 0,
    skipped: 0,
    refused: 0,
    faults: [],
    notes: [],
    new_groups: [],
    domains: [],
    usual_entry: null,
    preview: [],
  };
  const domains = new Map<number, DomainOption>();
  const add = <T>(list: T[], more: readonly T[], most: number) => list.push(...more.slice(0, most - list.length));

  function tell(row: CheckedRow): void {
    told[countedAs[row.action]] += 1;
    add(told.faults, row.faults, maxFaults);
    if (row.action !== 'add' && row.action !== 'update') return;
    add(told.notes, row.notes, maxNotes);
    if (told.preview.length < previewRows) told.preview.push(previewOf(row));
    const group = row.group?.trim();
    if (group && !groups.has(group) && newGroups.size < maxNotes) newGroups.add(group);
  }

  const earlier: string[] = [];
  for (let from = 0; from < stored.row_number; from += rowsAtOnce) {
    const rows = await readRows(db, stored.id, { from, count: rowsAtOnce });
    const known = await lookUp(db, scope.owner_id, plan, rows);
    for (const named of known.domains.values()) if (domains.size < maxDomains) domains.set(named.id, named);
    told.usual_entry = known.usual_entry;
    const checkRow = createRowChecker(plan, stored.header, known, earlier);
    const faults: RowFault[] = [];
    for (const [at, texts] of rows.entries()) {
      if (at % rowsInTurn === 0) await setImmediate();
      const row = checkRow(texts, sheetRow(from + at));
      faults.push(...row.faults);
      tell(row);
    }
    earlier.push(...keysOf({ rows, from }, plan, faults));
  }
  return { ...told, new_groups: [...newGroups], domains: [...domains.values()] };
}
