import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Channel } from '../../contract/detection/shield-push.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { doneWords } from '../kit/feedback/doneWords.ts';
import { ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useText } from '../kit/texts/text.ts';
import { AddChannel, ConfirmChannel, EditChannel, useSendCode } from './ChannelForms.tsx';
import { ChannelTest } from './ChannelTest.tsx';
import { channelName, channelState, channelStateKinds } from './channels.texts.ts';
import { MailServerButton } from './MailServer.tsx';
import { PushPartPage } from './PushPart.tsx';

const columns = columnsOf(api.shield_push.channels, [
  { key: 'name', width: 280, card: 'title', title: 'shield_push.channel', render: (row) => <Name channel={row} /> },
  { key: 'kind', kind: 'label', label: (row) => `shield_push.kind_${row.kind}`, width: 160, card: 'field' },
  {
    key: 'state',
    kind: 'status',
    title: 'common.field.state',
    status: (row) => ({
      kind: channelStateKinds[channelState(row)],
      label: `shield_push.state_${channelState(row)}`,
      ...(row.stopped ? { help: 'shield_push.stopped_help' } : {}),
    }),
    width: 130,
  },
  { key: 'rules', kind: 'number', width: 100 },
  { key: 'last_delivered_at', kind: 'time', card: 'field' },
  { key: 'created_at', kind: 'time' },
]);

function Name({ channel }: { channel: Channel }) {
  const text = useText();
  return (
    <span className="lc-push-two">
      <span>{text(channelName(channel))}</span>
      {channel.name && channel.target && <small className="lc-soft">{channel.target}</small>}
    </span>
  );
}

type Dialog = { kind: 'add' } | { kind: 'edit' | 'test' | 'confirm'; channel: Channel };

function ChannelDialog({ dialog, onAdded, onClose }: { dialog: Dialog; onAdded: (channel: Channel) => void; onClose: () => void }) {
  switch (dialog.kind) {
    case 'add':
      return <AddChannel onAdded={onAdded} onClose={onClose} />;
    case 'edit':
      return <EditChannel channel={dialog.channel} onClose={onClose} />;
    case 'test':
      return <ChannelTest channel={dialog.channel} onClose={onClose} />;
    case 'confirm':
      return <ConfirmChannel channel={dialog.channel} onClose={onClose} />;
  }
}

/** Where a user is told. */
export function Channels() {
  const { t } = useTranslation();
  const text = useText();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  /** An address that waits for its code, asked for when the form that added it is gone. */
  const [added, setAdded] = useState<Channel | null>(null);
  const { message } = App.useApp();
  const { send } = useSendCode();
  const update = useAction(api.shield_push.update_channel);
  const about = (kind: 'edit' | 'test' | 'confirm') => (channel: Channel) => setDialog({ kind, channel });
  const removal = useRemoval<Channel, unknown>(api.shield_push.remove_channel, {
    node: 'shield_push.remove',
    title: 'shield_push.remove_channel_title',
    many: 'shield_push.remove_channels_title',
    content: 'shield_push.remove_channel_content',
    name: (channel) => ({ name: text(channelName(channel)) }),
  });

  const setEnabled = (channel: Channel) => {
    const { id, enabled } = channel;
    return update.run({ id, enabled: !enabled }, { name: text(channelName(channel)), undo: { id, enabled } });
  };
  const tellAdded = async (channel: Channel) =>
    void message.success(await doneWords(api.shield_push.add_channel, {}, channel, text(channelName(channel))));

  function close() {
    setDialog(added ? { kind: 'confirm', channel: added } : null);
    setAdded(null);
  }
  function add(channel: Channel) {
    if (channel.confirmed_at !== null) return void tellAdded(channel);
    setAdded(channel);
    void send(channel);
  }

  const addButton = <AddButton node="shield_push.add" label="shield_push.add_channel" onClick={() => setDialog({ kind: 'add' })} />;
  const isConfirmed = (row: Channel) => row.confirmed_at !== null;
  return (
    <PushPartPage
      part="channels"
      actions={
        <>
          <MailServerButton />
          {addButton}
        </>
      }
    >
      <ListTable
        list={api.shield_push.channels}
        columns={columns}
        name="shield_push.channels"
        defaultSort={{ sort: 'id', order: 'asc' }}
        rowActions={[
          {
            key: 'confirm',
            label: 'shield_push.confirm',
            node: 'shield_push.update',
            visible: (row) => !isConfirmed(row),
            onClick: about('confirm'),
          },
          { key: 'test', label: 'shield_push.test_channel', node: 'shield_push.test', visible: isConfirmed, onClick: about('test') },
          { key: 'edit', label: 'common.edit', node: 'shield_push.update', onClick: about('edit') },
          {
            key: 'enabled',
            label: (row) => (row.enabled ? 'shield_push.pause' : 'shield_push.go_on'),
            node: 'shield_push.update',
            visible: isConfirmed,
            onClick: (row) => void setEnabled(row),
          },
          removal.row,
        ]}
        batchActions={[removal.batch]}
        empty={{ title: 'shield_push.no_channels', help: 'shield_push.no_channels_help', action: addButton }}
      />
      <Allowed node="webhook">
        <p className="lc-soft lc-push-note">
          {t('shield_push.webhooks_apart')} <Link to="/customer/webhook">{t('shield_push.webhooks_link')}</Link>
        </p>
      </Allowed>
      {dialog && <ChannelDialog key={dialog.kind} dialog={dialog} onAdded={add} onClose={close} />}
    </PushPartPage>
  );
}
