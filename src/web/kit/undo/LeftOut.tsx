import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LeftOut } from '../../../contract/codes/code-version.ts';
import { codePage } from '../../kit/CodeLink.tsx';
import { fieldKeys } from './fieldKeys.ts';

const maxShown = 20;

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
        <ul className="lc-code-left-out">
          {parts.slice(0, maxShown).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <li key={index}>
              {/* What is shown from here stands outside of the router. */}
              {!isOfOne && <a href={`#${codePage(part.live_code_id)}`}>{part.code_name} </a>}
              {t(fieldKeys(part.field))}
              {part.name && <span className="lc-soft"> {part.name}</span>}
              {t('code_version.left_out.colon')}
              {t(`code_version.left_out.reasons.${part.reason}`)}
            </li>
          ))}
          {parts.length > maxShown && <li>{t('code_version.left_out.more', { count: parts.length - maxShown })}</li>}
        </ul>
      ),
    });
  };
}
