import { SearchOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LookedUp, maxLookedUp } from '../../contract/visits/checkout-ip.ts';
import { linesOf } from '../kit/blacklist/lines.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { ContractForm, Field, useContractForm } from '../kit/dialogs/FormModal.tsx';
import { Empty, Page, Status, type StatusKind } from '../kit/feedback.ts';
import { ListTable } from '../kit/ListPage.tsx';
import { translate } from '../kit/texts/i18n.ts';
import { BlockAddresses } from './blacklist/BlockAddresses.tsx';
import './checkout-ip.css';
import { columnsOf } from '../kit/list/kinds.tsx';
import { placeOf } from '../kit/places.ts';
import { Device } from './VisitorCells.tsx';

const kinds: Record<LookedUp['state'], StatusKind> = { visited: 'success', never: 'neutral', invalid: 'error' };
const isAddress = (row: LookedUp) => row.state !== 'invalid';
const isRefused = (row: LookedUp) => row.blacklisted !== null && row.blacklisted !== 'no';
const carrierLabel = (row: LookedUp) => (isAddress(row) ? translate(`today_statistics.carrier.${row.carrier}`) : '');
/** What matters most of an address is that it is refused already. */
const stateLabel = (row: LookedUp) => (isRefused(row) ? `visitor.blacklisted.${row.blacklisted}` : `checkout_ip.state_${row.state}`);

const columns = columnsOf(api.checkout_ip.inquire, [
  { key: 'ip', kind: 'copy', card: 'title', title: 'visitor.ip', width: 210 },
  {
    key: 'state',
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
    card: 'field',
    exportValue: ({ country, region, city }) => [...new Set([country, region, city])].filter(Boolean).join(' '),
    render: (row) => placeOf(row),
  },
  { key: 'carrier', title: 'visitor.carrier', width: 100, exportValue: carrierLabel, render: (row) => carrierLabel(row) || '–' },
  { key: 'visits', kind: 'number', title: 'visitor.visits' },
  {
    key: 'code_count',
    title: 'checkout_ip.codes',
    width: 170,
    card: 'field',
    exportValue: (row) => row.codes.map(({ name, file_name }) => name || file_name).join('; '),
    render: (row) => (
      <Named
        // The names of deleted codes are empty.
        names={row.codes.map(({ id, name, file_name }) => [
          id,
          <CodeLink key={id} id={file_name === '' ? null : id} name={name || file_name || `#${id}`} />,
        ])}
        total={row.code_count}
      />
    ),
  },
  {
    key: 'device_count',
    title: 'common.field.device',
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
  { key: 'last_at', kind: 'time', width: 130 },
  { key: 'first_at', kind: 'time', title: 'visitor.first_at', width: 130 },
]);

/** The first two of several names, one below the other, and how many more there are. */
function Named({ names, total }: { names: readonly (readonly [string | number, ReactNode])[]; total: number }) {
  const { t } = useTranslation();
  const shown = names.slice(0, 2);
  if (shown.length === 0) return '–';
  return (
    <div className="lc-checkout-named">
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
    <div className="lc-panel lc-checkout-form">
      <ContractForm form={form}>
        <Field
          kind="textarea"
          name="ips"
          label="common.field.ips"
          help={t('checkout_ip.ips_help', { maximum: maxLookedUp })}
          rows={4}
          code
          required
        />
        <Button type="primary" icon={<SearchOutlined />} loading={form.isRunning} onClick={() => void form.submit()}>
          {t('common.look_up')}
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
        <Empty picture="find" title="checkout_ip.empty" help="checkout_ip.empty_help" />
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
              label: 'visitor.add_to_blacklist',
              node: 'checkout_ip.blacklist',
              danger: true,
              visible: (row) => isAddress(row) && row.blacklisted !== 'address',
              onClick: (row) => setBlocked([row.ip]),
            },
          ]}
          batchActions={[
            {
              key: 'blacklist',
              label: 'visitor.add_to_blacklist',
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
