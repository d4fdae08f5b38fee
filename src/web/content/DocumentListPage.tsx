import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { DocumentRow } from '../../contract/content/document-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Copyable, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { RankCell } from '../kit/list/RankCell.tsx';
import { DocumentDrawer, typeOptions } from './DocumentDrawer.tsx';
import { documentAddress } from './documentAddress.ts';
import './content.css';

const filters: Filter<'search' | 'type_id' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'content.title', placeholder: 'content.document_search' },
  { kind: 'remote', key: 'type_id', label: 'content.type', source: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'content.state', yes: 'content.published', no: 'content.unpublished' },
];

const stateLabel = (row: DocumentRow) => (row.enabled ? 'content.published' : 'content.unpublished');

function Titled({ row }: { row: DocumentRow }) {
  return (
    <span className="content-titled">
      {row.cover_url && <img className="content-cover" src={row.cover_url} alt="" loading="lazy" />}
      <span className="content-named">
        <b>{row.title}</b>
        {row.summary && <span className="lc-soft">{row.summary}</span>}
      </span>
    </span>
  );
}

const columnsWith = (save: (id: number, sort: number) => Promise<unknown>): Column<DocumentRow>[] => [
  { key: 'title', title: 'content.title', sortable: true, width: 340, card: 'title', render: (row) => <Titled row={row} /> },
  { key: 'type_name', title: 'content.type', width: 130, card: 'field' },
  {
    key: 'sort',
    title: 'content.sort',
    sortable: true,
    align: 'right',
    width: 120,
    card: 'field',
    render: (row) => <RankCell value={row.sort} name={row.title} node="document_list.update" save={(sort) => save(row.id, sort)} />,
  },
  {
    key: 'enabled',
    title: 'content.state',
    width: 110,
    card: 'aside',
    render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={stateLabel(row)} />,
    exportValue: stateLabel,
  },
  {
    key: 'address',
    title: 'content.address',
    width: 200,
    card: 'field',
    render: (row) => <Copyable value={documentAddress(row.id)} text={`/document/${row.id}`} code />,
    exportValue: (row) => documentAddress(row.id),
  },
  { key: 'updated_at', title: 'content.updated_at', sortable: true, width: 140, render: (row) => <Time value={row.updated_at} /> },
  {
    key: 'created_at',
    title: 'content.created_at',
    sortable: true,
    width: 140,
    hiddenByDefault: true,
    render: (row) => <Time value={row.created_at} />,
  },
];

/** Image-text documents: write, publish, rank, remove, and read them as the public does. */
export function DocumentListPage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<number | 'new' | null>(null);
  const types = useCall(api.document_type.options, {});
  const { run: saveRank } = useAction(api.document_list.update_sort);
  const enable = useAction(api.document_list.update_enabled);
  const columns = useMemo(() => columnsWith((id, sort) => saveRank({ id, sort })), [saveRank]);
  const removal = useRemoval<DocumentRow, unknown>(api.document_list.remove, {
    node: 'document_list.remove',
    title: 'content.remove_document',
    many: 'content.remove_documents',
    content: 'content.remove_document_content',
    name: ({ title }) => ({ name: title }),
    invalidates: ['document_type'],
  });
  const setEnabled = async (rows: readonly DocumentRow[], enabled: boolean) =>
    (await enable.run({ ids: rows.map(({ id }) => id), enabled })) !== undefined;

  const lacksTypes = types.data?.content.length === 0;
  const addButton = lacksTypes ? (
    <Allowed node="document_type.add">
      <Link to="/system/document_type">
        <Button type="primary">{t('content.add_type_first')}</Button>
      </Link>
    </Allowed>
  ) : (
    <AddButton node="document_list.add" label="content.add_document" onClick={() => setEdited('new')} />
  );
  return (
    <>
      <ListPage
        title="menu.document_list"
        list={api.document_list.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName="menu.document_list"
        actions={addButton}
        empty={{
          title: 'content.no_documents',
          help: lacksTypes ? 'content.no_types_help' : 'content.no_documents_help',
          action: addButton,
        }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'document_list.update', onClick: (row) => setEdited(row.id) },
          {
            key: 'show',
            label: 'content.look',
            visible: (row) => row.enabled,
            onClick: (row) => void window.open(documentAddress(row.id), '_blank', 'noopener'),
          },
          {
            key: 'enabled',
            label: (row) => (row.enabled ? 'content.unpublish' : 'content.publish'),
            node: 'document_list.update',
            onClick: (row) => void setEnabled([row], !row.enabled),
          },
          {
            key: 'top',
            label: 'content.to_top',
            node: 'document_list.update',
            onClick: (row) => void saveRank({ id: row.id, sort: null }),
          },
          removal.row,
        ]}
        batchActions={[
          { key: 'publish', label: 'content.publish', node: 'document_list.update', onClick: (rows) => setEnabled(rows, true) },
          { key: 'unpublish', label: 'content.unpublish', node: 'document_list.update', onClick: (rows) => setEnabled(rows, false) },
          removal.batch,
        ]}
      />
      {edited !== null && <DocumentDrawer id={edited} firstType={types.data?.content[0]?.id} onClose={() => setEdited(null)} />}
    </>
  );
}
