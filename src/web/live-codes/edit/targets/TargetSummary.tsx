import { FileTextOutlined, FilterOutlined, LinkOutlined, PictureOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TargetKind } from '../../../../contract/enums.ts';
import { rulesLine } from '../targeting/words.ts';
import { shortAddress } from '../url.ts';
import type { TargetValues } from '../values.ts';

type Summed = Pick<TargetValues, 'kind' | 'content' | 'picture_url' | 'name' | 'rules'>;

const icons: Record<TargetKind, ReactNode> = { url: <LinkOutlined />, picture: <PictureOutlined />, text: <FileTextOutlined /> };

/** The picture of a target, small, or the sign of its kind. */
export function TargetMark({ target }: { target: Summed | undefined }) {
  if (target?.kind === 'picture' && target.picture_url) return <img className="lc-code-target-picture" src={target.picture_url} alt="" />;
  return icons[target?.kind ?? 'url'];
}

/** What a target is called, whom it serves, and on demand where it leads, where it has a name besides. */
export function TargetSummary({ target, withContent = false }: { target: Summed | undefined; withContent?: boolean }) {
  const { t, i18n } = useTranslation();
  const content = target?.kind === 'url' ? shortAddress(target.content ?? '') : target?.kind === 'text' ? target.content : '';
  const words = target?.name || content?.split('\n')[0];
  return (
    <span className="lc-code-target-lines">
      <span className={words ? 'lc-code-target-words' : 'lc-code-target-words lc-soft'}>
        {words || t(`set_qr_code.target.untitled.${target?.kind ?? 'url'}`)}
      </span>
      {withContent && target?.name && content && <span className="lc-code-target-words lc-soft lc-code-small">{content}</span>}
      {target?.rules && (
        <span className="lc-code-target-words lc-code-target-rules">
          <FilterOutlined aria-hidden />{' '}
          {t('set_qr_code.targeting.only', { rules: rulesLine(target.rules, { t, language: i18n.language }) })}
        </span>
      )}
    </span>
  );
}
