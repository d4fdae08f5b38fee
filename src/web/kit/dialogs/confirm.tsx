import { ExclamationCircleOutlined } from '@ant-design/icons';
import { App } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useText } from '../texts/text.ts';

export type ConfirmOptions = {
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
