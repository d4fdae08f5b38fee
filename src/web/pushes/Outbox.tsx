import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { channelKinds, type PushDelivery, pushStates } from '../../contract/detection/shield-push.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Time } from '../kit/feedback.ts';
import { type Filter, ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useText } from '../kit/texts/text.ts';
import { channelName, deliveryKinds } from './channels.texts.ts';
import { PushDetails } from './PushDetails.tsx';
import { PushPartPage, useShowPart } from './PushPart.tsx';

const pollSeconds = 5;

const columns = columnsOf(api.shield_push.inquire, [
  { key: 'title', kind: 'name', width: 320, exportValue: (row) => row.title, render: (row) => <Title push={row} /> },
  { key: 'channel', width: 220, card: 'field', exportValue: (row) => row.channel_target, render: (row) => <ChannelOf push={row} /> },
  {
    key: 'state',
    kind: 'status',
    title: 'common.field.state',
    status: (row) => ({
      kind: deliveryKinds[row.state],
      label: row.held ? 'shield_push.held' : `shield_push.delivery_${row.state}`,
      ...(row.error ? { help: row.error } : {}),
    }),
    width: 150,
  },
  { key: 'attempts', width: 80, align: 'right', card: undefined },
  { key: 'tried_at', kind: 'time', card: 'field' },
  { key: 'next_attempt_at', width: 140, render: (row) => <Time value={row.next_attempt_at} /> },
  { key: 'owner_account', title: 'common.field.user', width: 130, node: 'user_list' },
  { key: 'created_at', kind: 'time', hiddenByDefault: true },
]);

const filters: Filter<'search' | 'state' | 'channel_kind' | 'owner_id'>[] = [
  { kind: 'text', key: 'search', label: 'shield_push.search' },
  {
    kind: 'select',
    key: 'state',
    label: 'common.field.state',
    options: pushStates.map((value) => ({ value, label: `shield_push.delivery_${value}` })),
  },
  {
    kind: 'select',
    key: 'channel_kind',
    label: 'shield_push.kind',
    options: channelKinds.map((value) => ({ value, label: `shield_push.kind_${value}` })),
  },
  { kind: 'remote', key: 'owner_id', label: 'common.field.user', source: accountOptions, node: 'user_list' },
];

function Title({ push }: { push: PushDelivery }) {
  const { t } = useTranslation();
  return (
    <span className="lc-push-title">
      <span>{push.title || <span className="lc-soft">{t('shield_push.gathering')}</span>}</span>
      {push.round > 1 && <Tag>{t('shield_push.round_tag', { round: push.round })}</Tag>}
      {push.is_test && <Tag>{t('shield_push.test_tag')}</Tag>}
    </span>
  );
}

function ChannelOf({ push }: { push: PushDelivery }) {
  const { t } = useTranslation();
  const text = useText();
  const kind = t(`shield_push.kind_${push.channel_kind}`);
  const name = text(channelName({ kind: push.channel_kind, name: push.channel_name, target: push.channel_target }));
  return (
    <span className="lc-push-two">
      <span>{kind}</span>
      {name !== kind && <small className="lc-soft">{name}</small>}
    </span>
  );
}

/** What was and will be sent: to whom, how often it was tried, and what was answered. */
export function Outbox() {
  const { t } = useTranslation();
  const { user } = useSession();
  const show = useShowPart();
  const [opened, setOpened] = useState<PushDelivery | null>(null);
  const resend = useAction(api.shield_push.resend);
  const see = useAction(api.shield_push.seen, { success: 'shield_push.marked_seen' });
  const send = async (rows: readonly PushDelivery[]) =>
    (await resend.run({ ids: rows.map(({ id }) => id) }, { name: rows.length === 1 ? rows[0]?.title : undefined })) !== undefined;
  const resending = { key: 'resend', label: 'shield_push.resend', node: 'shield_push.resend' } as const;
  return (
    <PushPartPage
      part="outbox"
      actions={
        <Button loading={see.isRunning} onClick={() => void see.run({})}>
          {t('shield_push.mark_all_seen')}
        </Button>
      }
    >
      <ListTable
        list={api.shield_push.inquire}
        columns={columns}
        filters={filters}
        name="shield_push.outbox"
        defaultSort={{ sort: 'id', order: 'desc' }}
        pollSeconds={pollSeconds}
        exportName="menu.shield_push"
        onRowClick={setOpened}
        rowActions={[
          { key: 'details', label: 'common.details', onClick: setOpened },
          {
            key: 'seen',
            label: 'shield_push.mark_seen',
            visible: (row) => row.owner_id === user?.id && row.state === 'delivered' && row.seen_at === null && !row.is_test,
            onClick: (row) => void see.run({ push_ids: [row.push_id] }),
          },
          { ...resending, visible: (row) => !row.is_test && row.state !== 'waiting', onClick: (row) => void send([row]) },
        ]}
        batchActions={[{ ...resending, onClick: send }]}
        empty={{
          title: 'shield_push.empty',
          help: 'shield_push.empty_help',
          action: <Button onClick={() => show('rules')}>{t('shield_push.see_rules')}</Button>,
        }}
      />
      {opened && (
        <Modal open title={opened.title || t('shield_push.gathering')} footer={null} onCancel={() => setOpened(null)}>
          <PushDetails push={opened} />
        </Modal>
      )}
    </PushPartPage>
  );
}
