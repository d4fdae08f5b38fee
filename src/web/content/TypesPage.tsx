import { useMemo, useState } from 'react';
import type { ContentType } from '../../contract/content-type.ts';
import { api } from '../kit/api.ts';
import { type FieldData, FormModal } from '../kit/FormModal.tsx';
import { Num, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { useAction } from '../kit/query.ts';
import { AddButton, useRemoval } from '../kit/removal.tsx';
import { RankCell } from './RankCell.tsx';
import './content.css';

type Screen = 'rotation_type' | 'document_type';

const filters: Filter<'name'>[] = [{ kind: 'text', key: 'name', label: 'content.type_name', placeholder: 'content.type_search' }];

const fields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'content.type_name' },
  { kind: 'number', name: 'sort', label: 'content.sort', help: 'content.sort_help', minimum: 0 },
  { kind: 'text', name: 'remark', label: 'content.remark' },
];

function columnsOf(screen: Screen, save: (id: number, sort: number) => Promise<unknown>): Column<ContentType>[] {
  return [
    { key: 'name', title: 'content.type_name', sortable: true, width: 220, card: 'title' },
    {
      key: 'sort',
      title: 'content.sort',
      sortable: true,
      align: 'right',
      width: 120,
      card: 'field',
      render: (row) => <RankCell value={row.sort} name={row.name} node={`${screen}.update`} save={(sort) => save(row.id, sort)} />,
    },
    {
      key: 'used',
      title: screen === 'rotation_type' ? 'content.pictures' : 'content.documents',
      sortable: true,
      align: 'right',
      width: 110,
      card: 'field',
      render: (row) => <Num value={row.used} />,
    },
    { key: 'remark', title: 'content.remark', width: 240 },
    {
      key: 'created_at',
      title: 'content.created_at',
      sortable: true,
      width: 150,
      card: 'field',
      render: (row) => <Time value={row.created_at} />,
    },
    { key: 'updated_at', title: 'content.updated_at', width: 150, hiddenByDefault: true, render: (row) => <Time value={row.updated_at} /> },
  ];
}

/** Types of pictures or of documents: one screen, because they are filed alike. */
function TypesPage({ screen, title, empty, help }: { screen: Screen; title: string; empty: string; help: string }) {
  const calls = api[screen];
  const [edited, setEdited] = useState<ContentType | 'new' | null>(null);
  const rank = useAction(calls.update_sort);
  const { run: saveRank } = rank;
  const columns = useMemo(() => columnsOf(screen, (id, sort) => saveRank({ id, sort })), [screen, saveRank]);
  const removal = useRemoval<ContentType, unknown>(calls.remove, {
    node: `${screen}.remove`,
    title: 'content.remove_type',
    many: 'content.remove_types',
    content: 'content.remove_type_content',
    name: ({ name }) => ({ name }),
  });

  const addButton = <AddButton node={`${screen}.add`} label="content.add_type" onClick={() => setEdited('new')} />;
  return (
    <>
      <ListPage
        title={title}
        list={calls.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName={title}
        actions={addButton}
        empty={{ title: empty, help, action: addButton }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: `${screen}.update`, onClick: setEdited },
          { key: 'top', label: 'content.to_top', node: `${screen}.update`, onClick: (row) => void saveRank({ id: row.id, sort: null }) },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      {edited === 'new' && (
        <FormModal action={calls.add} title="content.add_type" submit="content.add_type" fields={fields} onClose={() => setEdited(null)} />
      )}
      {edited !== null && edited !== 'new' && (
        <FormModal
          action={calls.update}
          title="content.edit_type"
          submit="common.save"
          initial={{ name: edited.name, sort: edited.sort, remark: edited.remark }}
          toInput={(values) => ({ ...values, id: edited.id })}
          fields={fields}
          // Their lists name the type too.
          invalidates={screen === 'rotation_type' ? ['rotation'] : ['document_list']}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

export const RotationTypePage = () => (
  <TypesPage screen="rotation_type" title="menu.rotation_type" empty="content.no_rotation_types" help="content.no_rotation_types_help" />
);
export const DocumentTypePage = () => (
  <TypesPage screen="document_type" title="menu.document_type" empty="content.no_document_types" help="content.no_document_types_help" />
);
