import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { App, Tooltip } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shortenMiddle } from './shorten.ts';

type CopyableProps = {
  /** What is copied. */
  value: string;
  /** What is shown instead of the value. */
  text?: string;
  /** Longest text shown; a longer one is shortened in the middle. */
  maximum?: number;
  /** Figures and hashes are set in a fixed-width face. */
  code?: boolean;
};

/** Copies through the clipboard interface, or a selection where the page has no such right (plain http). */
export async function copyText(value: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(value);
      return;
    } catch {
      // Refused: the selection below still works after a click.
    }
  }
  const area = document.createElement('textarea');
  area.value = value;
  area.style.cssText = 'position:fixed;opacity:0;inset:0 auto auto 0';
  const focused = document.activeElement;
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error('The browser refused to copy.');
}

export function Copyable({ value, text = value, maximum = 40, code = false }: CopyableProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await copyText(value);
      setCopied(true);
      void message.success(t('common.copied'));
    } catch {
      void message.error(t('common.copy_failed'));
    }
  }

  const shown = shortenMiddle(text, maximum);
  return (
    <Tooltip title={shown === value ? t('common.copy') : value} mouseEnterDelay={0.4}>
      <button
        type="button"
        className={code ? 'lc-copy lc-code' : 'lc-copy'}
        aria-label={t('common.copy_value', { value: shown })}
        aria-description={shown === value ? undefined : value}
        onClick={(event) => {
          event.stopPropagation();
          void copy();
        }}
      >
        <span className="lc-copy-text">{shown}</span>
        {copied ? <CheckOutlined className="lc-copy-done" aria-hidden /> : <CopyOutlined className="lc-copy-icon" aria-hidden />}
      </button>
    </Tooltip>
  );
}
