import type { ContentType } from '../../contract/content/content-type.ts';
import { api } from '../kit/calls/api.ts';
import { type CrudField, useCrud } from '../kit/crud/useCrud.tsx';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';

type Screen = 'rotation_type' | 'document_type';

const filters: Filter<'name'>[] = [{ kind: 'text', key: 'name', label: 'common.field.name', placeholder: 'content.type_search' }];

const fields: readonly CrudField[] = [
  { kind: 'text', name: 'name' },
  { kind: 'number', name: 'sort', help: 'common.field.sort_help', minimum: 0 },
  { kind: 'text', name: 'remark' },
];

const nameOf = ({ name }: ContentType) => name;

/** Types of pictures or of documents: one screen, because they are filed alike. */
function TypesPage({ screen, title, empty, help }: { screen: Screen; title: string; empty: string; help: string }) {
  const calls = api[screen];
  const { list, dialogs, saveRank } = useCrud<ContentType>(calls, {
    fields: () => fields,
    initialOf: (row) => (row ? { name: row.name, sort: row.sort, remark: row.remark } : {}),
    name: nameOf,
    // Their lists name the type too.
    invalidates: screen === 'rotation_type' ? ['rotation'] : ['document_list'],
  });
  const columns = columnsOf(calls.inquire, [
    { key: 'name', kind: 'name' },
    { key: 'sort', kind: 'rank', node: `${screen}.update`, name: nameOf, save: saveRank },
    { key: 'used', kind: 'number' },
    { key: 'remark', width: 240 },
    { key: 'created_at', kind: 'time', card: 'field' },
    { key: 'updated_at', kind: 'time', hiddenByDefault: true },
  ]);
  return (
    <>
      <ListPage
        title={title}
        list={calls.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName={title}
        {...list}
        empty={{ title: empty, help, action: list.actions }}
      />
      {dialogs}
    </>
  );
}

export const RotationTypePage = () => (
  <TypesPage screen="rotation_type" title="menu.rotation_type" empty="content.no_rotation_types" help="content.no_rotation_types_help" />
);
export const DocumentTypePage = () => (
  <TypesPage screen="document_type" title="menu.document_type" empty="content.no_document_types" help="content.no_document_types_help" />
);
