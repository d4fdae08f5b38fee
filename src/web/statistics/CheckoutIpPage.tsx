import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LookedUp, maximumLookedUp } from '../../contract/visits/checkout-ip.ts';
import { api } from '../kit/calls/api.ts';
import { ContractForm, Field, useContractForm } from '../kit/dialogs/FormModal.tsx';
import { Copyable, Empty, Num, Page, Status, type StatusKind, Time } from '../kit/feedback.ts';
import { type Column, ListTable } from '../kit/ListPage.tsx';
import { translate } from '../kit/texts/i18n.ts';
import { BlockAddresses } from './blacklist/BlockAddresses.tsx';
import { linesOf } from './blacklist/lines.ts';
import './checkout-ip.css';
import { Device, Place } from './VisitorCells.tsx';

const kinds: Record<LookedUp['state'], StatusKind> = { visited: 'success', never: 'neutral', invalid: 'error' };
const isAddress = (row: LookedUp) => row.state !== 'invalid';
const isRefused = (row: LookedUp) => row.blacklisted !== null && row.blacklisted !== 'no';
const carrierLabel = (row: LookedUp) => (isAddress(row) ? translate(`today_statistics.carrier.${row.carrier}`) : '');
/** What matters most of an address is that it is refused already. */
const stateLabel = (row: LookedUp) => (isRefused(row) ? `visitor.blacklisted.${row.blacklisted}` : `checkout_ip.state_${row.state}`);

const columns: Column<LookedUp>[] = [
  { key: 'ip', title: 'visitor.ip', width: 210, card: 'title', render: (row) => <Copyable value={row.ip} maximum={26} code /> },
  {
    key: 'state',
    title: 'checkout_ip.state',
    width: 120,
    card: 'aside',
    exportValue: stateLabel,
    render: (row) =>
      isRefused(row) ? (
        <Status kind="error" label={stateLabel(row)} help={`${stateLabel(row)}_help`} />
      ) : (
        <Status kind={kinds[row.state]} label={stateLabel(row)} />
      ),
  },
  {
    key: 'place',
    title: 'visitor.place',
    width: 180,
    card: 'field',
    exportValue: ({ country, region, city }) => [...new Set([country, region, city])].filter(Boolean).join(' '),
    render: (row) => <Place row={row} />,
  },
  { key: 'carrier', title: 'visitor.carrier', width: 100, render: (row) => carrierLabel(row) || '–', exportValue: carrierLabel },
  {
    key: 'visits',
    title: 'visitor.visits',
    sortable: true,
    align: 'right',
    width: 110,
    card: 'field',
    render: (row) => <Num value={row.visits} />,
  },
  {
    key: 'code_count',
    title: 'checkout_ip.codes',
    sortable: true,
    width: 170,
    card: 'field',
    exportValue: (row) => row.codes.map(({ name, file_name }) => name || file_name).join('; '),
    render: (row) => (
      <Named names={row.codes.map(({ id, name, file_name }) => [id, name || file_name || `#${id}`])} total={row.code_count} />
    ),
  },
  {
    key: 'device_count',
    title: 'checkout_ip.devices',
    sortable: true,
    width: 200,
    card: 'field',
    exportValue: (row) => row.devices.map(({ model_name, brand, system }) => model_name || brand || system).join('; '),
    render: (row) => (
      <Named
        names={row.devices.map((device) => [Object.values(device).join('\n'), <Device key="device" row={device} />])}
        total={row.device_count}
      />
    ),
  },
  { key: 'last_at', title: 'visitor.last_at', sortable: true, width: 130, render: (row) => <Time value={row.last_at} /> },
  { key: 'first_at', title: 'visitor.first_at', sortable: true, width: 130, render: (row) => <Time value={row.first_at} /> },
];

/** The first two of several names, one below the other, and how many more there are. */
function Named({ names, total }: { names: readonly (readonly [string | number, ReactNode])[]; total: number }) {
  const { t } = useTranslation();
  const shown = names.slice(0, 2);
  if (shown.length === 0) return '–';
  return (
    <div className="checkout-named">
      {shown.map(([key, name]) => (
        <span key={key}>{name}</span>
      ))}
      {total > shown.length && <span className="lc-soft">{t('checkout_ip.more', { number: total - shown.length })}</span>}
    </div>
  );
}

function LookUp({ onFound }: { onFound: (ips: readonly string[]) => void }) {
  const { t } = useTranslation();
  const form = useContractForm(api.checkout_ip.inquire, {
    // No line at all is a field that wasn't filled in.
    toInput: (values) => ({ ips: linesOf(values.ips).length > 0 ? linesOf(values.ips) : null, page_size: 1 }),
    isQuery: true,
    success: false,
    onDone: () => onFound(linesOf(form.form.getFieldValue('ips'))),
  });
  return (
    <div className="lc-panel checkout-form">
      <ContractForm form={form}>
        <Field
          kind="textarea"
          name="ips"
          label="checkout_ip.ips"
          help={t('checkout_ip.ips_help', { maximum: maximumLookedUp })}
          rows={4}
          code
          required
        />
        <Button type="primary" icon={<SearchOutlined />} loading={form.isRunning} onClick={() => void form.submit()}>
          {t('checkout_ip.look_up')}
        </Button>
      </ContractForm>
    </div>
  );
}

/** Paste addresses: where they stand, and what they did on the codes that one may see. */
export function CheckoutIpPage() {
  const { t } = useTranslation();
  const [ips, setIps] = useState<readonly string[] | null>(null);
  const [blocked, setBlocked] = useState<readonly string[] | null>(null);
  return (
    <Page title="menu.checkout_ip" help={t('checkout_ip.help')}>
      <LookUp onFound={setIps} />
      {ips === null ? (
        <Empty picture="search" title="checkout_ip.empty" help="checkout_ip.empty_help" />
      ) : (
        <ListTable
          key={ips.join('\n')}
          list={api.checkout_ip.inquire}
          fixedInput={{ ips: [...ips] }}
          rowKey="ip"
          columns={columns}
          exportName="menu.checkout_ip"
          rowActions={[
            {
              key: 'blacklist',
              label: 'visitor.blacklist',
              node: 'checkout_ip.blacklist',
              danger: true,
              visible: (row) => isAddress(row) && row.blacklisted !== 'address',
              onClick: (row) => setBlocked([row.ip]),
            },
          ]}
          batchActions={[
            {
              key: 'blacklist',
              label: 'visitor.blacklist',
              node: 'checkout_ip.blacklist',
              danger: true,
              onClick: async (rows) => {
                const addresses = rows.filter(isAddress).map(({ ip }) => ip);
                if (addresses.length > 0) setBlocked(addresses);
                return false;
              },
            },
          ]}
        />
      )}
      {blocked && (
        <BlockAddresses
          action={api.checkout_ip.blacklist}
          ips={blocked}
          invalidates={['visitor', 'server_ip_black']}
          onClose={() => setBlocked(null)}
        />
      )}
    </Page>
  );
}
