import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownEventTypes, type Webhook } from '../../contract/people/webhook.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Copyable } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { Deliveries } from './Deliveries.tsx';
import { SecretDialog } from './Secret.tsx';
import { WebhookHelp } from './WebhookHelp.tsx';
import { WebhookTest } from './WebhookTest.tsx';

/** What a row says about its webhook: working, failing at the moment, switched off by hand or by itself. */
function stateOf({ enabled, stopped, failing_since }: Webhook): 'on' | 'failing' | 'off' | 'stopped' {
  if (!enabled) return stopped ? 'stopped' : 'off';
  return failing_since ? 'failing' : 'on';
}
const stateKinds = { on: 'success', failing: 'warning', off: 'neutral', stopped: 'error' } as const;

const columns = columnsOf(api.webhook.inquire, [
  { key: 'url', kind: 'name', width: 320, render: (row) => <Copyable value={row.url} maximum={44} code /> },
  {
    key: 'enabled',
    kind: 'status',
    status: (row) => ({
      kind: stateKinds[stateOf(row)],
      label: `webhook.state_${stateOf(row)}`,
      ...(row.stopped ? { help: `webhook.stopped_${row.stopped}` } : {}),
    }),
    title: 'webhook.state',
    width: 120,
  },
  {
    key: 'events',
    width: 220,
    card: 'field',
    exportValue: (row) => (row.events.length === 0 ? 'webhook.all_events' : row.events.join(' ')),
    render: (row) => <Events row={row} />,
  },
  { key: 'waiting', kind: 'number', width: 90, card: undefined },
  { key: 'last_delivery_at', kind: 'time', card: 'field' },
  { key: 'remark' },
  { key: 'owner_account', title: 'common.field.user', width: 130, node: 'user_list' },
  { key: 'created_at', kind: 'time' },
]);

const filters: Filter<'search' | 'enabled' | 'owner_id'>[] = [
  { kind: 'text', key: 'search', label: 'webhook.search' },
  { kind: 'boolean', key: 'enabled', label: 'webhook.state', yes: 'common.normal', no: 'common.disabled' },
  { kind: 'remote', key: 'owner_id', label: 'common.field.user', source: accountOptions, node: 'user_list' },
];

const fields: FieldData[] = [
  { kind: 'text', name: 'url', label: 'webhook.url', help: 'webhook.url_help', placeholder: 'https://example.com/hooks/livecode' },
  {
    kind: 'select',
    name: 'events',
    label: 'webhook.events',
    help: 'webhook.events_help',
    placeholder: 'webhook.all_events',
    multiple: true,
    options: ownEventTypes.map((type) => ({ value: type, label: `webhook.event.${type}` })),
  },
  { kind: 'switch', name: 'all_users', label: 'webhook.all_users', help: 'webhook.all_users_help', node: 'user_list' },
  { kind: 'text', name: 'remark', label: 'webhook.remark' },
  { kind: 'switch', name: 'enabled', label: 'common.field.switched_on' },
];

function Events({ row }: { row: Webhook }) {
  const { t } = useTranslation();
  const shown = row.events.slice(0, 2);
  return (
    <>
      {row.events.length === 0 && t('webhook.all_events')}
      {shown.map((type) => (
        <Tag key={type}>{t(`webhook.event.${type}`)}</Tag>
      ))}
      {row.events.length > shown.length && <span className="lc-soft">+{row.events.length - shown.length}</span>}
      {row.all_users && <Tag color="blue">{t('webhook.all_users')}</Tag>}
    </>
  );
}

type Dialog = { kind: 'add' | 'help' } | { kind: 'deliveries' | 'test' | 'update'; webhook: Webhook };
type DialogsProps = { dialog: Dialog | null; onSecret: (secret: string) => void; onClose: () => void };

function WebhookDialogs({ dialog, onSecret, onClose }: DialogsProps) {
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'help':
      return <WebhookHelp onClose={onClose} />;
    case 'deliveries':
      return <Deliveries webhook={dialog.webhook} onClose={onClose} />;
    case 'test':
      return <WebhookTest webhook={dialog.webhook} onClose={onClose} />;
    case 'add':
      return (
        <FormModal
          action={api.webhook.add}
          title="webhook.add"
          submit="webhook.add"
          success={false}
          fields={fields}
          initial={{ enabled: true, events: [] }}
          onDone={(made) => onSecret(made.secret)}
          onClose={onClose}
        />
      );
    case 'update': {
      const { id, url, events, all_users, remark, enabled } = dialog.webhook;
      return (
        <FormModal
          action={api.webhook.update}
          title="webhook.update_title"
          submit="common.save"
          fields={fields}
          initial={{ url, events, all_users, remark, enabled }}
          toInput={(values) => ({ ...values, id })}
          onClose={onClose}
        />
      );
    }
  }
}

/** Addresses that are told of what happens: make one, look at what was sent, try it. */
export function WebhookPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const regenerate = useAction(api.webhook.regenerate, { success: false });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const about = (kind: 'deliveries' | 'test' | 'update') => (webhook: Webhook) => setDialog({ kind, webhook });
  const removal = useRemoval<Webhook, unknown>(api.webhook.remove, {
    node: 'webhook.remove',
    title: 'webhook.remove_title',
    many: 'webhook.remove_many',
    content: 'webhook.remove_content',
    name: ({ url }) => ({ url }),
  });

  async function askRegenerate({ id }: Webhook) {
    const agreed = await confirm({
      title: 'webhook.regenerate_title',
      content: 'webhook.regenerate_content',
      confirm: 'webhook.regenerate',
    });
    const made = agreed ? await regenerate.run({ id }) : undefined;
    if (made) setSecret(made.secret);
  }

  const addButton = <AddButton node="webhook.add" label="webhook.add" onClick={() => setDialog({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title="menu.webhook"
        help={t('webhook.help')}
        list={api.webhook.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.webhook"
        actions={
          <>
            <Button onClick={() => setDialog({ kind: 'help' })}>{t('webhook.how')}</Button>
            {addButton}
          </>
        }
        empty={{ title: 'webhook.empty', help: 'webhook.empty_help', action: addButton }}
        rowActions={[
          { key: 'deliveries', label: 'webhook.deliveries', onClick: about('deliveries') },
          { key: 'test', label: 'webhook.test_title', node: 'webhook.test', onClick: about('test') },
          { key: 'update', label: 'common.edit', node: 'webhook.update', onClick: about('update') },
          { key: 'regenerate', label: 'webhook.regenerate', node: 'webhook.update', onClick: (row) => void askRegenerate(row) },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      <WebhookDialogs dialog={dialog} onSecret={setSecret} onClose={() => setDialog(null)} />
      {secret && <SecretDialog title="webhook.secret" warning="webhook.secret_warning" secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
