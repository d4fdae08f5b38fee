import { z } from 'zod';
import type { ImportPlan, RowFault } from '../../../contract/codes/code-import.ts';
import { fileNamePattern, liveCodeFields, maximumTargets, type TargetInput, targetInput } from '../../../contract/codes/live-code.ts';
import { domainType } from '../../../contract/enums.ts';
import { type FieldIssue, fieldIssues } from '../../../contract/kit/issues.ts';
import { asRegistered } from '../../domains/domains.public.ts';
import { beginning } from '../../kit/texts.ts';
import { reservedFileNames } from '../../kit/visits/visit-paths.ts';
import { urlFault } from '../live-codes.rules.ts';
import { choiceWords, plain } from './import.fields.ts';
import { momentOf } from './import.times.ts';

/** What rows are checked against, looked up once for many of them. */
export type Known = {
  owner_id: number;
  schemes: readonly string[];
  time_zone: string;
  domains: ReadonlyMap<string, { id: number; type: number }>;
  keys: ReadonlyMap<string, { id: number; owner_id: number; removed: boolean; entry_domain_id: number | null }>;
  /** The entry domain of new codes that name none. */
  usual_entry_id: number | null;
  /** Whether a forward answers in the place of a code of this key, or of any key, on this domain. */
  isForwarded: (domain_id: number, file_name: string | null) => boolean;
  /** Ids of uploads that may be targets. */
  files: ReadonlySet<number>;
};

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

type Cells = ReadonlyMap<string, { text: string; heading: string }>;

const plainFields = ['name', 'remark', 'fallback_url', 'page_title', 'page_text', 'page_color'] as const;
const longestGroupName = 64;
const groupName = z.string().trim().min(1).max(longestGroupName);

/** Checks one row after the other: a key that stands in the file twice, or among the keys of `earlier` rows, is a fault of the later row. */
export function createRowChecker(plan: ImportPlan, header: readonly string[], known: Known, earlier: readonly string[] = []) {
  const seen = new Set(earlier);

  return (texts: readonly string[], row: number): CheckedRow => {
    const cells: Cells = new Map(
      plan.columns.flatMap((column, at) => {
        const text = (texts[at] ?? '').trim();
        return column === null || text === '' ? [] : [[column, { text, heading: header[at] || column }] as const];
      }),
    );
    const faults: RowFault[] = [];
    const notes: RowFault[] = [];
    const note = (into: RowFault[], column: string, code: string, params: RowFault['params'] = {}) => {
      const { heading = column, text = '' } = cells.get(column) ?? {};
      into.push({ row, column: heading, code, ...(Object.keys(params).length > 0 && { params }), value: beginning(text, 100) });
    };
    const noteIssue = (column: string, [issue]: readonly FieldIssue[]) =>
      note(faults, column, issue?.code ?? 'invalid_format', issue?.params);

    const fields: Record<string, unknown> = {};
    for (const column of plainFields) readPlain(column);
    for (const [column, words] of Object.entries(choiceWords())) {
      const cell = cells.get(column);
      if (!cell) continue;
      const value = words.get(plain(cell.text));
      if (value === undefined) note(faults, column, 'invalid_choice');
      else fields[column] = value;
    }
    readFallback();
    readDomain('entry_domain', 'entry_domain_id', domainType.entry);
    readDomain('landing_domain', 'landing_domain_id', domainType.landing);
    readExpiry();
    readRemark();
    const targets = readTargets();
    const key = readKey();
    const group = cells.get('group')?.text;
    if (group !== undefined && !groupName.safeParse(group).success) note(faults, 'group', 'too_long', { maximum: longestGroupName });
    if (key.action === 'add') {
      if (!targets) note(faults, 'target_1', 'required');
      fields.name ??= nameFrom(key.file_name, targets);
    }
    warnOfForward();
    const action = faults.length > 0 ? 'refuse' : key.action;
    if (action !== 'refuse' && key.file_name) seen.add(key.file_name);
    return { row, action, file_name: key.file_name, id: key.id, fields, group, targets, faults, notes };

    /** The code is made all the same: it is reached on other domains, or when the forward goes. */
    function warnOfForward(): void {
      if (key.action !== 'add' && key.action !== 'update') return;
      const present = key.action === 'update' ? known.keys.get(key.file_name ?? '')?.entry_domain_id : known.usual_entry_id;
      const entry = typeof fields.entry_domain_id === 'number' ? fields.entry_domain_id : present;
      if (entry && known.isForwarded(entry, key.file_name)) note(notes, 'file_name', 'import_forwarded');
    }

    function readPlain(column: (typeof plainFields)[number]): void {
      const cell = cells.get(column);
      if (!cell) return;
      const parsed = liveCodeFields[column].safeParse(cell.text);
      if (parsed.success) fields[column] = parsed.data;
      else noteIssue(column, fieldIssues(parsed.error));
    }

    function readFallback(): void {
      const fault = typeof fields.fallback_url === 'string' ? urlFault(fields.fallback_url, known.schemes) : undefined;
      if (fault) note(faults, 'fallback_url', fault);
    }

    function readDomain(column: string, field: string, type: number): void {
      const cell = cells.get(column);
      if (!cell) return;
      const found = known.domains.get(asRegistered(cell.text));
      if (found?.type === type) fields[field] = found.id;
      else note(faults, column, 'unknown_domain');
    }

    function readExpiry(): void {
      const cell = cells.get('expires_at');
      if (!cell) return;
      const moment = momentOf(cell.text, known.time_zone);
      if (moment === undefined) note(faults, 'expires_at', 'invalid_format');
      else fields.expires_at = moment;
    }

    /** What other systems know of a code and we have no field for is kept in words. */
    function readRemark(): void {
      const parts = ['created', 'visits', 'tags'].flatMap((column) => {
        const cell = cells.get(column);
        return cell ? [`${cell.heading} ${cell.text}`] : [];
      });
      if (parts.length === 0) return;
      const remark = [fields.remark, parts.join(', ')].filter(Boolean).join(' · ');
      fields.remark = beginning(remark.replace(/\p{Cc}/gu, ' '), 200).trim();
    }

    function readKey(): Pick<CheckedRow, 'action' | 'file_name' | 'id'> {
      const text = cells.get('file_name')?.text;
      if (text === undefined) return { action: 'add', file_name: null, id: null };
      const key = text.toLowerCase();
      if (!fileNamePattern.test(key) || reservedFileNames.includes(key)) {
        if (plan.odd_keys === 'refuse') note(faults, 'file_name', fileNamePattern.test(key) ? 'reserved' : 'invalid_file_name');
        else note(notes, 'file_name', 'import_key_replaced');
        return { action: 'add', file_name: null, id: null };
      }
      if (key !== text) note(notes, 'file_name', 'import_key_lowered');
      const present = known.keys.get(key);
      const isTwice = seen.has(key);
      if (!present && !isTwice) return { action: 'add', file_name: key, id: null };
      if (plan.existing === 'new_key') {
        note(notes, 'file_name', 'import_key_replaced');
        return { action: 'add', file_name: null, id: null };
      }
      if (isTwice) {
        note(faults, 'file_name', 'repeated');
        return { action: 'refuse', file_name: key, id: null };
      }
      if (plan.existing === 'skip') return { action: 'skip', file_name: key, id: null };
      if (present?.owner_id === known.owner_id && !present.removed) return { action: 'update', file_name: key, id: present.id };
      note(faults, 'file_name', 'taken');
      return { action: 'refuse', file_name: key, id: null };
    }

    function readTargets(): TargetInput[] | undefined {
      const whole = cells.get('targets');
      const given = whole ? targetsOf(whole.text) : [];
      if (given === undefined) {
        note(faults, 'targets', 'invalid_format');
        return undefined;
      }
      const targets = [...given.map((target) => ({ target, column: 'targets' })), ...numbered()];
      if (targets.length > maximumTargets) note(faults, 'targets', 'too_many', { maximum: maximumTargets });
      const checked = targets.flatMap(({ target, column }) => checkTarget(target, column) ?? []);
      return targets.length > 0 ? checked : undefined;
    }

    function numbered(): { target: unknown; column: string }[] {
      return plan.columns.flatMap((column) => {
        const content = column && /^target_\d+$/.test(column) ? cells.get(column)?.text : undefined;
        if (!column || content === undefined) return [];
        const part = (name: string) => cells.get(`${column}_${name}`)?.text;
        const figure = (name: string) => (part(name) === undefined ? {} : { [name]: figureOf(part(name) ?? '') });
        const name = part('name') === undefined ? {} : { name: part('name') };
        return [{ target: { ...fromText(content), ...name, ...figure('weight'), ...figure('threshold') }, column }];
      });
    }

    function checkTarget(target: unknown, column: string): TargetInput | undefined {
      const parsed = targetInput.omit({ id: true }).safeParse(target);
      if (!parsed.success) {
        const issues = fieldIssues(parsed.error);
        const part = `${column}_${issues[0]?.path}`;
        noteIssue(cells.has(part) ? part : column, issues);
        return undefined;
      }
      const { data } = parsed;
      const fault =
        data.kind === 'url'
          ? urlFault(data.content, known.schemes)
          : data.kind === 'picture' && !known.files.has(Number(data.content))
            ? 'unknown_file'
            : undefined;
      if (fault) note(faults, column, fault);
      if (data.kind === 'text' && bareAddress.test(data.content)) note(notes, column, 'import_address_as_text');
      return data;
    }
  };
}

/** A number as people write it; what is none stays a text, which the check refuses. */
const figureOf = (text: string): unknown => (/^\d[\d,，\s]*$/.test(text) ? Number(text.replace(/[,，\s]/g, '')) : text);

/** What was meant to be a link, as people write it without its scheme. */
const bareAddress = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u;

const fromText = (content: string): { kind: 'url' | 'text'; content: string } => ({
  kind: /^[a-z][a-z0-9+.-]*:\S+$/i.test(content) ? 'url' : 'text',
  content,
});

/** One target a line, or what an export wrote where they have more to tell; undefined where it can't be read. */
export function targetsOf(text: string): unknown[] | undefined {
  if (!text.startsWith('[{')) return text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [fromText(line.trim())]));
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function nameFrom(file_name: string | null, targets: readonly TargetInput[] | undefined): string {
  const content = targets?.[0]?.content ?? '';
  const host = URL.canParse(content) ? new URL(content).host : content;
  return beginning((file_name ?? host).replace(/\p{Cc}+/gu, ' '), 64).trim() || '-';
}
