import { CopyOutlined, DeleteOutlined, DownOutlined, EllipsisOutlined, ReloadOutlined, UpOutlined } from '@ant-design/icons';
import { Button, Form, type MenuProps, Switch, Tooltip } from 'antd';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Target } from '../../../../contract/codes/live-code.ts';
import { Dropdown } from '../../../kit/dialogs/dialogs.tsx';
import { Num } from '../../../kit/feedback.ts';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { DragHandle, useSortableRow } from '../../../kit/list/SortableList.tsx';
import { TargetRules } from '../targeting/TargetRules.tsx';
import type { TargetValues } from '../values.ts';
import { TargetContent } from './TargetContent.tsx';
import { TargetLimits } from './TargetLimits.tsx';
import { TargetMark, TargetSummary } from './TargetSummary.tsx';

export type TargetActions = {
  toggle: (key: string) => void;
  duplicate: (index: number) => void;
  remove: (index: number) => void;
  /** Missing where the user may not refill. */
  refill?: (targetId: number) => void;
  /** Shows this target in the preview. */
  look: (key: string) => void;
};

type TargetRowProps = {
  /** The target's own key; `index` is its present place. */
  rowKey: string;
  index: number;
  isOpen: boolean;
  isOnly: boolean;
  isRandom: boolean;
  /** What the server counts for a target that exists already. */
  live: Target | undefined;
  actions: TargetActions;
};

/** One target: a line that says what it is, and its fields while it is open. While one is dragged all rows move, but only move. */
export const TargetRow = memo(function TargetRow(props: TargetRowProps) {
  const { rowKey, index, isOpen, isRandom, actions } = props;
  const { t } = useTranslation();
  const { form } = useFormContext();
  const target: TargetValues | undefined = Form.useWatch(['targets', index], { form, preserve: true });
  const { row, handle, isDragging } = useSortableRow(rowKey);
  return (
    <li
      {...row}
      className={['lc-code-target', isDragging && 'lc-code-target-dragged', target?.enabled === false && 'lc-code-target-off']
        .filter(Boolean)
        .join(' ')}
      onFocus={() => actions.look(rowKey)}
    >
      <div className="lc-code-target-head">
        <DragHandle {...handle} label={t('set_qr_code.target.move', { number: index + 1 })} />
        <TargetHead {...props} target={target} />
      </div>
      <TargetFields index={index} isOpen={isOpen} isRandom={isRandom} />
    </li>
  );
});

const TargetHead = memo(function TargetHead(props: TargetRowProps & { target: TargetValues | undefined }) {
  const { rowKey, index, isOpen, live, actions, target } = props;
  const { t } = useTranslation();
  const number = index + 1;
  return (
    <>
      <button type="button" className="lc-code-target-title" aria-expanded={isOpen} onClick={() => actions.toggle(rowKey)}>
        <b className="lc-num lc-code-target-number">{number}</b>
        <TargetMark target={target} />
        <TargetSummary target={target} />
      </button>
      <TargetCount live={live} target={target} />
      <Form.Item name={[index, 'enabled']} valuePropName="checked" noStyle>
        <Switch size="small" aria-label={t('set_qr_code.target.enabled', { number })} />
      </Form.Item>
      <TargetMenu {...props} />
      <Button
        type="text"
        size="small"
        icon={isOpen ? <UpOutlined /> : <DownOutlined />}
        aria-label={t(isOpen ? 'set_qr_code.target.collapse' : 'set_qr_code.target.expand', { number })}
        onClick={() => actions.toggle(rowKey)}
      />
    </>
  );
});

type TargetFieldsProps = Pick<TargetRowProps, 'index' | 'isOpen' | 'isRandom'>;

/** A hundred targets with all their fields would make the page slow: those of one are made when it is first opened. */
const TargetFields = memo(function TargetFields({ index, isOpen, isRandom }: TargetFieldsProps) {
  const [hasFields, setHasFields] = useState(isOpen);
  if (isOpen && !hasFields) setHasFields(true);
  if (!hasFields) {
    // What the server finds wrong with a target that was never opened must have a place to stand.
    return (
      <Form.Item name={[index, 'content']} noStyle hidden>
        <input type="hidden" />
      </Form.Item>
    );
  }
  return (
    <div className="lc-code-target-body" hidden={!isOpen}>
      <TargetContent index={index} />
      <TargetLimits index={index} isRandom={isRandom} />
      <TargetRules index={index} />
    </div>
  );
});

/** Visits left of the threshold, and visits so far. */
function TargetCount({ live, target }: { live: Target | undefined; target: TargetValues | undefined }) {
  const { t } = useTranslation();
  if (!live || !target) return null;
  const isLimited = live.threshold !== null && live.remaining !== null;
  return (
    <span className="lc-code-target-count">
      {isLimited && (
        <Tooltip title={t('set_qr_code.target.left_of', { left: live.remaining ?? 0, threshold: live.threshold ?? 0 })}>
          <span className={live.remaining === 0 ? 'lc-code-fault' : undefined}>
            {t('set_qr_code.target.left')} <Num value={live.remaining} />
          </span>
        </Tooltip>
      )}
      <span className="lc-soft">
        {t('set_qr_code.target.visits')} <Num value={live.view_number} />
      </span>
      {target.kind === 'picture' && (
        <Tooltip title={t('set_qr_code.target.presses_help')}>
          <span className="lc-soft">
            {t('set_qr_code.target.presses')} <Num value={live.press_number} />
          </span>
        </Tooltip>
      )}
    </span>
  );
}

function TargetMenu({ index, isOnly, live, actions, target }: TargetRowProps & { target: TargetValues | undefined }) {
  const { t } = useTranslation();
  const { refill } = actions;
  const items: MenuProps['items'] = [
    { key: 'copy', icon: <CopyOutlined />, label: t('set_qr_code.target.duplicate'), onClick: () => actions.duplicate(index) },
    ...(refill && live && live.threshold !== null && target?.id
      ? [{ key: 'refill', icon: <ReloadOutlined />, label: t('qr_code_list.actions.refill'), onClick: () => refill(live.id) }]
      : []),
    {
      key: 'remove',
      icon: <DeleteOutlined />,
      label: t('set_qr_code.target.remove'),
      danger: true,
      disabled: isOnly,
      onClick: () => actions.remove(index),
    },
  ];
  return (
    <Dropdown menu={{ items }}>
      <Button type="text" size="small" icon={<EllipsisOutlined />} aria-label={t('set_qr_code.target.more', { number: index + 1 })} />
    </Dropdown>
  );
}
