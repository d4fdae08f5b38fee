import { EyeOutlined } from '@ant-design/icons';
import { Button, Popover, Tooltip } from 'antd';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

const Views = lazy(async () => ({ default: (await import('./Views.tsx')).Views }));

type ListViewsProps = Omit<ComponentProps<typeof Views>, 'close'>;

/** Views of a list by their names: filters, order and columns at once. Administrators share theirs with everybody. */
export function ListViews(props: ListViewsProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const title = t('common.views.title');
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      title={title}
      content={
        isOpen && (
          <Suspense>
            <Views {...props} close={() => setIsOpen(false)} />
          </Suspense>
        )
      }
      open={isOpen}
      onOpenChange={setIsOpen}
    >
      <Tooltip title={isOpen ? '' : title}>
        <Button icon={<EyeOutlined />} aria-label={title} aria-expanded={isOpen} />
      </Tooltip>
    </Popover>
  );
}
