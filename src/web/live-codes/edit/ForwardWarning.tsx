import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { forwardWarnings } from '../choices.ts';

/** Says beside the key that a forward answers in the place of the code, or of an alias. */
export function ForwardWarning({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  return forwardWarnings(code, t).map((text) => (
    <Alert key={text} type="warning" showIcon className="lc-code-alert lc-code-forwarded" title={text} />
  ));
}
