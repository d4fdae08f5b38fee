import { PictureOutlined } from '@ant-design/icons';
import { Image } from 'antd';
import type { ComponentProps, ReactNode } from 'react';
import type { z } from 'zod';
import type { CursorPage, Page } from '../../../contract/kit/page.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import { Copyable, Num, Status, Time } from '../feedback.ts';
import { translate } from '../texts/i18n.ts';
import { RankCell } from './RankCell.tsx';
import type { Column } from './types.ts';

/** How a row's field is shown, aligned, exported, and how wide it is. */
type FieldKind<Row> =
  | { kind?: 'text' | 'name' | 'number' | 'time' | 'copy' | 'picture'; node?: NodeKey }
  /** A switch, with words for on and off. */
  | { kind: 'enabled'; yes?: string; no?: string; node?: NodeKey }
  /** A rank, changed in its place by holders of the node. */
  | { kind: 'rank'; node: NodeKey; name: (row: Row) => string; save: (row: Row, sort: number) => Promise<unknown> };

/** What is made of the whole row; its key need not be a field. */
type RowKind<Row> = { node?: NodeKey } & (
  | { kind: 'status'; status: (row: Row) => ComponentProps<typeof Status> }
  /** The message for one of a closed list of values. */
  | { kind: 'label'; label: (row: Row) => string }
  | { kind?: undefined; render: (row: Row) => ReactNode }
);

/** A column by its kind. What is given besides replaces what comes with the kind. */
export type KindColumn<Row> = (({ key: keyof Row & string } & FieldKind<Row>) | ({ key: string } & RowKind<Row>)) &
  Partial<Omit<Column<Row>, 'key' | 'node'>>;

type Shape<Row> = Pick<Column<Row>, 'width'> & Partial<Column<Row>>;

/** A small picture that opens large; a row without one is as high as the others. */
function Thumbnail({ url, label }: { url: string | null; label: string }) {
  if (!url) return <PictureOutlined className="lc-thumb lc-thumb-empty" aria-hidden />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only stops clicks of the picture inside.
    <span onClick={(event) => event.stopPropagation()}>
      <Image className="lc-thumb" src={url} alt={label} width={40} height={40} loading="lazy" />
    </span>
  );
}

/** So many of a fixed-width face fit into a column beside its picture for copying. */
const charactersIn = (width: number): number => Math.floor((width - 40) / 7.9);

const fieldOf = (row: unknown, key: string): unknown => (row as Record<string, unknown>)[key];
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

function statusShape<Row>(statusOf: (row: Row) => ComponentProps<typeof Status>): Partial<Column<Row>> {
  const words = (row: Row) => statusOf(row).label;
  return { card: 'aside', words, exportValue: words, render: (row) => <Status {...statusOf(row)} /> };
}

/** What comes with a kind. */
function shapeOf<Row>(column: KindColumn<Row>): Shape<Row> {
  const { key } = column;
  const shown = (render: (value: unknown, row: Row) => ReactNode) => ({ render: (row: Row) => render(fieldOf(row, key), row) });
  switch (column.kind) {
    case 'name':
      return { width: 220, card: 'title' };
    case 'number':
      return { width: 110, align: 'right', card: 'field', ...shown((value) => <Num value={value as number | null} />) };
    case 'time':
      return { width: 140, ...shown((value) => <Time value={value as string | null} />) };
    case 'copy': {
      const { width = 220 } = column;
      const maximum = charactersIn(width);
      return { width, ...shown((value) => (textOf(value) === '' ? null : <Copyable value={textOf(value)} maximum={maximum} code />)) };
    }
    case 'picture':
      return {
        width: 90,
        card: 'field',
        ...shown((value) => <Thumbnail url={value as string | null} label={translate(column.title ?? key)} />),
      };
    case 'enabled': {
      const { yes = 'common.enabled', no = 'common.disabled' } = column;
      const isOn = (row: Row) => fieldOf(row, key) === true;
      return { width: 100, ...statusShape((row) => ({ kind: isOn(row) ? 'success' : 'neutral', label: isOn(row) ? yes : no })) };
    }
    case 'status':
      return { width: 110, ...statusShape(column.status) };
    case 'label':
      return { width: 120, words: column.label, exportValue: column.label, render: (row) => translate(column.label(row)) };
    case 'rank': {
      const { node, name, save } = column;
      const cell = (value: unknown, row: Row) => (
        <RankCell value={Number(value)} name={name(row)} node={node} save={(sort) => save(row, sort)} />
      );
      return { width: 120, align: 'right', card: 'field', ...shown(cell) };
    }
    default:
      return { width: 180 };
  }
}

/** The columns that a list call can sort by, from its contract. */
function sortableOf({ call }: Pick<Endpoint<never, unknown>, 'call'>): ReadonlySet<string> {
  const sort = call.input.shape.sort as z.ZodOptional<z.ZodEnum<Record<string, string>>> | undefined;
  return new Set(sort?.unwrap().options ?? []);
}

/**
 * The columns of a list by their fields' kinds. A column is sortable where the call can sort by it; its title is the message
 * `screen.field`, or the one that all screens share.
 */
export function columnsOf<I extends object, Row extends object>(
  list: Endpoint<I, Page<Row>> | Endpoint<I, CursorPage<Row>>,
  columns: readonly KindColumn<Row>[],
): Column<Row>[] {
  const sortable = sortableOf(list);
  return columns.map((column) => {
    const { kind, node, ...own } = column;
    const seenBy = node && kind !== 'rank' ? { node } : {};
    return { title: `${list.group}.${column.key}`, sortable: sortable.has(column.key), ...shapeOf(column), ...seenBy, ...own };
  });
}
