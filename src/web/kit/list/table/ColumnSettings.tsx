import { SettingOutlined } from '@ant-design/icons';
import { arrayMove } from '@dnd-kit/sortable';
import { Button, Checkbox, Popover, Segmented, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../../texts/text.ts';
import { DragHandle, SortableList, useSortableRow } from '../SortableList.tsx';
import type { Density } from '../types.ts';
import type { Arrangement } from './arrangement.ts';

type ColumnName = { key: string; title: string };

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

type Props = {
  columns: readonly ColumnName[];
  arrangement: Arrangement;
  isOwn: boolean;
  change: (next: Arrangement | null) => void;
};

function Settings({ columns, arrangement, isOwn, change }: Props) {
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

/** Which columns are shown, in which order, how dense: kept per user. */
export function ColumnSettings(props: Props) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      title={t('common.columns.title')}
      content={<Settings {...props} />}
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      <Tooltip title={isOpen ? '' : t('common.columns.title')}>
        <Button icon={<SettingOutlined />} aria-label={t('common.columns.title')} aria-expanded={isOpen} />
      </Tooltip>
    </Popover>
  );
}
