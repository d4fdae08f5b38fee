import { Image } from 'antd';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import type { Page } from '../../../contract/kit/page.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Endpoint } from '../calls/api.ts';
import { Copyable, Num, Status, Time } from '../feedback.ts';
import { RankCell } from './RankCell.tsx';
import type { Column } from './types.ts';

/** How a row's field is shown, aligned, exported, and how wide it is. */
type Kind<Row> =
  | { kind?: 'text' | 'name' | 'number' | 'time' | 'copy' | 'picture' }
  /** A switch, with words for on and off. */
  | { kind: 'enabled'; yes?: string; no?: string }
  /** A rank that is changed in its place. */
  | { kind: 'rank'; node: NodeKey; name: (row: Row) => string; save: (row: Row, sort: number) => Promise<unknown> };

/** A column by its field's kind. What is given besides replaces what comes with the kind. */
export type KindColumn<Row> = { key: keyof Row & string } & Kind<Row> & Partial<Omit<Column<Row>, 'key' | 'node'>>;

type Shape<Row> = Pick<Column<Row>, 'width'> & Partial<Column<Row>>;

/** A small picture that opens large. */
function Thumbnail({ url, label }: { url: string | null; label: string }) {
  if (!url) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only stops clicks of the picture inside.
    <span onClick={(event) => event.stopPropagation()}>
      <Image className="lc-thumb" src={url} alt={label} width={48} height={48} loading="lazy" />
    </span>
  );
}

const fieldOf = <Row,>(row: Row, key: keyof Row & string): unknown => row[key];
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

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
    case 'copy':
      return { width: 220, ...shown((value) => (textOf(value) === '' ? null : <Copyable value={textOf(value)} code />)) };
    case 'picture':
      return { width: 90, card: 'field', ...shown((value) => <Thumbnail url={value as string | null} label={column.title ?? key} />) };
    case 'enabled': {
      const { yes = 'common.enabled', no = 'common.disabled' } = column;
      const label = (row: Row) => (fieldOf(row, key) === true ? yes : no);
      return {
        width: 100,
        card: 'aside',
        exportValue: label,
        render: (row) => <Status kind={fieldOf(row, key) === true ? 'success' : 'neutral'} label={label(row)} />,
      };
    }
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
  list: Endpoint<I, Page<Row>>,
  columns: readonly KindColumn<Row>[],
): Column<Row>[] {
  const sortable = sortableOf(list);
  return columns.map((column) => {
    const { kind: _kind, ...own } = column;
    return { title: `${list.group}.${column.key}`, sortable: sortable.has(column.key), ...shapeOf(column), ...own };
  });
}
