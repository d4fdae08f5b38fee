import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BlockedNetwork } from '../../../contract/system/ip-black.ts';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { Copyable, Num, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { type AddedLines, IpBlackLines } from './IpBlackLines.tsx';

const columns: Column<BlockedNetwork>[] = [
  {
    key: 'network',
    title: 'ip_black.network',
    width: 220,
    card: 'title',
    render: (row) => <Copyable value={row.network} code />,
  },
  {
    key: 'expired',
    title: 'ip_black.state',
    width: 110,
    card: 'aside',
    exportValue: (row) => (row.expired ? 'ip_black.expired' : 'ip_black.active'),
    render: (row) => <Status kind={row.expired ? 'neutral' : 'success'} label={row.expired ? 'ip_black.expired' : 'ip_black.active'} />,
  },
  {
    key: 'hits',
    title: 'ip_black.hits',
    sortable: true,
    align: 'right',
    width: 110,
    card: 'field',
    render: (row) => <Num value={row.hits} />,
  },
  { key: 'last_hit_at', title: 'ip_black.last_hit_at', sortable: true, width: 130, render: (row) => <Time value={row.last_hit_at} /> },
  {
    key: 'expires_at',
    title: 'ip_black.expires_at',
    sortable: true,
    width: 180,
    card: 'field',
    exportValue: (row) => row.expires_at ?? 'ip_black.for_ever',
    render: (row) => <Expiry row={row} />,
  },
  { key: 'remark', title: 'ip_black.remark', width: 220, card: 'field' },
  { key: 'created_by_account', title: 'ip_black.created_by', width: 130 },
  { key: 'created_at', title: 'ip_black.created_at', sortable: true, width: 140, render: (row) => <Time value={row.created_at} /> },
];

const filters: Filter<'search' | 'expired'>[] = [
  { kind: 'text', key: 'search', label: 'ip_black.search' },
  { kind: 'boolean', key: 'expired', label: 'ip_black.state', yes: 'ip_black.expired', no: 'ip_black.active' },
];

const fields: FieldData[] = [
  {
    kind: 'textarea',
    name: 'lines',
    label: 'ip_black.lines',
    help: 'ip_black.lines_help',
    placeholder: '203.0.113.8\n198.51.100.0/24',
    rows: 6,
    code: true,
    required: true,
  },
  { kind: 'text', name: 'remark', label: 'ip_black.remark' },
  { kind: 'time', name: 'expires_at', label: 'ip_black.expires_at', help: 'ip_black.expires_help', placeholder: 'ip_black.for_ever' },
];

/** The lines of a text box that hold something. */
const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/[\n,;，；]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function Expiry({ row }: { row: BlockedNetwork }) {
  const { t } = useTranslation();
  return row.expires_at ? <Time value={row.expires_at} exact /> : <span className="lc-soft">{t('ip_black.for_ever')}</span>;
}

/** Addresses that the back office refuses: add many, let in again. */
export function IpBlackPage() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<AddedLines | null>(null);
  const removal = useRemoval<BlockedNetwork, unknown>(api.ip_black.remove, {
    node: 'ip_black.remove',
    title: 'ip_black.remove_title',
    many: 'ip_black.remove_many_title',
    content: 'ip_black.remove_content',
    name: ({ network }) => ({ network }),
  });

  function showResults(output: AddedLines) {
    if (output.results.every((result) => result.state === 'added')) {
      void message.success(t('ip_black.added', { number: output.added }));
    } else setAdded(output);
  }

  const addButton = <AddButton node="ip_black.add" label="ip_black.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="ip_black.title"
        help={t('ip_black.help')}
        list={api.ip_black.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="ip_black.title"
        actions={addButton}
        empty={{ title: 'ip_black.empty', help: 'ip_black.empty_help', action: addButton }}
        rowActions={[removal.row]}
        batchActions={[removal.batch]}
      />
      {isAdding && (
        <FormModal
          action={api.ip_black.add}
          title="ip_black.add"
          submit="ip_black.add_submit"
          success={false}
          fields={fields}
          // No line at all is a field that wasn't filled in.
          toInput={(values) => ({ ...values, lines: linesOf(values.lines).length > 0 ? linesOf(values.lines) : null })}
          onDone={showResults}
          onClose={() => setIsAdding(false)}
        />
      )}
      {added && <IpBlackLines added={added} onClose={() => setAdded(null)} />}
    </>
  );
}
