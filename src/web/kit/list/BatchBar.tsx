import { CloseOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../text.ts';
import type { BatchAction } from './types.ts';

type BatchBarProps<Row> = { rows: Row[]; actions: readonly BatchAction<Row>[]; clear: () => void };

/** Stands at the bottom while rows are selected. */
export function BatchBar<Row>({ rows, actions, clear }: BatchBarProps<Row>) {
  const { t } = useTranslation();
  const text = useText();
  const [running, setRunning] = useState<string | null>(null);
  async function run(action: BatchAction<Row>) {
    setRunning(action.key);
    try {
      if (await action.onClick(rows)) clear();
    } finally {
      setRunning(null);
    }
  }
  return (
    <section className="lc-batch" aria-label={t('common.batch.title')}>
      <span className="lc-batch-count" aria-live="polite">
        {t('common.batch.selected', { rows: rows.length })}
      </span>
      <div className="lc-batch-actions">
        {actions.map((action) => (
          <Button
            key={action.key}
            icon={action.icon}
            danger={action.danger}
            loading={running === action.key}
            disabled={running !== null && running !== action.key}
            onClick={() => void run(action)}
          >
            {text(action.label)}
          </Button>
        ))}
      </div>
      <Button type="text" icon={<CloseOutlined />} aria-label={t('common.batch.clear')} onClick={clear} />
    </section>
  );
}
