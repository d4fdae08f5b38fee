import { z } from 'zod';
import { columnOf, type ImportPlan, type RowFault, remarkColumns } from '../../../contract/codes/code-import.ts';
import type { TargetInput } from '../../../contract/codes/live-code.ts';
import { fieldsInCells, fileNamePattern, liveCodeFields } from '../../../contract/codes/live-code-fields.ts';
import { domainType } from '../../../contract/enums.ts';
import { fieldIssues } from '../../../contract/kit/issues.ts';
import { asRegistered } from '../../domains/domains.public.ts';
import { truncate } from '../../kit/texts.ts';
import { reservedFileNames } from '../../kit/visits/visit-paths.ts';
import { urlFault } from '../live-codes.rules.ts';
import { choiceWords, plain } from './import.fields.ts';
import { type Known, type ReadRow, readRow } from './import.row.ts';
import { readTargets } from './import.targets.ts';
import { momentOf } from './import.times.ts';

export type CheckedRow = {
  row: number;
  action: 'add' | 'update' | 'skip' | 'refuse';
  /** Null where one is to be made. */
  file_name: string | null;
  /** The code that is updated. */
  id: number | null;
  fields: Record<string, unknown>;
  group: string | undefined;
  targets: TargetInput[] | undefined;
  faults: RowFault[];
  notes: RowFault[];
};
type Key = Pick<CheckedRow, 'action' | 'file_name' | 'id'>;
type Fields = CheckedRow['fields'];

const maxGroupName = 64;
const groupName = z.string().trim().min(1).max(maxGroupName);
const domainTypeOf = { entry_domain_id: domainType.entry, landing_domain_id: domainType.landing };

/** Checks one row after the other: a key that stands in the file twice, or among the keys of `earlier` rows, is a fault of the later row. */
export function createRowChecker(plan: ImportPlan, header: readonly string[], known: Known, earlier: readonly string[] = []) {
  const seen = new Set(earlier);

  return (texts: readonly string[], number: number): CheckedRow => {
    const row = readRow(texts, number, { plan, header, known });
    const fields = readFields(row);
    const targets = readTargets(row);
    const key = readKey(row, seen);
    const group = readGroup(row);
    if (key.action === 'add') {
      if (!targets) row.fault('target_1', 'required');
      if (fields.name === undefined) {
        fields.name = nameFrom(key.file_name, targets);
        row.note('name', 'import_named', String(fields.name));
      }
    }
    noteForward(row, key, fields);
    const { faults, notes } = row;
    const action = faults.length > 0 ? 'refuse' : key.action;
    if (action !== 'refuse' && key.file_name) seen.add(key.file_name);
    return { row: number, action, file_name: key.file_name, id: key.id, fields, group, targets, faults, notes };
  };
}

function readFields(row: ReadRow): Fields {
  const fields = { ...readTexts(row), ...readChoices(row) };
  const fault = typeof fields.fallback_url === 'string' ? urlFault(fields.fallback_url, row.known.schemes) : undefined;
  if (fault) row.fault('fallback_url', fault);
  Object.assign(fields, readDomains(row), readTimes(row));
  return withRemark(row, fields);
}

function readTexts({ cells, issue }: ReadRow): Fields {
  const fields: Fields = {};
  for (const field of fieldsInCells('text')) {
    const cell = cells.get(field);
    if (!cell) continue;
    const parsed = liveCodeFields[field].safeParse(cell.text);
    if (parsed.success) fields[field] = parsed.data;
    else issue(field, fieldIssues(parsed.error));
  }
  return fields;
}

function readChoices({ cells, fault }: ReadRow): Fields {
  const fields: Fields = {};
  for (const [field, words] of choiceWords()) {
    const cell = cells.get(field);
    if (!cell) continue;
    const value = words.get(plain(cell.text));
    if (value === undefined) fault(field, 'invalid_choice');
    else fields[field] = value;
  }
  return fields;
}

/** A domain that visitors cannot open is told of, and taken only where the caller says so. */
function readDomains({ plan, cells, known, fault, note }: ReadRow): Fields {
  const fields: Fields = {};
  for (const field of fieldsInCells('domain')) {
    const column = columnOf(field);
    const cell = cells.get(column);
    if (!cell) continue;
    const found = known.domains.get(asRegistered(cell.text));
    if (found?.type !== domainTypeOf[field]) {
      fault(column, 'unknown_domain');
      continue;
    }
    if (found.risk) note(column, `risky_domain_${found.risk}`);
    if (!found.risk || plan.accept_risk) fields[field] = found.id;
  }
  return fields;
}

function readTimes({ cells, known, fault }: ReadRow): Fields {
  const fields: Fields = {};
  for (const field of fieldsInCells('time')) {
    const cell = cells.get(field);
    if (!cell) continue;
    const moment = momentOf(cell.text, known.time_zone);
    if (moment === undefined) fault(field, 'invalid_format');
    else fields[field] = moment;
  }
  return fields;
}

/** What other systems know of a code and we have no field for is kept in words. */
function withRemark({ cells }: ReadRow, fields: Fields): Fields {
  const parts = remarkColumns.flatMap((column) => {
    const cell = cells.get(column);
    return cell ? [`${cell.heading} ${cell.text}`] : [];
  });
  if (parts.length === 0) return fields;
  const remark = [fields.remark, parts.join(', ')].filter(Boolean).join(' · ');
  return { ...fields, remark: truncate(remark.replace(/\p{Cc}/gu, ' '), 200).trim() };
}

function readGroup({ cells, fault }: ReadRow): string | undefined {
  const group = cells.get('group')?.text;
  if (group !== undefined && !groupName.safeParse(group).success) fault('group', 'too_long', { maximum: maxGroupName });
  return group;
}

const newKey = (file_name: string | null): Key => ({ action: 'add', file_name, id: null });

/** What becomes of a row by its key; `seen` are those of the rows before it. */
function readKey(row: ReadRow, seen: ReadonlySet<string>): Key {
  const { plan, known } = row;
  const text = row.cells.get('file_name')?.text;
  if (text === undefined) return newKey(null);
  const key = text.toLowerCase();
  if (!fileNamePattern.test(key) || reservedFileNames.includes(key)) {
    if (plan.odd_keys === 'refuse') row.fault('file_name', fileNamePattern.test(key) ? 'reserved' : 'invalid_file_name');
    else row.note('file_name', 'import_key_replaced');
    return newKey(null);
  }
  if (key !== text) row.note('file_name', 'import_key_lowered');
  const present = known.keys.get(key);
  const isTwice = seen.has(key);
  if (!present && !isTwice) return newKey(key);
  if (plan.existing === 'new_key') {
    row.note('file_name', 'import_key_replaced');
    return newKey(null);
  }
  if (!isTwice && plan.existing === 'skip') return { action: 'skip', file_name: key, id: null };
  if (!isTwice && present?.owner_id === known.owner_id && !present.removed) return { action: 'update', file_name: key, id: present.id };
  row.fault('file_name', isTwice ? 'repeated' : 'taken');
  return { action: 'refuse', file_name: key, id: null };
}

/** The code is made all the same: it is reached on other domains, or when the forward goes. */
function noteForward({ known, note }: ReadRow, key: Key, fields: Fields): void {
  if (key.action !== 'add' && key.action !== 'update') return;
  const present = key.action === 'update' ? known.keys.get(key.file_name ?? '')?.entry_domain_id : known.usual_entry?.id;
  const entry = typeof fields.entry_domain_id === 'number' ? fields.entry_domain_id : present;
  if (entry && known.isForwarded(entry, key.file_name)) note('file_name', 'import_forwarded');
}

function nameFrom(file_name: string | null, targets: readonly TargetInput[] | undefined): string {
  const content = targets?.[0]?.content ?? '';
  const host = URL.canParse(content) ? new URL(content).host : content;
  return truncate((file_name ?? host).replace(/\p{Cc}+/gu, ' '), 64).trim() || '-';
}
