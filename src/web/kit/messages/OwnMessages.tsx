import { BellOutlined, ExclamationCircleOutlined, InfoCircleOutlined } from '@ant-design/icons';
import { Button, Checkbox, Pagination, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ReceivedMessage } from '../../../contract/content/message-list.ts';
import { notifyStatus } from '../../../contract/enums.ts';
import { api } from '../calls/api.ts';
import { useAction, useCall } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';
import { Drawer } from '../dialogs/dialogs.tsx';
import { Empty } from '../feedback/Empty.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Time } from '../feedback/figures.tsx';
import { MessageText } from './MessageText.tsx';
import { routeOf } from './places.ts';
import { tellSeen } from './seen.ts';
import { useSeePushes } from './seePushes.ts';

const pageSize = 10;
const marks = { info: InfoCircleOutlined, reminder: BellOutlined, alert: ExclamationCircleOutlined } as const;

/** The user's own messages, newest first. */
export function OwnMessages({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const { impersonator } = useSession();
  const [page, setPage] = useState(1);
  const [isUnviewedOnly, setIsUnviewedOnly] = useState(false);
  const filter = isUnviewedOnly ? { notify_status: notifyStatus.unviewed } : {};
  const answer = useCall(
    api.message_list.inquire,
    { page, page_size: pageSize, sort: 'id', order: 'desc', ...filter },
    { enabled: isOpen, staleTime: 0 },
  );
  const viewAll = useAction(api.message_list.view_all, { success: false });
  const { data } = answer;
  const seePushes = useSeePushes();
  const seeListed = () => seePushes(data?.content.map(({ id }) => id) ?? []);
  function close() {
    seeListed();
    onClose();
  }
  // Whoever reads the list needs no toast above it.
  useEffect(() => {
    if (isOpen) tellSeen('all');
  }, [isOpen]);

  function content() {
    if (!data) return answer.isError ? <Failure error={answer.error} retry={() => void answer.refetch()} /> : <Skeleton active />;
    if (data.total === 0) {
      return isUnviewedOnly ? (
        <Empty picture="messages" title="message_list.own.none_unviewed" />
      ) : (
        <Empty picture="messages" title="message_list.own.empty" help="message_list.own.empty_help" />
      );
    }
    return (
      <ul className="lc-messages">
        {data.content.map((message) => (
          <Message key={message.id} message={message} close={close} />
        ))}
      </ul>
    );
  }

  return (
    <Drawer
      open={isOpen}
      onClose={close}
      title={t('message_list.own.title')}
      size={440}
      extra={
        // An administrator acting as another user leaves that user's messages unread.
        impersonator === null && (
          <Button size="small" loading={viewAll.isRunning} onClick={() => void viewAll.run({})}>
            {t('message_list.own.view_all')}
          </Button>
        )
      }
      footer={
        data && data.total > pageSize ? (
          <Pagination simple size="small" current={page} pageSize={pageSize} total={data.total} onChange={setPage} align="end" />
        ) : undefined
      }
    >
      <Checkbox
        checked={isUnviewedOnly}
        onChange={(event) => {
          setIsUnviewedOnly(event.target.checked);
          setPage(1);
        }}
      >
        {t('message_list.own.unviewed_only')}
      </Checkbox>
      {content()}
    </Drawer>
  );
}

function Message({ message, close }: { message: ReceivedMessage; close: () => void }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const route = routeOf(message, allows);
  const isUnviewed = message.notify_status === notifyStatus.unviewed;
  const Mark = marks[message.kind];
  return (
    <li className={isUnviewed ? 'lc-message lc-message-unviewed' : 'lc-message'}>
      <h3>
        <Mark className={`lc-message-${message.kind}`} aria-label={t(`message_list.kind_${message.kind}`)} />
        {message.title}
        {isUnviewed && <span className="lc-message-mark">{t('message_list.own.unviewed')}</span>}
      </h3>
      <MessageText text={message.content} onFollow={close} />
      <p className="lc-soft">
        <Time value={message.sent_at} />
        {route && (
          <>
            {' · '}
            <Link to={route} onClick={close}>
              {t('message_list.own.follow')}
            </Link>
          </>
        )}
      </p>
    </li>
  );
}
