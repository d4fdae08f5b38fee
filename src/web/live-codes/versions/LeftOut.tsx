import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LeftOut } from '../../../contract/codes/code-version.ts';

const mostShown = 20;

/** Tells which parts of versions could not be restored, and why; says nothing where all could. */
export function useLeftOut(): (parts: readonly LeftOut[]) => void {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  return (parts) => {
    if (parts.length === 0) return;
    const isOfOne = new Set(parts.map((part) => part.live_code_id)).size === 1;
    modal.warning({
      title: t('code_version.left_out.title'),
      centered: true,
      width: 520,
      content: (
        <ul className="code-left-out">
          {parts.slice(0, mostShown).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <li key={index}>
              {!isOfOne && <b>{part.code_name} </b>}
              {t(`code_version.fields.${part.field}`)}
              {part.name && <span className="lc-soft"> {part.name}</span>}
              {t('code_version.left_out.colon')}
              {t(`code_version.left_out.reasons.${part.reason}`)}
            </li>
          ))}
          {parts.length > mostShown && <li>{t('code_version.left_out.more', { count: parts.length - mostShown })}</li>}
        </ul>
      ),
    });
  };
}
