import { ClearOutlined, SendOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SentMessage } from '../../../contract/content/message-list.ts';
import { messageAudiences } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { useRowsAction } from '../../kit/dialogs/removal.tsx';
import { Time } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { MessageText } from '../../kit/messages/MessageText.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { useAskedAct } from '../../kit/useAskedAct.ts';
import { SendMessageDialog } from './SendMessageDialog.tsx';
import './messages.css';
import { roleName } from '../../kit/texts/roleName.ts';

const audienceLabel = (row: SentMessage) =>
  row.audience === 'role'
    ? row.role_name === null
      ? 'message_list.role_gone'
      : roleName(row.role_name)
    : `message_list.audience_${row.audience}`;

const kindColors = { info: 'info', reminder: 'warning', alert: 'error' } as const;

const columns = columnsOf(api.message_list.inquire_sent, [
  {
    key: 'title',
    kind: 'name',
    width: 320,
    render: (row) => (
      <span className="lc-message-cell">
        <b>{row.title}</b>
        <small>{row.content}</small>
      </span>
    ),
  },
  { key: 'content', width: 300, hiddenByDefault: true },
  {
    key: 'kind',
    kind: 'status',
    title: 'common.field.type',
    status: (row) => ({ kind: kindColors[row.kind], label: `message_list.kind_${row.kind}` }),
    card: 'field',
  },
  { key: 'audience', width: 160, card: 'field', exportValue: audienceLabel, render: (row) => <Audience row={row} /> },
  { key: 'viewed_number', title: 'message_list.viewed', width: 190, card: 'field', render: (row) => <Viewed row={row} /> },
  { key: 'receiver_number', kind: 'number', width: 120, card: undefined },
  {
    key: 'sender_account',
    title: 'message_list.sender',
    width: 140,
    exportValue: (row) => row.sender_account ?? 'message_list.sender_none',
    render: (row) => <Sender row={row} />,
  },
  {
    key: 'id',
    title: 'message_list.sent_at',
    width: 150,
    card: 'field',
    exportValue: (row) => row.sent_at,
    render: (row) => <Time value={row.sent_at} />,
  },
]);

const filters: Filter<'search' | 'audience' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'search', label: 'message_list.search' },
  {
    kind: 'select',
    key: 'audience',
    label: 'message_list.audience',
    options: messageAudiences.map((audience) => ({ value: audience, label: `message_list.audience_${audience}` })),
  },
  { kind: 'date_range', key: 'from', to: 'to', label: 'message_list.sent_at' },
];

function Audience({ row }: { row: SentMessage }) {
  const { t } = useTranslation();
  return row.audience === 'role'
    ? row.role_name === null
      ? t('message_list.role_gone')
      : roleName(row.role_name)
    : t(`message_list.audience_${row.audience}`);
}

function Sender({ row }: { row: SentMessage }) {
  const { t } = useTranslation();
  return row.sender_account ?? <span className="lc-soft">{t('message_list.sender_none')}</span>;
}

function Viewed({ row }: { row: SentMessage }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const share = row.receiver_number === 0 ? 0 : Math.min(1, row.viewed_number / row.receiver_number);
  const figures = t('message_list.viewed_of', { viewed: exact(row.viewed_number), total: exact(row.receiver_number) });
  return (
    <span className="lc-message-viewed">
      <Progress percent={share * 100} showInfo={false} size="small" aria-label={t('message_list.viewed')} />
      <span className="lc-num">{figures}</span>
    </span>
  );
}

/** What was sent and how many have seen it; send, take back one, several or all. */
export function MessageListPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [isSending, setIsSending] = useState(false);
  const [opened, setOpened] = useState<SentMessage | null>(null);
  const takingBack = useRowsAction<SentMessage, unknown>(api.message_list.clear, {
    key: 'take_back',
    label: 'message_list.take_back',
    node: 'message_list.clear',
    danger: true,
    title: 'message_list.take_back_title',
    many: 'message_list.take_back_many_title',
    content: 'message_list.take_back_content',
    name: ({ title }) => ({ title }),
  });
  const clear = useAction(api.message_list.clear, { success: 'message_list.cleared' });

  const askToClear = () =>
    confirm({
      title: 'message_list.clear_title',
      content: 'message_list.clear_content',
      confirm: 'message_list.clear_confirm',
      danger: true,
      run: () => clear.run({}),
    });

  useAskedAct('send', () => setIsSending(true), useSession().allows('message_list.send'));
  const sendButton = (
    <Allowed node="message_list.send">
      <Button type="primary" icon={<SendOutlined />} onClick={() => setIsSending(true)}>
        {t('message_list.send')}
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListPage
        title="menu.message_list"
        help={t('message_list.help')}
        list={api.message_list.inquire_sent}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'desc' }}
        exportName="menu.message_list"
        actions={
          <>
            <Allowed node="message_list.clear">
              <Button danger icon={<ClearOutlined />} onClick={() => void askToClear()}>
                {t('message_list.clear')}
              </Button>
            </Allowed>
            {sendButton}
          </>
        }
        empty={{ picture: 'messages', title: 'message_list.empty', help: 'message_list.empty_help', action: sendButton }}
        onRowClick={setOpened}
        rowActions={[{ key: 'open', label: 'common.view', onClick: setOpened }, takingBack.row]}
        batchActions={[takingBack.batch]}
      />
      {isSending && <SendMessageDialog onClose={() => setIsSending(false)} />}
      <OpenMessage message={opened} onClose={() => setOpened(null)} />
    </>
  );
}

function OpenMessage({ message, onClose }: { message: SentMessage | null; onClose: () => void }) {
  return (
    <Modal open={message !== null} title={message?.title} onCancel={onClose} footer={null} className="lc-message-open">
      {message && (
        <>
          <p className="lc-soft">
            <Audience row={message} /> · <Sender row={message} /> · <Time value={message.sent_at} exact />
          </p>
          <MessageText text={message.content} />
          <Viewed row={message} />
        </>
      )}
    </Modal>
  );
}
