import { arrayMove } from '@dnd-kit/sortable';
import { Button, Checkbox, Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useText } from '../../texts/text.ts';
import { DragHandle, SortableList, useSortableRow } from '../SortableList.tsx';
import type { Density } from '../types.ts';
import type { Arrangement } from './arrangement.ts';

export type ColumnName = { key: string; title: string };

export type ColumnSettingsProps = {
  columns: readonly ColumnName[];
  arrangement: Arrangement;
  isOwn: boolean;
  change: (next: Arrangement | null) => void;
};

function ColumnRow({ column, isShown, isLast, onToggle }: { column: ColumnName; isShown: boolean; isLast: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  const text = useText();
  const { row, handle, isDragging } = useSortableRow(column.key);
  return (
    <li {...row} className={isDragging ? 'lc-column-row lc-column-dragged' : 'lc-column-row'}>
      <Checkbox checked={isShown} disabled={isLast} onChange={onToggle}>
        {text(column.title)}
      </Checkbox>
      <DragHandle {...handle} label={t('common.columns.move', { name: text(column.title) })} />
    </li>
  );
}

/** The columns with their switches, in an order that is dragged. */
export function ColumnList({ columns, arrangement, isOwn, change }: ColumnSettingsProps) {
  const { t } = useTranslation();
  const ordered = arrangement.order.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const shown = ordered.filter((column) => !arrangement.hidden.includes(column.key));

  function move(from: number, to: number) {
    change({ ...arrangement, order: arrayMove(arrangement.order, from, to) });
  }
  function toggle(key: string) {
    const hidden = arrangement.hidden.includes(key) ? arrangement.hidden.filter((other) => other !== key) : [...arrangement.hidden, key];
    change({ ...arrangement, hidden });
  }

  return (
    <div className="lc-columns">
      <Segmented<Density>
        block
        aria-label={t('common.density.title')}
        value={arrangement.density}
        onChange={(density) => change({ ...arrangement, density })}
        options={(['small', 'medium', 'large'] as const).map((value) => ({ value, label: t(`common.density.${value}`) }))}
      />
      <SortableList keys={arrangement.order} move={move}>
        <ul aria-label={t('common.columns.title')}>
          {ordered.map((column) => (
            <ColumnRow
              key={column.key}
              column={column}
              isShown={shown.includes(column)}
              isLast={shown.length === 1 && shown[0] === column}
              onToggle={() => toggle(column.key)}
            />
          ))}
        </ul>
      </SortableList>
      <Button size="small" type="link" disabled={isOwn} onClick={() => change(null)}>
        {t('common.columns.reset')}
      </Button>
    </div>
  );
}
