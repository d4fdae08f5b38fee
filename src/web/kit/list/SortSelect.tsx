import { SortAscendingOutlined, SortDescendingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { useText } from '../texts/text.ts';
import type { Column } from './types.ts';
import type { ListState } from './useListState.ts';

/** The sort of a list whose column heads aren't shown (phones). */
export function SortSelect<Row>({ columns, state }: { columns: readonly Column<Row>[]; state: ListState }) {
  const { t } = useTranslation();
  const text = useText();
  const sortable = columns.filter((column) => column.sortable);
  if (sortable.length === 0) return null;
  const items = sortable.flatMap((column) =>
    (['desc', 'asc'] as const).map((order) => ({
      key: `${column.key} ${order}`,
      label: `${text(column.title)} ${t(`common.sort.${order}`)}`,
    })),
  );
  return (
    <Dropdown
      menu={{
        items,
        selectable: true,
        selectedKeys: state.sort ? [`${state.sort.sort} ${state.sort.order}`] : [],
        onClick: ({ key }) => {
          const [sort = '', order] = key.split(' ');
          state.setSort({ sort, order: order === 'asc' ? 'asc' : 'desc' });
        },
      }}
    >
      <Button
        icon={state.sort?.order === 'asc' ? <SortAscendingOutlined /> : <SortDescendingOutlined />}
        aria-label={t('common.sort.title')}
      />
    </Dropdown>
  );
}
