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
  /** What is compared digit by digit is never cut: it is set in several lines where it must be. */
  whole?: boolean;
  /** Figures and hashes are set in a fixed-width face. */
  code?: boolean;
};

/** Copies through the clipboard interface, or a selection where the page has no such right (plain http). */
async function copyText(value: string): Promise<void> {
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

/** Copies a text and says whether it was done, in a toast and to the caller. */
export function useCopy(): (value: string) => Promise<boolean> {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return async (value) => {
    try {
      await copyText(value);
      void message.success(t('common.copied'));
      return true;
    } catch {
      void message.error(t('common.copy_failed'));
      return false;
    }
  };
}

export function Copyable({ value, text = value, maximum = 40, whole = false, code = false }: CopyableProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  const shown = whole ? text : shortenMiddle(text, maximum);
  return (
    <Tooltip title={shown === value ? t('common.copy') : value} mouseEnterDelay={0.4}>
      <button
        type="button"
        className={`lc-copy${code ? ' lc-code' : ''}${whole ? ' lc-copy-whole' : ''}`}
        aria-label={t('common.copy_value', { value: shown })}
        aria-description={shown === value ? undefined : value}
        onClick={(event) => {
          event.stopPropagation();
          void copy(value).then(setCopied);
        }}
      >
        <span className="lc-copy-text">{shown}</span>
        {copied ? <CheckOutlined className="lc-copy-done" aria-hidden /> : <CopyOutlined className="lc-copy-icon" aria-hidden />}
      </button>
    </Tooltip>
  );
}
