import { ExclamationCircleOutlined } from '@ant-design/icons';
import { App } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../texts/text.ts';
import { dialogMotion } from './dialogs.tsx';

type ConfirmOptions = {
  /** Message key or text: the question. */
  title: string;
  /** What will happen, in words. */
  content?: ReactNode;
  /** Message key or text of the button that does it (default "OK"): it names the act. */
  confirm?: string;
  cancel?: string;
  /** The act cannot be taken back: the button is red and the focus stays on "cancel". */
  danger?: boolean;
  /** Runs while the dialog stays open and its button shows progress. */
  run?: () => Promise<unknown>;
};

/** Asks before an act: `if (await confirm({ title, danger: true })) …`. With `run`, the dialog shows the act's progress. */
export function useConfirm(): (options: ConfirmOptions) => Promise<boolean> {
  const { modal } = App.useApp();
  const { t } = useTranslation();
  const text = useText();
  return ({ title, content, confirm, cancel, danger = false, run }) =>
    new Promise((resolve) => {
      modal.confirm({
        title: text(title),
        content: typeof content === 'string' ? text(content) : content,
        centered: true,
        transitionName: dialogMotion,
        icon: <ExclamationCircleOutlined />,
        okText: confirm ? text(confirm) : t('common.ok'),
        cancelText: cancel ? text(cancel) : t('common.cancel'),
        okButtonProps: { danger },
        focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
        onOk: async () => {
          await run?.();
          resolve(true);
        },
        onCancel: () => resolve(false),
      });
    });
}

/** What is asked about one row, as a message key with what `name` gives, and about `number` rows. */
export type RowsQuestion<Row> = Omit<ConfirmOptions, 'run'> & { many: string; name: (row: Row) => Record<string, string | number> };

/** Asks about one row or several, then acts; resolves to true when it was done. */
export function useRowsQuestion(): <Row>(
  rows: readonly Row[],
  question: RowsQuestion<Row>,
  act: () => Promise<unknown>,
) => Promise<boolean> {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return async (rows, { title, many, name, ...question }, act) => {
    const [first] = rows;
    if (first === undefined) return false;
    const words = rows.length === 1 ? t(title, { count: 1, ...name(first) }) : t(many, { number: rows.length, count: rows.length });
    return (await confirm({ ...question, title: words })) && (await act()) !== undefined;
  };
}
