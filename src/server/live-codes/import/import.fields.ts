import {
  type ImportField,
  type ImportSource,
  importFields,
  maximumTargetColumns,
  targetColumnParts,
} from '../../../contract/codes/code-import.ts';
import { accessModes, jumpTypes, languages, pageStyles, rotationModes, visitRestrictions } from '../../../contract/enums.ts';
import { builtInTexts } from '../../kit/messages/messages.ts';

/** Headings and words are compared without case, spaces and punctuation. */
export const plain = (text: string): string => text.toLowerCase().replace(/[\s_\-.,:;()（）：，、/]/g, '');

const everyWord = (key: string): string[] => languages.flatMap((language) => builtInTexts(language).get(key) ?? []);

/** What systems call the columns of their exports; all of the first list must be there to know one by. */
const sources: Record<
  Exclude<ImportSource, 'livecode' | 'other'>,
  { known_by: string[]; columns: Record<string, ImportField | 'target_1'> }
> = {
  yourls: {
    known_by: ['keyword', 'url'],
    columns: { keyword: 'file_name', url: 'target_1', title: 'name', timestamp: 'created', clicks: 'visits' },
  },
  kutt: {
    known_by: ['address', 'target'],
    columns: {
      address: 'file_name',
      target: 'target_1',
      description: 'name',
      createdat: 'created',
      visitcount: 'visits',
      expirein: 'expires_at',
    },
  },
  shlink: {
    known_by: ['shortcode', 'longurl'],
    columns: {
      shortcode: 'file_name',
      longurl: 'target_1',
      title: 'name',
      createdat: 'created',
      datecreated: 'created',
      visits: 'visits',
      visitscount: 'visits',
      tags: 'tags',
    },
  },
};

/** Other names that people give to columns. */
const aliases: Record<string, string> = {
  key: 'file_name',
  code: 'file_name',
  slug: 'file_name',
  短码: 'file_name',
  标题: 'name',
  title: 'name',
  note: 'remark',
  notes: 'remark',
  description: 'remark',
  url: 'target_1',
  link: 'target_1',
  target: 'target_1',
  destination: 'target_1',
  链接: 'target_1',
  网址: 'target_1',
  目标: 'target_1',
  目标链接: 'target_1',
  domain: 'entry_domain',
  域名: 'entry_domain',
  threshold: 'target_1_threshold',
  weight: 'target_1_weight',
  阈值: 'target_1_threshold',
  权重: 'target_1_weight',
};

let known: ReadonlyMap<string, string> | undefined;

/** Every heading of ours in every language, to its column. */
function headings(): ReadonlyMap<string, string> {
  if (known) return known;
  const made = new Map(Object.entries(aliases));
  const add = (column: string, words: readonly string[]) => {
    for (const word of [column, ...words]) made.set(plain(word), column);
  };
  for (let number = 1; number <= maximumTargetColumns; number += 1) {
    const named = (key: string) => everyWord(key).map((word) => word.replace(/\{\{\s*number\s*\}\}/, String(number)));
    add(`target_${number}`, named('code_import.target'));
    for (const part of targetColumnParts) add(`target_${number}_${part}`, named(`code_import.target_${part}`));
  }
  for (const field of importFields) add(field, everyWord(`code_import.field.${field}`));
  known = made;
  return made;
}

/** What the columns of a table seem to hold, each field once, and whose export it seems to be. */
export function guessColumns(header: readonly string[]): { source: ImportSource; columns: (string | null)[] } {
  const names = header.map(plain);
  const foreign = Object.entries(sources).find(([, { known_by }]) => known_by.every((name) => names.includes(name)));
  const table = headings();
  const guess = (name: string): string | null => (foreign ? (foreign[1].columns[name] ?? null) : (table.get(name) ?? null));
  const taken = new Set<string>();
  const columns = names.map((name) => {
    const column = guess(name);
    if (column === null || taken.has(column)) return null;
    taken.add(column);
    return column;
  });
  const source = foreign ? (foreign[0] as ImportSource) : taken.has('targets') && taken.has('rotation_mode') ? 'livecode' : 'other';
  return { source, columns };
}

const choice = (values: readonly (string | number)[], prefix: string): Map<string, string | number> =>
  new Map(values.flatMap((value) => [String(value), ...everyWord(`${prefix}.${value}`)].map((word) => [plain(word), value] as const)));

const yes = ['1', 'true', 'yes', 'y', 'on', '是', '开', '開', '√', 'có', 'ใช่', 'はい'];
const no = ['0', 'false', 'no', 'n', 'off', '否', '关', '關', '×', 'không', 'ไม่', 'いいえ'];
const flags = (words: Record<'yes' | 'no', string>): Map<string, boolean> =>
  new Map([
    ...[...yes, ...everyWord('common.yes'), ...everyWord(words.yes)].map((word) => [plain(word), true] as const),
    ...[...no, ...everyWord('common.no'), ...everyWord(words.no)].map((word) => [plain(word), false] as const),
  ]);

let words: Record<string, ReadonlyMap<string, string | number | boolean>> | undefined;

/** The values of fields that take one of a few, by every word for them. */
export function choiceWords(): Record<string, ReadonlyMap<string, string | number | boolean>> {
  words ??= {
    rotation_mode: choice(rotationModes, 'qr_code_list.rotation'),
    jump_type: choice(jumpTypes, 'qr_code_list.jump'),
    access_mode: choice(accessModes, 'qr_code_list.access'),
    restriction_visit: choice(visitRestrictions, 'qr_code_list.restriction'),
    page_style: choice(pageStyles, 'qr_code_list.page_style'),
    open: flags({ yes: 'qr_code_list.open.yes', no: 'qr_code_list.open.no' }),
    open_log: flags({ yes: 'qr_code_list.log.yes', no: 'qr_code_list.log.no' }),
    same_target: flags({ yes: 'common.yes', no: 'common.no' }),
  };
  return words;
}
