import { DeleteOutlined, DownOutlined, LinkOutlined, NotificationOutlined, PictureOutlined, UpOutlined } from '@ant-design/icons';
import { Button, Form, Switch, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HomeBlockKind } from '../../../contract/content/home-page-config.ts';
import { useFormContext } from '../../kit/form/ContractForm.tsx';
import { DragHandle, useSortableRow } from '../../kit/list/SortableList.tsx';
import { BlockFields } from './BlockFields.tsx';
import type { BlockValues } from './blockValues.ts';

const icons: Record<HomeBlockKind, ReactNode> = {
  announcement: <NotificationOutlined aria-hidden />,
  banner: <PictureOutlined aria-hidden />,
  links: <LinkOutlined aria-hidden />,
};

type BlockRowProps = { rowKey: string; index: number; isOpen: boolean; toggle: () => void; remove: () => void };

/** One block: a line that says what it is, and its fields while it is open. */
export function BlockRow({ rowKey, index, isOpen, toggle, remove }: BlockRowProps) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const block: BlockValues | undefined = Form.useWatch(['blocks', index], { form, preserve: true });
  const { row, handle, isDragging } = useSortableRow(rowKey);
  if (!block) return null;
  const number = index + 1;
  const classes = ['lc-home-editor-block', isDragging && 'lc-home-editor-dragged', !block.enabled && 'lc-home-editor-off'];
  return (
    <li {...row} className={classes.filter(Boolean).join(' ')}>
      <div className="lc-home-editor-head">
        <DragHandle {...handle} label={t('home_page_config.move', { number })} />
        <button type="button" className="lc-home-editor-title" aria-expanded={isOpen} onClick={toggle}>
          {icons[block.kind]}
          <span>
            {t(`home.block_kind.${block.kind}`)}
            {block.title && <span className="lc-soft"> · {block.title}</span>}
          </span>
        </button>
        <Form.Item name={[index, 'enabled']} valuePropName="checked" noStyle>
          <Switch size="small" aria-label={t('home_page_config.enabled', { number })} />
        </Form.Item>
        <Tooltip title={t('common.remove')}>
          <Button
            type="text"
            size="small"
            icon={<DeleteOutlined />}
            aria-label={t('home_page_config.remove', { number })}
            onClick={remove}
          />
        </Tooltip>
        <Button
          type="text"
          size="small"
          icon={isOpen ? <UpOutlined /> : <DownOutlined />}
          aria-label={t(isOpen ? 'home_page_config.collapse' : 'home_page_config.expand', { number })}
          onClick={toggle}
        />
      </div>
      <div className="lc-home-editor-body" hidden={!isOpen}>
        <BlockFields block={block} index={index} />
      </div>
    </li>
  );
}
