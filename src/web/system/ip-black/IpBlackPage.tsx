import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BlockedNetwork } from '../../../contract/system/ip-black.ts';
import { blacklistFilters, Expiry, expiryField, expiryStatus, networksField } from '../../kit/blacklist/blacklist.tsx';
import { linesInput } from '../../kit/blacklist/lines.ts';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { useLineResults } from '../../kit/feedback/LineResults.tsx';
import { ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';

const kinds = {
  added: 'success',
  updated: 'info',
  repeated: 'neutral',
  invalid: 'error',
  own_address: 'warning',
  loopback: 'warning',
} as const;

const columns = columnsOf(api.ip_black.inquire, [
  { key: 'network', kind: 'copy', card: 'title' },
  {
    key: 'expired',
    kind: 'status',
    title: 'common.field.enabled',
    status: expiryStatus,
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

const fields: FieldData[] = [networksField, { kind: 'text', name: 'remark', label: 'common.field.remark' }, expiryField];

/** Addresses that the back office refuses: add many, let in again. */
export function IpBlackPage() {
  const { t } = useTranslation();
  const [isAdding, setIsAdding] = useState(false);
  const lines = useLineResults({ screen: 'ip_black', kinds });
  const removal = useRemoval<BlockedNetwork, unknown>(api.ip_black.remove, {
    node: 'ip_black.remove',
    title: 'ip_black.remove_title',
    many: 'ip_black.remove_many_title',
    content: 'ip_black.remove_content',
    name: ({ network }) => ({ network }),
  });

  const addButton = <AddButton node="ip_black.add" label="ip_black.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="menu.ip_black"
        help={t('ip_black.help')}
        list={api.ip_black.inquire}
        columns={columns}
        filters={blacklistFilters}
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
          toInput={linesInput}
          onDone={lines.show}
          onClose={() => setIsAdding(false)}
        />
      )}
      {lines.dialog}
    </>
  );
}
