import { Alert, App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import {
  type Channel,
  type ChannelKind,
  channelKinds,
  robotKinds,
  type shieldPush,
  signedKinds,
} from '../../contract/detection/shield-push.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import type { Values } from '../kit/form/contract.ts';
import { useText } from '../kit/texts/text.ts';
import { channelName } from './channels.texts.ts';

type Choices = OutputOf<(typeof shieldPush)['calls']['choices']>;

const isRobot = (kind: unknown) => (robotKinds as readonly unknown[]).includes(kind);
const isSigned = (kind: unknown) => (signedKinds as readonly unknown[]).includes(kind);

/** The field of a robot's address, whose help says what it begins with. */
const urlField = (
  kind: (typeof robotKinds)[number],
  choices: Choices | undefined,
  t: (key: string, params: Record<string, string>) => string,
): FieldData => ({
  kind: 'text',
  name: 'url',
  label: 'shield_push.url',
  required: true,
  wide: true,
  help: t('shield_push.url_help', { base: choices?.robots[kind] ?? '' }),
  visible: (values) => values.kind === kind,
});

const nameField: FieldData = { kind: 'text', name: 'name', label: 'shield_push.channel_name', help: 'shield_push.channel_name_help' };

function NoMailServer({ choices }: { choices: Choices | undefined }) {
  const { t } = useTranslation();
  return choices?.has_mail_server === false ? <Alert type="warning" showIcon title={t('shield_push.no_mail_server')} /> : null;
}

/** What a channel of the chosen kind needs; other fields keep what was typed, and are not sent. */
const needed: Record<ChannelKind, readonly string[]> = {
  site: [],
  email: ['address'],
  telegram: ['telegram_chat_id'],
  wecom: ['url'],
  dingtalk: ['url', 'secret'],
  feishu: ['url', 'secret'],
};

const onlyNeeded = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => ['kind', 'name', ...needed[values.kind as ChannelKind]].includes(key)));

type AddProps = { onAdded: (channel: Channel) => void; onClose: () => void };

export function AddChannel({ onAdded, onClose }: AddProps) {
  const { t } = useTranslation();
  const { data: choices } = useCall(api.shield_push.choices, {});
  const offered = channelKinds.filter((kind) => kind !== 'site' || choices?.has_site_channel === false);
  return (
    <FormModal
      action={api.shield_push.add_channel}
      title="shield_push.add_channel"
      submit="shield_push.add_channel"
      initial={{ kind: 'email' }}
      toInput={onlyNeeded}
      success={false}
      onDone={onAdded}
      onClose={onClose}
      intro={<NoMailServer choices={choices} />}
      fields={[
        {
          kind: 'radio',
          name: 'kind',
          label: 'shield_push.kind',
          wide: true,
          options: offered.map((value) => ({ value, label: `shield_push.kind_${value}` })),
        },
        {
          kind: 'text',
          name: 'address',
          label: 'shield_push.address',
          required: true,
          help: 'shield_push.address_help',
          placeholder: 'name@example.com',
          visible: (values) => values.kind === 'email',
        },
        {
          kind: 'select',
          name: 'telegram_chat_id',
          label: 'shield_push.telegram_chat_id',
          required: true,
          help: 'shield_push.telegram_chat_id_help',
          options: (choices?.chats ?? []).map(({ id, title }) => ({ value: id, label: title })),
          visible: (values) => values.kind === 'telegram',
        },
        ...robotKinds.map((kind) => urlField(kind, choices, t)),
        {
          kind: 'password',
          name: 'secret',
          label: 'shield_push.secret',
          help: 'shield_push.secret_help',
          visible: (values) => isSigned(values.kind),
        },
        nameField,
      ]}
    />
  );
}

export function EditChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const text = useText();
  return (
    <FormModal
      action={api.shield_push.update_channel}
      title="shield_push.edit_channel"
      // Without it, the channel would be called by the address that was sent, which holds the robot's key.
      name={text(channelName(channel))}
      submit="common.save"
      initial={{ name: channel.name }}
      toInput={(values) => ({ ...values, id: channel.id })}
      onClose={onClose}
      fields={[
        nameField,
        ...(isRobot(channel.kind)
          ? [{ kind: 'text', name: 'url', label: 'shield_push.url', help: 'shield_push.keep_help', placeholder: channel.target } as const]
          : []),
        ...(isSigned(channel.kind)
          ? [{ kind: 'password', name: 'secret', label: 'shield_push.secret', help: 'shield_push.keep_help' } as const]
          : []),
      ]}
    />
  );
}

/** Mails the code that confirms an address, and says whether it went out. */
export function useSendCode(): { send: (channel: Channel) => Promise<void>; isRunning: boolean } {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { run, isRunning } = useAction(api.shield_push.send_code, { success: false });
  return {
    isRunning,
    async send({ id }) {
      const answer = await run({ id });
      if (!answer) return;
      if (answer.error === null) message.success(t('shield_push.code_sent'));
      else message.error(t('shield_push.code_not_sent', { error: answer.error }));
    },
  };
}

export function ConfirmChannel({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation();
  const { send, isRunning } = useSendCode();
  return (
    <FormModal
      asks
      action={api.shield_push.confirm}
      title={t('shield_push.confirm_title', { address: channelName(channel) })}
      submit="shield_push.confirm"
      success="shield_push.confirmed"
      initial={{}}
      toInput={(values) => ({ ...values, id: channel.id })}
      fields={[{ kind: 'text', name: 'code', label: 'shield_push.code', help: 'shield_push.code_help', autoComplete: 'one-time-code' }]}
      onClose={onClose}
    >
      <Button loading={isRunning} onClick={() => void send(channel)}>
        {t('shield_push.send_code')}
      </Button>
    </FormModal>
  );
}
