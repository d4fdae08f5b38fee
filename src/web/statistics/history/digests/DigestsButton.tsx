import { MailOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Subject } from './subject.ts';

const Digests = lazy(async () => ({ default: (await import('./Digests.tsx')).Digests }));

/** "Send me this every day or week", with those that are sent already. */
export function DigestsButton(subject: Subject) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon={<MailOutlined />} onClick={() => setIsOpen(true)}>
        {t('visit_digest.button')}
      </Button>
      {isOpen && (
        <Suspense>
          <Digests {...subject} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
