import { CloseOutlined, EllipsisOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { useIsPhone } from '../look/media.ts';
import { useFormat } from '../texts/format.ts';
import { useText } from '../texts/text.ts';
import type { BatchAction } from './types.ts';
import type { Selection } from './useSelection.ts';

type BatchBarProps<Row> = {
  selection: Selection<Row>;
  actions: readonly BatchAction<Row>[];
  /** Offers to select what fits the filters beyond this page. */
  more?: { label: string; select: () => Promise<unknown> } | undefined;
};

const mostButtons = { wide: 8, phone: 4 };

/** Of many acts the first stand as buttons, with the last one, which removes; those between are in a menu. */
function splitBatch<A>(actions: readonly A[], mostButtons: number): { direct: readonly A[]; rest: readonly A[] } {
  if (actions.length <= mostButtons) return { direct: actions, rest: [] };
  return { direct: [...actions.slice(0, mostButtons - 2), ...actions.slice(-1)], rest: actions.slice(mostButtons - 2, -1) };
}

/** Stands at the bottom while rows are selected. */
export function BatchBar<Row>({ selection, actions, more }: BatchBarProps<Row>) {
  const { t } = useTranslation();
  const format = useFormat();
  const text = useText();
  const [running, setRunning] = useState<string | null>(null);
  const { rows, rowsById, size, clear } = selection;
  async function whileRunning(key: string, work: () => Promise<unknown>) {
    setRunning(key);
    try {
      await work();
    } finally {
      setRunning(null);
    }
  }
  const run = (action: BatchAction<Row>) =>
    whileRunning(action.key, async () => {
      if (await (action.byId ? action.onClick(rowsById()) : action.onClick(rows ?? []))) clear();
    });
  const isPhone = useIsPhone();
  const { direct, rest } = splitBatch(
    actions.filter((action) => action.byId || rows),
    isPhone ? mostButtons.phone : mostButtons.wide,
  );
  return (
    <section className="lc-batch" aria-label={t('common.batch.title')}>
      <span className="lc-batch-count" aria-live="polite">
        {t('common.batch.selected', { rows: format.exact(size) })}
      </span>
      {more && (
        <Button
          type="link"
          className="lc-batch-more"
          loading={running === ' more'}
          disabled={running !== null}
          onClick={() => void whileRunning(' more', more.select)}
        >
          {more.label}
        </Button>
      )}
      <div className="lc-batch-actions">
        {direct.map((action, index) => (
          <Fragment key={action.key}>
            {index === direct.length - 1 && rest.length > 0 && (
              <Dropdown
                menu={{
                  items: rest.map(({ key, icon, danger, label }) => ({ key, icon, danger, label: text(label) })),
                  onClick: ({ key }) => {
                    const chosen = rest.find((other) => other.key === key);
                    if (chosen) void run(chosen);
                  },
                }}
              >
                <Button
                  icon={<EllipsisOutlined />}
                  loading={rest.some(({ key }) => key === running)}
                  disabled={running !== null}
                  aria-label={t('common.more_actions')}
                />
              </Dropdown>
            )}
            <Button
              icon={action.icon}
              danger={action.danger}
              loading={running === action.key}
              disabled={running !== null && running !== action.key}
              onClick={() => void run(action)}
            >
              {text(action.label)}
            </Button>
          </Fragment>
        ))}
      </div>
      <Button type="text" className="lc-batch-clear" icon={<CloseOutlined />} aria-label={t('common.batch.clear')} onClick={clear} />
    </section>
  );
}
