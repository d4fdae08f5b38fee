import { HolderOutlined } from '@ant-design/icons';
import { Input, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Category, maxDepth } from '../../contract/content/mall-category-list.ts';
import { showStatus } from '../../contract/enums.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Empty, Failure, Page } from '../kit/feedback.ts';
import type { RowAction } from '../kit/list/types.ts';
import { useDialog } from '../kit/useDialog.ts';
import { CategoryForm } from './CategoryForm.tsx';
import { CategoryTree } from './CategoryTree.tsx';
import { categoryOptions } from './categories.ts';
import { MoveCategory } from './MoveCategory.tsx';
import './mall.css';

const calls = api.mall_category_list;

type Open = { kind: 'add'; superior_id: number | null } | { kind: 'edit' | 'move'; row: Category };

/** The acts on a category; `open` shows the dialog that some of them need. */
function useActs(open: (dialog: Open) => void): RowAction<Category>[] {
  const display = useAction(calls.update_show_status);
  const removal = useRemoval(calls.remove, {
    node: 'mall_category_list.remove',
    title: 'mall_category_list.remove_title',
    many: 'common.crud.remove_many_title',
    content: 'mall_category_list.remove_content',
    name: ({ title }: Category) => ({ name: title }),
  });
  const isShown = ({ show_status }: Category) => show_status === showStatus.shown;
  const toggle = (row: Category) => {
    const other = isShown(row) ? showStatus.hidden : showStatus.shown;
    return display.run({ ids: [row.id], show_status: other }, { name: row.title, undo: { ids: [row.id], show_status: row.show_status } });
  };
  const node = 'mall_category_list.update';
  return [
    { key: 'update', label: 'common.edit', node, onClick: (row) => void open({ kind: 'edit', row }) },
    {
      key: 'below',
      label: 'mall_category_list.add_below',
      node: 'mall_category_list.add',
      visible: ({ level }) => level < maxDepth,
      onClick: (row) => void open({ kind: 'add', superior_id: row.id }),
    },
    {
      key: 'display',
      label: (row) => (isShown(row) ? 'mall_category_list.hide' : 'mall_category_list.show'),
      node,
      onClick: (row) => void toggle(row),
    },
    { key: 'move', label: 'menu.button.move', icon: <HolderOutlined />, node, onClick: (row) => void open({ kind: 'move', row }) },
    { ...removal.row, disabled: ({ products, children }) => products + children > 0 },
  ];
}

/** The tree of categories: made, named in each language, shown or hidden, dragged to where they belong. */
export function MallCategoryListPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { present: open, open: setOpen, close } = useDialog<Open>();
  const [search, setSearch] = useState('');
  const [added, setAdded] = useState<number | null>(null);
  const found = useCall(calls.inquire_all, {});
  const acts = useActs(setOpen).filter(({ node }) => node === undefined || allows(node));
  const categories = found.data?.content ?? [];
  const superior_id = open && (open.kind === 'add' ? open.superior_id : open.row.superior_id);
  const known = categoryOptions(categories).filter(({ value }) => value === superior_id);
  const add = (
    <AddButton
      node="mall_category_list.add"
      label="mall_category_list.add_first"
      onClick={() => void setOpen({ kind: 'add', superior_id: null })}
    />
  );
  return (
    <Page
      title="menu.mall_category_list"
      help={allows('mall_category_list.update') && categories.length > 1 ? t('mall_category_list.help') : undefined}
      actions={add}
      fills
    >
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} isRetrying={found.isFetching} />}
      {found.isPending && <Skeleton active title={false} />}
      {found.data && categories.length === 0 && (
        <Empty title="mall_category_list.empty" help={t('mall_category_list.empty_help')} action={add} />
      )}
      {categories.length > 0 && (
        <>
          <Input.Search
            className="lc-mall-search"
            allowClear
            aria-label={t('common.filters.search')}
            placeholder={t('mall_category_list.search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <CategoryTree
            categories={categories}
            search={search.trim()}
            acts={acts}
            added={added}
            onShown={() => setAdded(null)}
            ask={allows('mall_category_list.update') ? (row) => void setOpen({ kind: 'move', row }) : undefined}
          />
        </>
      )}
      {open?.kind === 'add' && <CategoryForm superior_id={open.superior_id} known={known} onAdded={setAdded} onClose={close} />}
      {open?.kind === 'edit' && <CategoryForm row={open.row} known={known} onClose={close} />}
      {open?.kind === 'move' && <MoveCategory row={open.row} categories={categories} known={known} onClose={close} />}
    </Page>
  );
}
