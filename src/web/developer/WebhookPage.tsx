import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ownEventTypes, type Webhook } from '../../contract/people/webhook.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Copyable, Num, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { remoteOptions } from '../kit/options.ts';
import { Deliveries } from './Deliveries.tsx';
import { SecretDialog } from './Secret.tsx';
import { WebhookHelp } from './WebhookHelp.tsx';
import { WebhookTest } from './WebhookTest.tsx';

const users = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (row) => ({ value: row.id, label: row.account }),
);

/** What a row says about its webhook: working, failing at the moment, switched off by hand or by itself. */
function stateOf({ enabled, stopped, failing_since }: Webhook): 'on' | 'failing' | 'off' | 'stopped' {
  if (!enabled) return stopped ? 'stopped' : 'off';
  return failing_since ? 'failing' : 'on';
}
const stateKinds = { on: 'success', failing: 'warning', off: 'neutral', stopped: 'error' } as const;

const columns: Column<Webhook>[] = [
  {
    key: 'url',
    title: 'webhook.url',
    sortable: true,
    width: 320,
    card: 'title',
    render: (row) => <Copyable value={row.url} maximum={44} code />,
  },
  {
    key: 'enabled',
    title: 'webhook.state',
    width: 120,
    card: 'aside',
    exportValue: (row) => `webhook.state_${stateOf(row)}`,
    render: (row) => (
      <Status
        kind={stateKinds[stateOf(row)]}
        label={`webhook.state_${stateOf(row)}`}
        {...(row.stopped ? { help: `webhook.stopped_${row.stopped}` } : {})}
      />
    ),
  },
  {
    key: 'events',
    title: 'webhook.events',
    width: 220,
    card: 'field',
    exportValue: (row) => (row.events.length === 0 ? 'webhook.all_events' : row.events.join(' ')),
    render: (row) => <Events row={row} />,
  },
  { key: 'waiting', title: 'webhook.waiting', align: 'right', width: 90, render: (row) => <Num value={row.waiting} /> },
  {
    key: 'last_delivery_at',
    title: 'webhook.last_delivery_at',
    width: 140,
    card: 'field',
    render: (row) => <Time value={row.last_delivery_at} />,
  },
  { key: 'remark', title: 'webhook.remark', width: 180 },
  { key: 'owner_account', title: 'webhook.user', width: 130, node: 'user_list' },
  { key: 'created_at', title: 'webhook.created_at', sortable: true, width: 140, render: (row) => <Time value={row.created_at} /> },
];

const filters: Filter<'search' | 'enabled' | 'owner_id'>[] = [
  { kind: 'text', key: 'search', label: 'webhook.search' },
  { kind: 'boolean', key: 'enabled', label: 'webhook.state', yes: 'webhook.state_on', no: 'webhook.state_off' },
  { kind: 'remote', key: 'owner_id', label: 'webhook.user', source: users, node: 'user_list' },
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
  { kind: 'switch', name: 'enabled', label: 'webhook.enabled' },
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

/** Addresses that are told of what happens: make one, look at what was sent, try it. */
export function WebhookPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const regenerate = useAction(api.webhook.regenerate, { success: false });
  const [isAdding, setIsAdding] = useState(false);
  const [edited, setEdited] = useState<Webhook | null>(null);
  const [opened, setOpened] = useState<Webhook | null>(null);
  const [tested, setTested] = useState<Webhook | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
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

  const addButton = <AddButton node="webhook.add" label="webhook.add" onClick={() => setIsAdding(true)} />;
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
            <Button onClick={() => setIsReading(true)}>{t('webhook.how')}</Button>
            {addButton}
          </>
        }
        empty={{ title: 'webhook.empty', help: 'webhook.empty_help', action: addButton }}
        rowActions={[
          { key: 'deliveries', label: 'webhook.deliveries', onClick: setOpened },
          { key: 'test', label: 'webhook.test', node: 'webhook.test', onClick: setTested },
          { key: 'update', label: 'common.edit', node: 'webhook.update', onClick: setEdited },
          { key: 'regenerate', label: 'webhook.regenerate', node: 'webhook.update', onClick: (row) => void askRegenerate(row) },
          removal.row,
        ]}
        batchActions={[removal.batch]}
      />
      {isAdding && (
        <FormModal
          action={api.webhook.add}
          title="webhook.add"
          submit="webhook.add_submit"
          success={false}
          fields={fields}
          initial={{ enabled: true, events: [] }}
          onDone={(made) => setSecret(made.secret)}
          onClose={() => setIsAdding(false)}
        />
      )}
      {edited && (
        <FormModal
          action={api.webhook.update}
          title="webhook.update_title"
          submit="common.save"
          fields={fields}
          initial={{ url: edited.url, events: edited.events, all_users: edited.all_users, remark: edited.remark, enabled: edited.enabled }}
          toInput={(values) => ({ ...values, id: edited.id })}
          onClose={() => setEdited(null)}
        />
      )}
      {secret && <SecretDialog title="webhook.secret" warning="webhook.secret_warning" secret={secret} onClose={() => setSecret(null)} />}
      {opened && <Deliveries webhook={opened} onClose={() => setOpened(null)} />}
      {tested && <WebhookTest webhook={tested} onClose={() => setTested(null)} />}
      {isReading && <WebhookHelp onClose={() => setIsReading(false)} />}
    </>
  );
}
