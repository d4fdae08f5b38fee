import { BellOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../../contract/permissions.ts';

const Rules = lazy(async () => ({ default: (await import('./Rules.tsx')).Rules }));

/** "Tell me when visits change", with the rules that do. */
export function RulesButton({ screen }: { screen: NodeKey }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Tooltip title={t('visit_rule.button')}>
        <Button icon={<BellOutlined />} aria-label={t('visit_rule.button')} onClick={() => setIsOpen(true)} />
      </Tooltip>
      {isOpen && (
        <Suspense>
          <Rules screen={screen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
