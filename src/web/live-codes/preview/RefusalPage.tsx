import { ClockCircleOutlined, MessageOutlined, PauseCircleOutlined, ScanOutlined } from '@ant-design/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Refusal } from './decide.ts';

const icons: Record<Refusal, ReactNode> = {
  closed: <PauseCircleOutlined />,
  not_scanned: <ScanOutlined />,
  not_messenger: <MessageOutlined />,
  exhausted: <ClockCircleOutlined />,
};

type RefusalPageProps = { refusal: Refusal; siteTitle: string; codeTitle: string; link: string };

/** The page of a visit that is turned away. */
export function RefusalPage({ refusal, siteTitle, codeTitle, link }: RefusalPageProps) {
  const { t } = useTranslation();
  return (
    <div className="lc-visit-page lc-visit-center">
      {siteTitle && <p className="lc-visit-site">{siteTitle}</p>}
      <span className="lc-visit-drawing" aria-hidden>
        {icons[refusal]}
      </span>
      {codeTitle && <p className="lc-visit-code">{codeTitle}</p>}
      <h3 className="lc-visit-title">{t(`set_qr_code.preview.refusals.${refusal}.title`)}</h3>
      <p className="lc-visit-lead">{t(`set_qr_code.preview.refusals.${refusal}.text`)}</p>
      {refusal === 'not_messenger' && link && (
        <>
          <p className="lc-visit-text">{link}</p>
          <span className="lc-visit-button">{t('qr_code_list.actions.copy_link')}</span>
        </>
      )}
    </div>
  );
}
