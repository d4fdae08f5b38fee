import { Tooltip } from 'antd';
import { useText } from '../texts/text.ts';

export type StatusKind = 'success' | 'warning' | 'error' | 'info' | 'neutral';

/** A dot and a word; the colour never stands alone. `label` and `help` are message keys or text. */
export function Status({ kind, label, help }: { kind: StatusKind; label: string; help?: string }) {
  const text = useText();
  const status = (
    <span className={`lc-status lc-status-${kind}`}>
      <i aria-hidden />
      {text(label)}
    </span>
  );
  return help ? <Tooltip title={text(help)}>{status}</Tooltip> : status;
}
