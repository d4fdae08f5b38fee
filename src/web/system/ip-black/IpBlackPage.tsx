import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BlockedNetwork } from '../../../contract/system/ip-black.ts';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { Time } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { type AddedLines, IpBlackLines } from './IpBlackLines.tsx';

const columns = columnsOf(api.ip_black.inquire, [
  { key: 'network', kind: 'copy', card: 'title' },
  {
    key: 'expired',
    kind: 'status',
    title: 'common.field.enabled',
    status: (row) => ({ kind: row.expired ? 'neutral' : 'success', label: row.expired ? 'common.expired' : 'ip_black.active' }),
  },
  { key: 'hits', kind: 'number' },
  { key: 'last_hit_at', kind: 'time', width: 130 },
  {
    key: 'expires_at',
    card: 'field',
    exportValue: (row) => row.expires_at ?? 'common.for_ever',
    render: (row) => <Expiry row={row} />,
  },
  { key: 'remark', width: 220, card: 'field' },
  { key: 'created_by_account', width: 130 },
  { key: 'created_at', kind: 'time' },
]);

const filters: Filter<'search' | 'expired'>[] = [
  { kind: 'text', key: 'search', label: 'ip_black.search' },
  { kind: 'boolean', key: 'expired', label: 'common.field.enabled', yes: 'common.expired', no: 'ip_black.active' },
];

const fields: FieldData[] = [
  {
    kind: 'textarea',
    name: 'lines',
    label: 'common.field.network',
    help: 'ip_black.lines_help',
    placeholder: '203.0.113.8\n198.51.100.0/24',
    rows: 6,
    code: true,
    required: true,
  },
  { kind: 'text', name: 'remark', label: 'common.field.remark' },
  { kind: 'time', name: 'expires_at', label: 'common.field.expires_at', help: 'ip_black.expires_help', placeholder: 'common.for_ever' },
];

/** The lines of a text box that hold something. */
const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/[\n,;，；]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function Expiry({ row }: { row: BlockedNetwork }) {
  const { t } = useTranslation();
  return row.expires_at ? <Time value={row.expires_at} exact /> : <span className="lc-soft">{t('common.for_ever')}</span>;
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
        title="menu.ip_black"
        help={t('ip_black.help')}
        list={api.ip_black.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.ip_black"
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
