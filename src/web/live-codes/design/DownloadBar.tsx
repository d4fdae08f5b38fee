import { DownloadOutlined } from '@ant-design/icons';
import { App, Button, InputNumber, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { designLimits, type QrDesign } from '../../../qr/design.ts';
import { type DownloadFormat, downloadFormats, downloadQr } from '../../qr/download.ts';

/** Widths of a printed code, in millimetres; the page of the PDF is exactly as wide. */
const printMm = { min: 10, max: 1000, usual: 60 };

type DownloadBarProps = { text: string; design: QrDesign; name: string; size: number; setSize: (size: number) => void };

/** Saves the drawn code as a file in the wanted format and size. */
export function DownloadBar({ text, design, name, size, setSize }: DownloadBarProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [format, setFormat] = useState<DownloadFormat>('png');
  const [widthMm, setWidthMm] = useState(printMm.usual);
  const [isSaving, setIsSaving] = useState(false);
  const isPrint = format === 'pdf';

  async function save() {
    setIsSaving(true);
    try {
      await downloadQr(text, { ...design, size }, format, name, widthMm);
    } catch {
      void message.error(t('qr_code_list.design.faults.download'));
    } finally {
      setIsSaving(false);
    }
  }

  return (
    <div className="lc-code-download">
      <Segmented<DownloadFormat>
        value={format}
        onChange={setFormat}
        aria-label={t('qr_code_list.design.format')}
        options={downloadFormats.map((value) => ({ value, label: value.toUpperCase() }))}
      />
      <InputNumber
        className="lc-code-download-width"
        value={isPrint ? widthMm : size}
        min={isPrint ? printMm.min : designLimits.size.min}
        max={isPrint ? printMm.max : designLimits.size.max}
        step={isPrint ? 5 : 128}
        precision={0}
        suffix={isPrint ? 'mm' : 'px'}
        aria-label={t('qr_code_list.design.width')}
        onChange={(value) => value !== null && (isPrint ? setWidthMm(value) : setSize(value))}
      />
      <Button className="lc-code-download-button" icon={<DownloadOutlined />} loading={isSaving} onClick={() => void save()}>
        {t('common.download')}
      </Button>
    </div>
  );
}
