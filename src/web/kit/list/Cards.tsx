import { Checkbox, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../texts/text.ts';
import { RowActions } from './RowActions.tsx';
import { useSliced } from './table/useSliced.ts';
import type { Column, RowAction } from './types.ts';
import type { ListState } from './useListState.ts';

type CardsProps<Row extends object> = {
  /** Undefined while the first answer is awaited. */
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  actions: readonly RowAction<Row>[];
  /** Replaces the card's content. */
  card?: (row: Row) => ReactNode;
  state: ListState;
  selection?: { has: (row: Row) => boolean; toggle: (row: Row) => void };
};

export function cell<Row extends object>(column: Column<Row>, row: Row): ReactNode {
  if (column.render) return column.render(row);
  const value = (row as Record<string, unknown>)[column.key];
  return value === null || value === undefined || value === '' ? <span className="lc-soft">–</span> : String(value);
}

function partsOf<Row>(columns: readonly Column<Row>[]) {
  const marked = columns.filter((column) => column.card);
  if (marked.length === 0) return { title: columns[0], aside: undefined, fields: columns.slice(1, 4) };
  const title = marked.find((column) => column.card === 'title');
  const aside = marked.find((column) => column.card === 'aside');
  // The head has room for one of each; a second one, such as the state beside the user, is told below it.
  return { title, aside, fields: marked.filter((column) => column !== title && column !== aside) };
}

/** A list on a phone: each row is a card with its main fields and its actions. */
export const Cards = <Row extends object>(props: CardsProps<Row>): ReactNode => useSliced(props, CardsOf);
const CardsOf = <Row extends object>({ rows, state: _state, ...props }: CardsProps<Row>): ReactNode =>
  rows ? <CardList rows={rows} {...props} /> : <CardSkeletons />;

type CardListProps<Row extends object> = Omit<CardsProps<Row>, 'state'> & { rows: readonly Row[] };

function CardList<Row extends object>({ rows, columns, keyOf, actions, card, selection }: CardListProps<Row>) {
  const { t } = useTranslation();
  const text = useText();
  const { title, aside, fields } = partsOf(columns);
  return (
    <ul className="lc-cards">
      {rows.map((row) => (
        <li key={keyOf(row)} className="lc-card">
          {card ? (
            card(row)
          ) : (
            <>
              <div className="lc-card-head">
                {selection && (
                  <Checkbox checked={selection.has(row)} onChange={() => selection.toggle(row)} aria-label={t('common.select_row')} />
                )}
                <div className="lc-card-title">{title && cell(title, row)}</div>
                {aside && <div>{cell(aside, row)}</div>}
              </div>
              <dl className="lc-card-fields">
                {fields.map((column) => (
                  <div key={column.key}>
                    <dt>{text(column.title)}</dt>
                    <dd>{cell(column, row)}</dd>
                  </div>
                ))}
              </dl>
            </>
          )}
          {actions.length > 0 && <RowActions row={row} actions={actions} />}
        </li>
      ))}
    </ul>
  );
}

function CardSkeletons() {
  return (
    <ul className="lc-cards" aria-hidden>
      {[0, 1, 2, 3].map((key) => (
        <li key={key} className="lc-card">
          <Skeleton active title={{ width: '50%' }} paragraph={{ rows: 2 }} />
        </li>
      ))}
    </ul>
  );
}
