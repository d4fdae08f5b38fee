import { Alert, App, Button, Skeleton } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PayConfig, type PaySettings, payNetworks } from '../../contract/money/pay-config.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import type { FieldData } from '../kit/dialogs/FormModal.tsx';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { Copyable, Failure, Page, Time } from '../kit/feedback.ts';
import { trx, usdt } from './amounts.ts';
import { TestNetwork } from './TestNetwork.tsx';
import './tron.css';

const onNodes = ({ network }: Record<string, unknown>) => network === 'tron';

const fieldsOf = (settings: PaySettings): FieldData[] => [
  {
    kind: 'radio',
    name: 'network',
    label: 'pay_config.network',
    options: payNetworks.map((value) => ({ value, label: `pay_config.network_${value}` })),
  },
  { kind: 'text', name: 'url', label: 'pay_config.url', placeholder: 'https://api.trongrid.io', code: true, visible: onNodes },
  {
    kind: 'text',
    name: 'second_url',
    label: 'pay_config.second_url',
    help: 'pay_config.second_url_help',
    required: false,
    code: true,
    visible: onNodes,
  },
  { kind: 'text', name: 'contract', label: 'pay_config.contract', help: 'pay_config.contract_help', code: true, visible: onNodes },
  {
    kind: 'password',
    name: 'api_key',
    label: 'pay_config.api_key',
    required: false,
    visible: onNodes,
    ...(settings.has_api_key ? { help: 'pay_config.api_key_kept' } : {}),
  },
  {
    kind: 'text',
    name: 'collecting_address',
    label: 'pay_config.collecting_address',
    help: 'pay_config.collecting_address_help',
    required: false,
    code: true,
  },
  {
    kind: 'textarea',
    name: 'payout_addresses',
    label: 'pay_config.payout_addresses',
    help: 'pay_config.payout_addresses_help',
    rows: 2,
    required: false,
    code: true,
  },
  { kind: 'text', name: 'minimum_deposit', label: 'pay_config.minimum_deposit', suffix: 'USDT' },
  {
    kind: 'text',
    name: 'collect_threshold',
    label: 'pay_config.collect_threshold',
    help: 'pay_config.collect_threshold_help',
    suffix: 'USDT',
  },
  { kind: 'text', name: 'fee_limit', label: 'pay_config.fee_limit', help: 'pay_config.fee_limit_help', suffix: 'TRX' },
  { kind: 'number', name: 'order_minutes', label: 'pay_config.order_minutes', minimum: 5, maximum: 10_080 },
  {
    kind: 'radio',
    name: 'qr_code_switch',
    label: 'pay_config.qr_code_switch',
    options: [
      { value: 1, label: 'pay_config.qr_on' },
      { value: 2, label: 'pay_config.qr_off' },
    ],
  },
];

const trimmed = (text: string): string => text.replace(/\.?0+$/, '');

function EditForm({ config, settings, onClose }: { config: PayConfig; settings: PaySettings; onClose: () => void }) {
  const { network, order_minutes, qr_code_switch, contract } = config;
  const { url, second_url, collecting_address, payout_addresses } = settings;
  const amounts = {
    minimum_deposit: trimmed(config.minimum_deposit),
    collect_threshold: trimmed(settings.collect_threshold),
    fee_limit: trimmed(settings.fee_limit),
  };
  return (
    <ProvedModal
      action={api.pay_config.update}
      title="pay_config.edit"
      submit="common.save"
      success="pay_config.saved"
      invalidates={['pay_config', 'balance_recharge', 'usdt_transaction_record']}
      initial={{
        network,
        url,
        second_url,
        contract: network === 'tron' ? contract : '',
        collecting_address,
        payout_addresses: payout_addresses.join('\n'),
        ...amounts,
        order_minutes,
        qr_code_switch,
      }}
      toInput={({ api_key, url: node, second_url: second, contract: token, ...values }) => ({
        ...values,
        collecting_address: values.collecting_address ?? '',
        payout_addresses: String(values.payout_addresses ?? '')
          .split(/\s+/)
          .filter(Boolean),
        ...(values.network === 'tron' ? { url: node ?? '', second_url: second ?? '', contract: token ?? '' } : {}),
        ...(api_key ? { api_key } : {}),
      })}
      fields={fieldsOf(settings)}
      proofWhen="pay_config.proof_help"
      onClose={onClose}
    />
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{t(label)}</dt>
      <dd>{children}</dd>
    </div>
  );
};

function Facts({ config, settings }: { config: PayConfig; settings: PaySettings }) {
  const { t } = useTranslation();
  const none = <span className="lc-soft">{t('pay_config.none')}</span>;
  const code = (text: string) => (text ? <Copyable value={text} whole code /> : none);
  return (
    <dl className="lc-panel lc-pay-facts">
      <Fact label="pay_config.network">{t(`pay_config.network_${config.network}`)}</Fact>
      {config.network === 'tron' && <Fact label="pay_config.url">{code(settings.url)}</Fact>}
      {config.network === 'tron' && <Fact label="pay_config.second_url">{code(settings.second_url)}</Fact>}
      {config.network === 'tron' && <Fact label="pay_config.api_key">{settings.has_api_key ? '••••••' : none}</Fact>}
      <Fact label="pay_config.contract">{code(config.contract)}</Fact>
      <Fact label="pay_config.read_to">
        {settings.block === null ? (
          none
        ) : (
          <span className="lc-num">
            {settings.block} · {settings.block_at && <Time value={settings.block_at} />}
          </span>
        )}
      </Fact>
      <Fact label="pay_config.collecting_address">{code(settings.collecting_address)}</Fact>
      <Fact label="pay_config.payout_addresses">
        {settings.payout_addresses.length === 0
          ? none
          : settings.payout_addresses.map((address) => <div key={address}>{code(address)}</div>)}
      </Fact>
      <Fact label="pay_config.minimum_deposit">{usdt(config.minimum_deposit)}</Fact>
      <Fact label="pay_config.collect_threshold">{usdt(settings.collect_threshold)}</Fact>
      <Fact label="pay_config.fee_limit">{trx(settings.fee_limit)}</Fact>
      <Fact label="pay_config.order_minutes">{config.order_minutes}</Fact>
      <Fact label="pay_config.qr_code_switch">{t(config.qr_code_switch === 1 ? 'pay_config.qr_on' : 'pay_config.qr_off')}</Fact>
    </dl>
  );
}

function useTest() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const test = useAction(api.pay_config.test, { success: false });
  return {
    isRunning: test.isRunning,
    async run() {
      const found = await test.run({});
      const [first] = found?.nodes ?? [];
      if (first)
        void message.success(
          t('pay_config.test_passed', { number: found?.nodes.length ?? 0, block: first.block, milliseconds: first.duration_ms }),
        );
    },
  };
}

/** How the site takes payments. */
export function PayConfigPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { data, error, refetch, isFetching } = useCall(api.pay_config.inquire, {}, { refetchInterval: 10_000 });
  const [isOpen, setIsOpen] = useState(false);
  const test = useTest();
  const actions = (
    <>
      {allows('pay_config.test') && (
        <Button loading={test.isRunning} onClick={() => void test.run()}>
          {t('pay_config.test')}
        </Button>
      )}
      {allows('pay_config.update') && (
        <Button type="primary" disabled={!data} onClick={() => setIsOpen(true)}>
          {t('pay_config.edit')}
        </Button>
      )}
    </>
  );
  return (
    <Page title="menu.pay_config" actions={actions}>
      <TestNetwork network={data?.network} />
      {!data && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data?.settings?.last_error && (
        <Alert type="error" showIcon title={t('usdt_transaction_record.failing')} description={data.settings.last_error} />
      )}
      {data?.settings && <Facts config={data} settings={data.settings} />}
      {isOpen && data?.settings && <EditForm config={data} settings={data.settings} onClose={() => setIsOpen(false)} />}
    </Page>
  );
}
