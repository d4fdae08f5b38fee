import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShortCode } from '../../../contract/links/short-code.ts';
import { defaultQrDesign, type QrDesign, toQrDesign } from '../../../qr/design.ts';
import { presets } from '../../../qr/presets.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { QrImage } from '../../qr/QrImage.tsx';
import { verifyDesign } from '../../qr/reading/verify.ts';

const looks: { id: string; label: string; design: QrDesign | null }[] = [
  { id: 'usual', label: 'common.default', design: null },
  ...presets.map(({ id, design }) => ({ id, label: `qr_code_list.design.preset.${id}`, design })),
];

type Props = { rows: readonly ShortCode[]; onDone: () => void; onClose: () => void };

/** One look for all that are selected, read back before it is kept. */
export function LookDialog({ rows, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const update = useAction(api.short_code.update_design);
  const sample = rows[0]?.short_url ?? '';
  // A frame's text is a code's own; here it says what everybody does with it.
  const shownOf = (design: QrDesign | null): QrDesign => {
    const look = design ?? toQrDesign(null);
    return look.frame.text ? { ...look, frame: { ...look.frame, text: t('qr_code_list.design.frame_example') } } : look;
  };

  async function keep() {
    const look = looks.find(({ id }) => id === chosen);
    if (!look) return;
    setIsChecking(true);
    const report = await verifyDesign(sample, shownOf(look.design)).catch(() => undefined);
    setIsChecking(false);
    if (report && !report.ok) {
      void modal.error({ title: t('short_qr_code_list.unreadable') });
      return;
    }
    const qr_design = look.design === null ? null : { ...shownOf(look.design) };
    if (await update.run({ ids: rows.map(({ id }) => id), qr_design })) onDone();
  }
  return (
    <Modal
      open
      title={t('short_qr_code_list.look_of', { number: rows.length })}
      okText={t('short_qr_code_list.look_keep')}
      okButtonProps={{ disabled: chosen === null, loading: isChecking || update.isRunning }}
      onOk={() => void keep()}
      onCancel={onClose}
    >
      <div className="lc-short-looks" role="radiogroup" aria-label={t('short_qr_code_list.look')}>
        {looks.map(({ id, label, design }) => (
          // biome-ignore lint/a11y/useSemanticElements: a picture that is chosen is no plain radio button.
          <button key={id} type="button" role="radio" aria-checked={chosen === id} className="lc-short-look" onClick={() => setChosen(id)}>
            <QrImage text={sample} alt="" design={design ? shownOf(design) : defaultQrDesign} width={88} />
            <span>{t(label)}</span>
          </button>
        ))}
      </div>
    </Modal>
  );
}
