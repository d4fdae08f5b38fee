import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { api } from '../../kit/calls/api.ts';
import { type DownloadFormat, downloadQr } from '../../qr/download.ts';

type Downloaded = Pick<LiveCode, 'id' | 'name' | 'url'>;

/** Saves a code's QR image in its saved design as a file. Lists know the design without its logo: it is asked for. */
export function useQrDownload() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [isSaving, setIsSaving] = useState(false);

  async function download({ id, name, url }: Downloaded, format: DownloadFormat = 'png'): Promise<void> {
    if (url === null) return;
    setIsSaving(true);
    try {
      const { qr_design } = await api.qr_code_list.details({ id });
      await downloadQr(url, toQrDesign(qr_design), format, name);
    } catch {
      void message.error(t('qr_code_list.design.faults.download'));
    } finally {
      setIsSaving(false);
    }
  }
  return { download, isSaving };
}
