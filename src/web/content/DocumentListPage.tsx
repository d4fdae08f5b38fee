import type { DocumentRow } from '../../contract/content/document-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useCrudList } from '../kit/crud/useCrud.tsx';
import { Copyable } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { DocumentDrawer, typeOptions } from './DocumentDrawer.tsx';
import { documentAddress } from './documentAddress.ts';
import { withoutTypes } from './withoutTypes.tsx';
import './content.css';

const filters: Filter<'search' | 'type_id' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'common.field.title', placeholder: 'content.document_search' },
  { kind: 'remote', key: 'type_id', label: 'content.type', source: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'content.published', no: 'content.unpublished' },
];

function Titled({ row }: { row: DocumentRow }) {
  return (
    <span className="lc-content-titled">
      {row.cover_url && <img className="lc-content-cover" src={row.cover_url} alt="" loading="lazy" />}
      <span className="lc-content-named">
        <b>{row.title}</b>
        {row.summary && <span className="lc-soft">{row.summary}</span>}
      </span>
    </span>
  );
}

/** Image-text documents: write, publish, rank, remove, and read them as the public does. */
export function DocumentListPage() {
  const types = useCall(api.document_type.options, {}).data?.content;
  const { list, acts, edited, close, saveRank } = useCrudList<DocumentRow>(api.document_list, {
    name: ({ title }) => title,
    invalidates: ['document_type'],
  });
  const columns = columnsOf(api.document_list.inquire, [
    { key: 'title', kind: 'name', width: 340, render: (row) => <Titled row={row} /> },
    { key: 'type_name', title: 'content.type', width: 130, card: 'field' },
    { key: 'sort', kind: 'rank', node: 'document_list.update', name: ({ title }) => title, save: saveRank },
    { key: 'enabled', kind: 'enabled', width: 110, yes: 'content.published', no: 'content.unpublished' },
    {
      key: 'address',
      title: 'content.address',
      width: 200,
      card: 'field',
      render: (row) => <Copyable value={documentAddress(row.id)} text={`/document/${row.id}`} code />,
      exportValue: (row) => documentAddress(row.id),
    },
    { key: 'updated_at', kind: 'time' },
    { key: 'created_at', kind: 'time', hiddenByDefault: true },
  ]);
  return (
    <>
      <ListPage
        list={api.document_list.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        {...list}
        {...(types?.length === 0 ? withoutTypes('document_type', list) : {})}
        rowActions={[
          acts.update,
          {
            key: 'show',
            label: 'common.view',
            visible: (row) => row.enabled,
            onClick: (row) => void window.open(documentAddress(row.id), '_blank', 'noopener'),
          },
          acts.enabled,
          acts.top,
          acts.remove,
        ]}
      />
      {edited && <DocumentDrawer id={edited === 'new' ? edited : edited.id} firstType={types?.[0]?.id} onClose={close} />}
    </>
  );
}
