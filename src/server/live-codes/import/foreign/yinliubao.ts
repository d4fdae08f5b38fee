import type { TargetInput } from '../../../../contract/codes/live-code.ts';
import { truncate } from '../../../kit/texts.ts';

/** As its own installer makes the tables (liKeYun_Ylb 2.x): the columns of one kind of code all begin alike. */
type Kind = {
  prefix: 'qun' | 'kf' | 'dwz' | 'channel';
  /** Both must be there to know the table by. */
  known_by: readonly [string, string];
};
const kinds: readonly Kind[] = [
  // Codes of groups and of customer service, joined with their sub-codes: a row for each of these.
  { prefix: 'qun', known_by: ['qun_id', 'zm_qrcode'] },
  { prefix: 'kf', known_by: ['kf_id', 'zm_qrcode'] },
  { prefix: 'dwz', known_by: ['dwz_key', 'dwz_url'] },
  { prefix: 'channel', known_by: ['channel_key', 'channel_url'] },
];

/** What the columns are called in its own words; `import.fields.ts` knows them again. */
const header = ['短链接Key', '标题', '状态', '备注', '创建时间', '访问量', '展示模式', '子码'];

const maxRemark = 100;
const disabled = '2';
const random = '2';

/** The cell of a column; what the database had not is empty, as tools write that in a word. */
type Cell = (column: string) => string;

/**
 * A table of 引流宝 as one that has a row for each code, with its sub-codes as targets and the counts of both; any other table as it is.
 * What is left of a sub-code's threshold becomes its threshold here, because its picture has taken the visits that it had there.
 */
export function readYinliubao([names = [], ...rows]: string[][]): string[][] {
  const columns = new Map(names.map((name, at) => [name.trim().toLowerCase(), at] as const).reverse());
  const kind = kinds.find(({ known_by }) => known_by.every((name) => columns.has(name)));
  if (!kind) return [names, ...rows];
  const cellOf =
    (row: readonly string[]): Cell =>
    (column) => {
      const text = (row[columns.get(column) ?? -1] ?? '').trim();
      return text === 'NULL' || text === '\\N' ? '' : text;
    };
  const { prefix } = kind;
  const hasSubcodes = prefix === 'qun' || prefix === 'kf';
  const codes = Map.groupBy(rows.map(cellOf), (cell) => cell(hasSubcodes ? `${prefix}_id` : `${prefix}_key`));
  return [
    header,
    ...[...codes].flatMap(([id, cells]) => (hasSubcodes ? [codeRow(kind, cells, id)] : cells.map((cell) => codeRow(kind, [cell], id)))),
  ];
}

function codeRow({ prefix }: Kind, cells: readonly Cell[], id: string): string[] {
  const of = (name: string): string => cells[0]?.(`${prefix}_${name}`) ?? '';
  const isRandom = prefix === 'kf' && of('model') === random;
  const hasSubcodes = prefix === 'qun' || prefix === 'kf';
  const subcodes = hasSubcodes ? cells.filter((cell) => cell('zm_qrcode') !== '') : [];
  const targets = hasSubcodes ? subcodes.map((cell) => subcodeOf(cell, isRandom)) : linksOf(of);
  const counts = subcodes.map((cell) => cell('zm_pv') || '0').join('、');
  return [
    of('key'),
    of('title') || id,
    of('status') === disabled ? '0' : '1',
    truncate(of('beizhu').replace(/\s+/g, ' '), maxRemark),
    of('creat_time'),
    of('pv') + (counts === '' ? '' : `（子码 ${counts}）`),
    isRandom ? '2' : '1',
    targets.length === 0 ? '' : JSON.stringify(targets),
  ];
}

/** A sub-code's picture stays where it is: its address is what visitors are sent to. */
function subcodeOf(cell: Cell, isRandom: boolean): TargetInput {
  const [threshold, visits] = [Number(cell('zm_yz')) || 0, Number(cell('zm_pv')) || 0];
  return {
    kind: 'url',
    content: cell('zm_qrcode'),
    name: cell('zm_leader') || cell('zm_num'),
    threshold: isRandom || threshold === 0 ? null : Math.max(threshold - visits, 0),
    enabled: cell('zm_status') !== disabled,
  };
}

/** A short link leads visitors of some systems elsewhere. */
function linksOf(of: (name: string) => string): TargetInput[] {
  const ofSystems = (['android', 'ios', 'windows'] as const).flatMap((system): TargetInput[] => {
    const content = of(`${system}_url`);
    return content === '' ? [] : [{ kind: 'url', content, rules: [{ systems: [system] }] }];
  });
  return of('url') === '' ? ofSystems : [{ kind: 'url', content: of('url') }, ...ofSystems];
}
