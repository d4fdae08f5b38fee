import { Descriptions } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventTypes } from '../../contract/events.ts';
import { type Delivery, deliveryStates, type Webhook } from '../../contract/people/webhook.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Drawer, Modal } from '../kit/dialogs/dialogs.tsx';
import { Time } from '../kit/feedback.ts';
import { type Filter, ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import './developer.css';

const stateKinds = { waiting: 'info', delivered: 'success', failed: 'error' } as const;

const columns = columnsOf(api.webhook.deliveries, [
  { key: 'type', kind: 'name', title: 'webhook.event_type', width: 190, render: (row) => <code>{row.type}</code> },
  { key: 'state', kind: 'status', status: (row) => ({ kind: stateKinds[row.state], label: `webhook.delivery_${row.state}` }) },
  { key: 'status', width: 90, align: 'right', card: 'field' },
  { key: 'attempts', width: 80, align: 'right', card: 'field' },
  {
    key: 'duration_ms',
    title: 'webhook.duration',
    width: 90,
    align: 'right',
    render: (row) => (row.duration_ms === null ? '' : `${row.duration_ms} ms`),
  },
  { key: 'at', kind: 'time', card: 'field' },
  { key: 'next_attempt_at', width: 140, render: (row) => <Time value={row.next_attempt_at} exact /> },
]);

const filters: Filter<'state' | 'type'>[] = [
  {
    kind: 'select',
    key: 'state',
    label: 'webhook.state',
    options: deliveryStates.map((value) => ({ value, label: `webhook.delivery_${value}` })),
  },
  { kind: 'select', key: 'type', label: 'webhook.event_type', options: eventTypes.map((value) => ({ value, label: value })) },
];

/** What was sent, and what the receiver said. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const items = [
    { key: 'id', label: t('webhook.id'), children: <code>{`evt_${delivery.event_id}`}</code> },
    { key: 'tried_at', label: t('webhook.tried_at'), children: <Time value={delivery.tried_at} exact /> },
    ...(delivery.error ? [{ key: 'error', label: t('webhook.error'), children: delivery.error }] : []),
  ];
  return (
    <div className="lc-developer-help">
      <Descriptions size="small" column={{ xs: 1, md: 3 }} items={items} />
      <div>
        <p className="lc-soft">{t('webhook.data')}</p>
        <pre className="lc-example lc-code">{JSON.stringify(delivery.data, null, 2)}</pre>
      </div>
      {delivery.answer !== null && (
        <div>
          <p className="lc-soft">{t('webhook.answer')}</p>
          <pre className="lc-example lc-code">{delivery.answer || t('webhook.empty_answer')}</pre>
        </div>
      )}
    </div>
  );
}

/** The log of one webhook, kept for 30 days. */
export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Delivery | null>(null);
  const resend = useAction(api.webhook.resend);
  const send = async (rows: readonly Delivery[]) => (await resend.run({ ids: rows.map(({ id }) => id) })) !== undefined;
  const resending = { key: 'resend', label: 'webhook.resend', node: 'webhook.resend' } as const;
  return (
    <Drawer
      open
      title={<span className="lc-breaking">{t('webhook.deliveries_of', { url: webhook.url })}</span>}
      size={1120}
      onClose={onClose}
    >
      <ListTable
        list={api.webhook.deliveries}
        columns={columns}
        filters={filters}
        fixedInput={{ webhook_id: webhook.id }}
        name="webhook.deliveries"
        defaultSort={{ sort: 'id', order: 'desc' }}
        pollSeconds={5}
        rowActions={[
          { key: 'details', label: 'common.details', onClick: setOpened },
          {
            ...resending,
            visible: (row) => row.type !== 'webhook.test' && row.state !== 'waiting',
            onClick: (row) => void send([row]),
          },
        ]}
        batchActions={[{ ...resending, onClick: send }]}
        empty={{ title: 'webhook.no_deliveries', help: 'webhook.no_deliveries_help' }}
      />
      {opened && (
        <Modal open title={opened.type} footer={null} onCancel={() => setOpened(null)}>
          <DeliveryDetails delivery={opened} />
        </Modal>
      )}
    </Drawer>
  );
}
