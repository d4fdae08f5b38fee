import { ClearOutlined, SendOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SentMessage } from '../../../contract/content/message-list.ts';
import { messageAudiences } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Num, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { SendMessageDialog } from './SendMessageDialog.tsx';
import './messages.css';

const audienceLabel = (row: SentMessage) =>
  row.audience === 'role' ? (row.role_name ?? 'message_list.role_gone') : `message_list.audience_${row.audience}`;

const kindColors = { info: 'info', reminder: 'warning', alert: 'error' } as const;

const columns: Column<SentMessage>[] = [
  {
    key: 'title',
    title: 'message_list.message_title',
    width: 320,
    card: 'title',
    render: (row) => (
      <span className="message-cell">
        <b>{row.title}</b>
        <small>{row.content}</small>
      </span>
    ),
  },
  { key: 'content', title: 'message_list.content', hiddenByDefault: true, width: 300 },
  {
    key: 'kind',
    title: 'message_list.kind',
    width: 110,
    card: 'field',
    render: (row) => <Status kind={kindColors[row.kind]} label={`message_list.kind_${row.kind}`} />,
    exportValue: (row) => `message_list.kind_${row.kind}`,
  },
  {
    key: 'audience',
    title: 'message_list.audience',
    width: 160,
    card: 'field',
    render: (row) => <Audience row={row} />,
    exportValue: audienceLabel,
  },
  {
    key: 'viewed_number',
    title: 'message_list.viewed',
    width: 190,
    card: 'field',
    render: (row) => <Viewed row={row} />,
  },
  {
    key: 'receiver_number',
    title: 'message_list.receiver_number',
    sortable: true,
    align: 'right',
    width: 120,
    render: (row) => <Num value={row.receiver_number} />,
  },
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
    sortable: true,
    width: 150,
    card: 'field',
    exportValue: (row) => row.sent_at,
    render: (row) => <Time value={row.sent_at} />,
  },
];

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
  return row.audience === 'role' ? (row.role_name ?? t('message_list.role_gone')) : t(`message_list.audience_${row.audience}`);
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
    <span className="message-viewed">
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
  const takeBack = useAction(api.message_list.clear);
  const clear = useAction(api.message_list.clear, { success: 'message_list.cleared' });

  async function askToTakeBack(rows: readonly SentMessage[]) {
    const title =
      rows.length === 1
        ? t('message_list.take_back_title', { title: rows[0]?.title ?? '' })
        : t('message_list.take_back_many_title', { number: rows.length });
    const question = { title, content: 'message_list.take_back_content', confirm: 'message_list.take_back', danger: true };
    return (await confirm(question)) && (await takeBack.run({ ids: rows.map((row) => row.id) })) !== undefined;
  }

  const askToClear = () =>
    confirm({
      title: 'message_list.clear_title',
      content: 'message_list.clear_content',
      confirm: 'message_list.clear_confirm',
      danger: true,
      run: () => clear.run({}),
    });

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
        title="message_list.title"
        help={t('message_list.help')}
        list={api.message_list.inquire_sent}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'desc' }}
        exportName="message_list.title"
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
        empty={{ title: 'message_list.empty', help: 'message_list.empty_help', action: sendButton }}
        onRowClick={setOpened}
        rowActions={[
          { key: 'open', label: 'message_list.open', onClick: setOpened },
          {
            key: 'take_back',
            label: 'message_list.take_back',
            node: 'message_list.clear',
            danger: true,
            onClick: (row) => void askToTakeBack([row]),
          },
        ]}
        batchActions={[
          { key: 'take_back', label: 'message_list.take_back', node: 'message_list.clear', danger: true, onClick: askToTakeBack },
        ]}
      />
      {isSending && <SendMessageDialog onClose={() => setIsSending(false)} />}
      <Modal
        open={opened !== null}
        title={opened?.title}
        onCancel={() => setOpened(null)}
        footer={null}
        width={560}
        className="message-open"
      >
        {opened && (
          <>
            <p className="lc-soft">
              <Audience row={opened} /> · <Sender row={opened} /> · <Time value={opened.sent_at} exact />
            </p>
            <p className="lc-message-text">{opened.content}</p>
            <Viewed row={opened} />
          </>
        )}
      </Modal>
    </>
  );
}
