import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceModel } from '../../../contract/visits/device-model.ts';
import { api } from '../../kit/calls/api.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';

const calls = api.device_model;

const filters: Filter<'search' | 'named'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'device_model.search' },
  { kind: 'boolean', key: 'named', label: 'device_model.named', yes: 'device_model.is_named', no: 'device_model.is_unknown' },
];

const columns = columnsOf(calls.inquire, [
  { key: 'code', kind: 'name', width: 180 },
  { key: 'brand', width: 120, card: 'field' },
  { key: 'name', width: 200, card: 'field' },
  { key: 'visits', kind: 'number', width: 130, card: 'field' },
  {
    key: 'named_at',
    kind: 'status',
    title: 'device_model.named',
    status: ({ named_at }) =>
      named_at === null ? { kind: 'warning', label: 'device_model.is_unknown' } : { kind: 'success', label: 'device_model.is_named' },
    width: 110,
  },
  { key: 'last_at', kind: 'time', width: 130 },
  { key: 'named_by_account', title: 'device_model.named_by', width: 120 },
  { key: 'sample', width: 320, render: ({ sample }) => <span className="lc-soft">{sample}</span> },
]);

/** Codes that nobody knew, most frequent first, to be named. */
export function DeviceModelPage() {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<DeviceModel | null>(null);
  return (
    <>
      <ListPage
        title="menu.device_model"
        exportName="menu.device_model"
        help={t('device_model.help')}
        list={calls.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'visits', order: 'desc' }}
        rowActions={[{ key: 'name', label: 'device_model.act', node: 'device_model.update', onClick: setEdited }]}
        empty={{ title: 'device_model.empty', help: 'device_model.empty_help' }}
      />
      {edited && (
        <FormModal
          action={calls.update}
          title={t('device_model.edit_title', { name: edited.code })}
          submit="device_model.act"
          name={edited.code}
          asks
          initial={{ brand: edited.brand, name: edited.name }}
          toInput={(values) => ({ id: edited.id, brand: String(values.brand ?? ''), name: String(values.name ?? '') })}
          intro={<p className="lc-soft lc-code">{edited.sample}</p>}
          fields={[
            { kind: 'text', name: 'brand', label: 'device_model.brand' },
            { kind: 'text', name: 'name', label: 'device_model.name', help: 'device_model.name_help' },
          ]}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
