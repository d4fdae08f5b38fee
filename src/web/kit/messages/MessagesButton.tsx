import { BellOutlined } from '@ant-design/icons';
import { Badge, Button, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MessagePoll } from './MessagePoll.tsx';
import { useUnviewed } from './useUnviewed.ts';
import './messages.css';

const OwnMessages = lazy(async () => ({ default: (await import('./OwnMessages.tsx')).OwnMessages }));

/** The messages of the top bar: how many are unread, and a drawer with all of them. */
export function MessagesButton() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const number = useUnviewed().data?.total ?? 0;

  function open() {
    setWasOpened(true);
    setIsOpen(true);
  }

  return (
    <>
      <MessagePoll />
      <Tooltip title={t('message_list.own.title')} placement="bottom">
        <Button
          type="text"
          aria-label={t('message_list.own.button', { number })}
          icon={
            <Badge count={number} size="small" overflowCount={99}>
              <BellOutlined />
            </Badge>
          }
          onClick={open}
        />
      </Tooltip>
      {wasOpened && (
        <Suspense>
          <OwnMessages isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
