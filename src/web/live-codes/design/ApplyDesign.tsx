import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toQrDesign } from '../../../qr/design.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Empty, Failure } from '../../kit/feedback.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { type CodesDialogProps, useCodesWords } from '../list/SettingDialogs.tsx';
import './design.css';

const plainDesign = 0;
/** What the samples hold: any address shows the look. */
const sample = 'https://example.com/sample';

/** Puts one of the saved designs, or the plain one, on the selected codes. */
export function ApplyDesign({ codes, onDone, onClose }: CodesDialogProps) {
  const { t } = useTranslation();
  const words = useCodesWords(codes);
  const saved = useCall(api.qr_design.inquire, {});
  const [chosen, setChosen] = useState<number | null>(null);
  const apply = useAction(api.qr_design.apply, { success: false, invalidates: ['qr_code_list'] });
  async function run() {
    if (chosen === null) return;
    const done = await apply.run({ ids: codes.map(({ id }) => id), design_id: chosen === plainDesign ? null : chosen });
    if (!done) return;
    onDone(done);
    onClose();
  }
  const looks = [{ id: plainDesign, name: t('qr_design.plain'), design: {} }, ...(saved.data?.content ?? [])];
  return (
    <Modal
      open
      title={t('qr_design.apply')}
      centered
      onCancel={onClose}
      footer={
        <div className="lc-form-footer">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="primary" disabled={chosen === null} loading={apply.isRunning} onClick={() => void run()}>
            {t('qr_design.apply_to', { count: codes.length })}
          </Button>
        </div>
      }
    >
      <p className="lc-form-intro">{words}</p>
      {saved.isError ? (
        <Failure error={saved.error} retry={() => void saved.refetch()} />
      ) : saved.data ? (
        <>
          <div className="lc-code-presets">
            {looks.map(({ id, name, design }) => (
              <button
                key={id}
                type="button"
                className={chosen === id ? 'lc-code-preset lc-code-preset-chosen' : 'lc-code-preset'}
                aria-pressed={chosen === id}
                onClick={() => setChosen(id)}
              >
                <QrImage text={sample} alt="" design={toQrDesign(design)} width={72} className="lc-code-preset-image" />
                <span>{name}</span>
              </button>
            ))}
          </div>
          {looks.length === 1 && <Empty picture="list" title="qr_design.none" help="qr_design.none_help" />}
        </>
      ) : (
        <Skeleton active />
      )}
    </Modal>
  );
}
