import { maxTargets, type TargetInput, targetInput } from '../../../contract/codes/live-code.ts';
import { fieldIssues } from '../../../contract/kit/issues.ts';
import { urlFault } from '../live-codes.rules.ts';
import type { Known, ReadRow } from './import.row.ts';

/** A number as people write it; what is none stays a text, which the check refuses. */
const figureOf = (text: string): unknown => (/^\d[\d,，\s]*$/.test(text) ? Number(text.replace(/[,，\s]/g, '')) : text);

/** A picture on another site, which ends with it. */
const pictureAddress = /^https?:\/\/[^?#]+\.(?:png|jpe?g|gif|webp)(?:[?#]|$)/i;

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

/** The targets of a row, from the column of all and from those of single ones; undefined where it has none. */
export function readTargets(row: ReadRow): TargetInput[] | undefined {
  const whole = row.cells.get('targets');
  const given = whole ? targetsOf(whole.text) : [];
  // An export says what each target is; of others it is told how they were taken.
  const isTold = whole?.text.startsWith('[{') ?? false;
  if (given === undefined) {
    row.fault('targets', 'invalid_format');
    return undefined;
  }
  const targets = [...given.map((target) => ({ target, column: 'targets' })), ...numberedTargets(row)];
  if (targets.length > maxTargets) row.fault('targets', 'too_many', { maximum: maxTargets });
  const checked = targets.flatMap(({ target, column }) => checkTarget(target, column, row, !isTold || column !== 'targets') ?? []);
  return targets.length > 0 ? checked : undefined;
}

function numberedTargets({ plan, cells }: ReadRow): { target: unknown; column: string }[] {
  return plan.columns.flatMap((column) => {
    const content = column && /^target_\d+$/.test(column) ? cells.get(column)?.text : undefined;
    if (!column || content === undefined) return [];
    const part = (name: string) => cells.get(`${column}_${name}`)?.text;
    const figure = (name: string) => (part(name) === undefined ? {} : { [name]: figureOf(part(name) ?? '') });
    const name = part('name') === undefined ? {} : { name: part('name') };
    return [{ target: { ...fromText(content), ...name, ...figure('weight'), ...figure('threshold') }, column }];
  });
}

function checkTarget(target: unknown, column: string, row: ReadRow, isGuessed: boolean): TargetInput | undefined {
  const parsed = targetInput.omit({ id: true }).safeParse(target);
  if (!parsed.success) {
    const issues = fieldIssues(parsed.error);
    const part = `${column}_${issues[0]?.path}`;
    row.issue(row.cells.has(part) ? part : column, issues);
    return undefined;
  }
  const { data } = parsed;
  const fault = contentFault(data, row.known);
  if (fault) row.fault(column, fault);
  if (data.kind === 'url' && pictureAddress.test(data.content)) row.note(column, 'import_picture_address', data.content.slice(0, 100));
  if (data.kind === 'text' && isGuessed) row.note(column, bareAddress.test(data.content) ? 'import_address_as_text' : 'import_text');
  return data;
}

function contentFault({ kind, content }: TargetInput, { schemes, files }: Known): string | undefined {
  if (kind === 'url') return urlFault(content, schemes);
  return kind === 'picture' && !files.has(Number(content)) ? 'unknown_file' : undefined;
}
