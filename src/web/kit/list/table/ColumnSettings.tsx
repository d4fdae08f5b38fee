import { SettingOutlined } from '@ant-design/icons';
import { Button, Popover, Skeleton, Tooltip } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColumnSettingsProps } from './ColumnList.tsx';

const ColumnList = lazy(async () => ({ default: (await import('./ColumnList.tsx')).ColumnList }));

/** Which columns are shown, in which order, how dense: kept per user. */
export function ColumnSettings(props: ColumnSettingsProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      title={t('common.columns.title')}
      content={
        <Suspense fallback={<Skeleton active />}>
          <ColumnList {...props} />
        </Suspense>
      }
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      <Tooltip title={isOpen ? '' : t('common.columns.title')}>
        <Button icon={<SettingOutlined />} aria-label={t('common.columns.title')} aria-expanded={isOpen} />
      </Tooltip>
    </Popover>
  );
}
