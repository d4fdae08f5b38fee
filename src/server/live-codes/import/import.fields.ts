import {
  type ImportField,
  type ImportSource,
  importFields,
  maxTargetColumns,
  targetColumnParts,
} from '../../../contract/codes/code-import.ts';
import { type CodeField, codeField, fieldsInCells } from '../../../contract/codes/live-code-fields.ts';
import { languages } from '../../../contract/enums.ts';
import { builtInTexts } from '../../kit/messages/messages.ts';

/** Headings and words are compared without case, spaces and punctuation. */
export const plain = (text: string): string => text.toLowerCase().replace(/[\s_\-.,:;()（）：，、/]/g, '');

const everyWord = (key: string): string[] => languages.flatMap((language) => builtInTexts(language).get(key) ?? []);

/** What systems call the columns of their exports; one of each of the first lists must be there to know one by. */
const sources: Record<
  Exclude<ImportSource, 'livecode' | 'other'>,
  { known_by: string[][]; columns: Record<string, ImportField | 'target_1'> }
> = {
  yourls: {
    known_by: [['keyword'], ['url']],
    columns: { keyword: 'file_name', url: 'target_1', title: 'name', timestamp: 'created', clicks: 'visits' },
  },
  kutt: {
    known_by: [['address'], ['target']],
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
    known_by: [['shortcode'], ['longurl']],
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
  // Its own export, and what its API calls the same; `foreign/bitly.ts` makes keys of its whole short links.
  bitly: {
    known_by: [['bitlink', 'link'], ['longurl']],
    columns: {
      bitlink: 'file_name',
      link: 'file_name',
      longurl: 'target_1',
      title: 'name',
      created: 'created',
      createdat: 'created',
      datecreated: 'created',
      totalclicks: 'visits',
      clicks: 'visits',
      totalengagements: 'visits',
      engagements: 'visits',
      tags: 'tags',
    },
  },
  // As `foreign/yinliubao.ts` puts its tables together.
  yinliubao: {
    known_by: [['短链接key'], ['展示模式'], ['子码']],
    columns: {
      短链接key: 'file_name',
      标题: 'name',
      状态: 'open',
      备注: 'remark',
      创建时间: 'created',
      访问量: 'visits',
      展示模式: 'rotation_mode',
      子码: 'targets',
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
  for (let number = 1; number <= maxTargetColumns; number += 1) {
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
  const foreign = Object.entries(sources).find(([, { known_by }]) =>
    known_by.every((spellings) => spellings.some((name) => names.includes(name))),
  );
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

const yes = ['1', 'true', 'yes', 'y', 'on', '是', '开', '開', '√', 'có', 'ใช่', 'はい'];
const no = ['0', 'false', 'no', 'n', 'off', '否', '关', '關', '×', 'không', 'ไม่', 'いいえ'];

type CellValue = string | number | boolean;
/** The values of a field by the words for them. */
function valuesOf(field: CodeField): ReadonlyMap<string, CellValue> {
  const { cell, values = [], words } = codeField[field];
  const wordsOf = (value: string | number) => everyWord(`qr_code_list.${words}.${value}`);
  const spelled: [CellValue, string[]][] =
    cell === 'flag'
      ? [
          [true, [...yes, ...everyWord('common.yes'), ...wordsOf('yes')]],
          [false, [...no, ...everyWord('common.no'), ...wordsOf('no')]],
        ]
      : values.map((value) => [value, [String(value), ...wordsOf(value)]]);
  return new Map(spelled.flatMap(([value, spellings]) => spellings.map((word) => [plain(word), value])));
}

let words: readonly [CodeField, ReadonlyMap<string, CellValue>][] | undefined;

/** The fields that take one of a few values, each with those by every word for them. */
export function choiceWords(): readonly [CodeField, ReadonlyMap<string, CellValue>][] {
  words ??= [...fieldsInCells('choice'), ...fieldsInCells('flag')].map((field) => [field, valuesOf(field)]);
  return words;
}
