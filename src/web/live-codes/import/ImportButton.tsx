import { ImportOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useAskedAct } from '../../kit/useAskedAct.ts';

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog.tsx')).ImportDialog }));

export function ImportButton() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  useAskedAct('import', () => setIsOpen(true), useSession().allows('qr_code_list.import'));
  return (
    <Allowed node="qr_code_list.import">
      <Button icon={<ImportOutlined />} onClick={() => setIsOpen(true)}>
        {t('menu.button.import')}
      </Button>
      {isOpen && (
        <Suspense>
          <ImportDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </Allowed>
  );
}
