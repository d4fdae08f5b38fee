import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, LoadingOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { QrTextError } from '../../../qr/matrix.ts';
import { QrLogoError } from '../../qr/drawing/canvas.ts';
import type { ScanReport } from '../../qr/reading/verify.ts';
import type { ScanCheck } from './useScanCheck.ts';

type Verdict = 'good' | 'risky' | 'bad';

/** Good: reads near and far, nothing to warn of. Risky: reads, but some phones will have trouble. Bad: doesn't read. */
export const verdictOf = ({ ok, safe, warnings }: ScanReport): Verdict => (!ok ? 'bad' : safe && warnings.length === 0 ? 'good' : 'risky');

const icons = { good: CheckCircleFilled, risky: ExclamationCircleFilled, bad: CloseCircleFilled };

const faultOf = (error: unknown) =>
  error instanceof QrLogoError ? 'logo_unreadable' : error instanceof QrTextError ? 'text_too_long' : 'unknown';

/** Whether the code can be scanned as it is drawn, in words, with what to change. */
export function ScanVerdict({ check: { report, isChecking, error } }: { check: ScanCheck }) {
  const { t } = useTranslation();
  if (error) {
    return (
      <p className="lc-code-verdict lc-code-verdict-bad" role="status">
        <CloseCircleFilled aria-hidden />
        <span>{t(`qr_code_list.design.faults.${faultOf(error)}`)}</span>
      </p>
    );
  }
  if (!report) {
    return (
      <p className="lc-code-verdict" role="status">
        <LoadingOutlined className="lc-code-verdict-icon" aria-hidden />
        <span>{t('qr_code_list.design.checking')}</span>
      </p>
    );
  }
  const verdict = verdictOf(report);
  const Icon = isChecking ? LoadingOutlined : icons[verdict];
  const reasons =
    verdict === 'good' ? [] : report.warnings.length > 0 ? report.warnings : [report.ok ? 'distance' : (report.reason ?? 'unreadable')];
  return (
    <div className={`lc-code-verdict lc-code-verdict-${verdict}`} role="status" aria-busy={isChecking}>
      <Icon aria-hidden />
      <div>
        <b>{t(`qr_code_list.design.verdict.${verdict}`)}</b>
        {reasons.map((reason) => (
          <p key={reason} className="lc-code-verdict-reason">
            {t(`qr_code_list.design.reasons.${reason}`)}
          </p>
        ))}
      </div>
    </div>
  );
}
