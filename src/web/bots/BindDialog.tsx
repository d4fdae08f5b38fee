import { ExportOutlined } from '@ant-design/icons';
import { Button, Result, Segmented, Select, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoundChat, OfferedBot } from '../../contract/detection/telegram-bot-binding.ts';
import { api } from '../kit/calls/api.ts';
import { queryClient, useAction, useCall } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Copyable, Failure, Status } from '../kit/feedback.ts';
import { useIsPhone } from '../kit/look/media.ts';
import { QrImage } from '../qr/QrImage.tsx';
import { useChatTest } from './useChatTest.ts';
import './bots.css';

type Code = { id: number; code: string; url: string; group_url: string; expires_at: string; bot: OfferedBot };
type Goal = 'private' | 'group';

const lookMilliseconds = 2_000;

/** What is left of a time, counted down by the second. */
function useSecondsLeft(until: string): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((Date.parse(until) - now) / 1000));
}

/** How long the code still works, and that the dialog waits for it; a new code once it does not. */
function Waiting({ code, onAgain }: { code: Code; onAgain: () => void }) {
  const { t } = useTranslation();
  const seconds = useSecondsLeft(code.expires_at);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  if (seconds === 0)
    return (
      <p className="lc-bind-waiting" role="status">
        {t('telegram_bot_binding.code_expired')}
        <Button onClick={onAgain}>{t('telegram_bot_binding.new_code')}</Button>
      </p>
    );
  return (
    <p className="lc-bind-waiting lc-num">
      <Status kind="info" label={t('telegram_bot_binding.waiting_for', { time })} />
    </p>
  );
}

/** The code as a picture, a link and a command to be sent by hand. */
function CodeSteps({ code, goal, onAgain }: { code: Code; goal: Goal; onAgain: () => void }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { username } = code.bot;
  const url = goal === 'private' ? code.url : code.group_url;
  const command = goal === 'private' ? `/start ${code.code}` : `/start@${username} ${code.code}`;
  return (
    <div className="lc-bind">
      <QrImage className="lc-bind-qr" text={url} alt={t('telegram_bot_binding.qr_alt', { username })} width={isPhone ? 180 : 220} />
      <div className="lc-bind-steps">
        <ol>
          <li>{goal === 'private' ? t('telegram_bot_binding.private_scan') : t('telegram_bot_binding.group_scan')}</li>
          <li>{goal === 'private' ? t('telegram_bot_binding.private_start') : t('telegram_bot_binding.group_start')}</li>
        </ol>
        <Button icon={<ExportOutlined />} href={url} target="_blank" rel="noopener noreferrer">
          {t('telegram_bot_binding.open')}
        </Button>
        <p className="lc-soft">
          {goal === 'private' ? t('telegram_bot_binding.by_hand', { username }) : t('telegram_bot_binding.by_hand_group')}
        </p>
        <Copyable value={command} code />
        <Waiting code={code} onAgain={onAgain} />
      </div>
    </div>
  );
}

/** What became of the code, looked at while the dialog is open. */
function useBinding(code: Code | null): BoundChat | null {
  const found = useCall(
    api.telegram_bot_binding.binding,
    { id: code?.id ?? 0 },
    {
      enabled: code !== null,
      placeholderData: undefined as never,
      refetchInterval: ({ state }) => (state.data?.state === 'bound' ? false : lookMilliseconds),
      refetchIntervalInBackground: true,
    },
  );
  const chat = found.data?.chat ?? null;
  useEffect(() => {
    if (chat) void queryClient.invalidateQueries({ queryKey: ['telegram_bot_binding', 'inquire'] });
  }, [chat]);
  return chat;
}

/** Makes a one-time code and waits until a chat has sent it. */
function useCode(bot_id: number) {
  const [code, setCode] = useState<Code | null>(null);
  const { run, failure } = useAction(api.telegram_bot_binding.bind, { success: false, onFailure: () => true, onSuccess: setCode });
  const make = () => {
    setCode(null);
    void run({ bot_id });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is made when the dialog opens or another bot is chosen, and then by its button.
  useEffect(make, [bot_id]);
  return { code, failure, make };
}

type BindDialogProps = { bots: readonly OfferedBot[]; onClose: () => void };

/** Binds a chat: shows what the phone has to open, and says so as soon as it did. */
export function BindDialog({ bots, onClose }: BindDialogProps) {
  const { t } = useTranslation();
  const [bot_id, setBotId] = useState(bots[0]?.id ?? 0);
  const [goal, setGoal] = useState<Goal>('private');
  const { code, failure, make } = useCode(bot_id);
  const chat = useBinding(code);

  return (
    <Modal open title={t('telegram_bot_binding.bind')} width={680} centered onCancel={onClose} footer={null}>
      {chat ? (
        <Bound chat={chat} onAgain={make} onClose={onClose} />
      ) : (
        <>
          <div className="lc-bind-choices">
            <Segmented<Goal>
              value={goal}
              onChange={setGoal}
              options={[
                { value: 'private', label: t('telegram_bot_binding.to_private') },
                { value: 'group', label: t('telegram_bot_binding.to_group') },
              ]}
            />
            {bots.length > 1 && (
              <Select
                aria-label={t('telegram_bot_binding.choose_bot')}
                value={bot_id}
                onChange={setBotId}
                options={bots.map(({ id, name, username }) => ({ value: id, label: `${name} @${username}` }))}
              />
            )}
          </div>
          {failure && !code && <Failure error={failure} retry={make} />}
          {!failure && !code && <Spin className="lc-bind-loading" />}
          {code && <CodeSteps code={code} goal={goal} onAgain={make} />}
        </>
      )}
    </Modal>
  );
}

/** The chat answered: what can be done next. */
function Bound({ chat, onAgain, onClose }: { chat: BoundChat; onAgain: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { test, isRunning } = useChatTest();
  return (
    <div role="status">
      <Result
        status="success"
        title={t('telegram_bot_binding.done_title')}
        subTitle={t('telegram_bot_binding.done', { name: chat.nickname || chat.chat_id })}
        extra={
          <div className="lc-bind-done">
            <Button onClick={onAgain}>{t('telegram_bot_binding.bind_another')}</Button>
            <Button loading={isRunning} onClick={() => void test(chat)}>
              {t('telegram_bot_binding.test')}
            </Button>
            <Button type="primary" onClick={onClose}>
              {t('telegram_bot_binding.finish')}
            </Button>
          </div>
        }
      />
    </div>
  );
}
