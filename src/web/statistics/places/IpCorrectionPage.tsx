import { AutoComplete, Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { carriers } from '../../../contract/enums.ts';
import type { IpCorrection } from '../../../contract/visits/ip-correction.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { type CrudField, useCrud } from '../../kit/crud/useCrud.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { china, recordedCountries } from '../../kit/places.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { translate } from '../../kit/texts/i18n.ts';
import { ImportCorrections } from './ImportCorrections.tsx';

const calls = api.ip_correction;
const nameOf = ({ range }: IpCorrection) => range;
const carrierLabel = ({ carrier }: IpCorrection) => translate(`today_statistics.carrier.${carrier}`);

const filters: Filter<'search' | 'enabled' | 'overlapping'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'ip_correction.search' },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.enabled', no: 'common.disabled' },
  { kind: 'boolean', key: 'overlapping', label: 'ip_correction.overlaps', yes: 'ip_correction.with_overlaps', no: 'ip_correction.alone' },
];

type Named = 'country' | 'region' | 'city';

/** Proposes the names that visits have already, so that statistics keep one name for each place; others may be typed. */
function PlaceName({ name, ...control }: ControlProps & { name: Named }) {
  const { data } = useCall(calls.names, {});
  const [country, region]: (string | undefined)[] = [Form.useWatch('country'), Form.useWatch('region')];
  const known = (data?.places ?? [])
    .filter((place) => name === 'country' || place.country === country)
    .filter((place) => name !== 'city' || !region || place.region === region)
    .map((place) => place[name]);
  const names = new Set([...known, ...(name === 'country' ? recordedCountries() : [])].filter((one) => one !== ''));
  return (
    <AutoComplete
      {...(control as object)}
      className="lc-wide"
      options={[...names].slice(0, 500).map((value) => ({ value }))}
      showSearch={{ filterOption: (typed, option) => String(option?.value ?? '').includes(typed) }}
    />
  );
}

const place = (name: Named): CrudField => ({ kind: 'custom', name, render: (control) => <PlaceName {...control} name={name} /> });
const fields = (): CrudField[] => [
  { kind: 'text', name: 'range', help: 'ip_correction.range_help', placeholder: '1.2.3.0/24', code: true, wide: true },
  place('country'),
  place('region'),
  place('city'),
  { kind: 'select', name: 'carrier', options: carriers.map((value) => ({ value, label: `today_statistics.carrier.${value}` })) },
  { kind: 'text', name: 'remark', label: 'common.field.remark' },
  { kind: 'switch', name: 'enabled', label: 'common.field.switched_on' },
];

/** How many addresses a range has; of large networks of IPv6 as a power of two. */
function Size({ size }: { size: string }) {
  const { exact } = useFormat();
  const number = Number(size);
  return <span className="lc-num">{number < 1e12 ? exact(number) : `≈2^${Math.round(Math.log2(number))}`}</span>;
}

/** Where addresses are, as administrators know better than the lists. */
export function IpCorrectionPage() {
  const { t } = useTranslation();
  const [isImporting, setIsImporting] = useState(false);
  const { list, dialogs } = useCrud<IpCorrection>(calls, {
    fields,
    initialOf: (row) => (row ? { ...row } : { country: china, carrier: 'other', enabled: true }),
    form: (row) => ({
      toInput: ({ range, country, region = '', city = '', carrier, remark = '', enabled }) => ({
        ...(row ? { id: row.id } : {}),
        ...{ range, country, region, city, carrier, remark, enabled },
      }),
    }),
    name: nameOf,
    invalidates: ['ip_data'],
  });
  const columns = columnsOf(calls.inquire, [
    { key: 'range', kind: 'copy', card: 'title', width: 230 },
    { key: 'size', width: 110, align: 'right', exportValue: ({ size }) => size, render: ({ size }) => <Size size={size} /> },
    { key: 'overlaps', kind: 'number', width: 80 },
    { key: 'country', width: 90, card: 'field' },
    { key: 'region', width: 90, card: 'field' },
    { key: 'city', width: 100, card: 'field' },
    { key: 'carrier', width: 110, exportValue: carrierLabel, render: carrierLabel },
    { key: 'enabled', kind: 'enabled', yes: 'common.enabled', no: 'common.disabled' },
    { key: 'remark', width: 180, title: 'common.field.remark' },
    { key: 'updated_at', kind: 'time', width: 130 },
  ]);
  const actions = (
    <>
      <Allowed node="ip_correction.import">
        <Button onClick={() => setIsImporting(true)}>{t('menu.button.import')}</Button>
      </Allowed>
      {list.actions}
    </>
  );
  return (
    <>
      <ListPage
        list={calls.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'size', order: 'asc' }}
        help={t('ip_correction.help')}
        {...list}
        actions={actions}
      />
      {dialogs}
      {isImporting && <ImportCorrections onClose={() => setIsImporting(false)} />}
    </>
  );
}
