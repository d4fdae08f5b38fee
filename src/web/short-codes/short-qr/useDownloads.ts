import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShortCode } from '../../../contract/links/short-code.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { type DownloadFormat, downloadQr, renderFile, safeFileName, saveBlob } from '../../qr/download.ts';

/** What a file of this link is called: the live code's name, or the link itself. */
const fileNameOf = ({ live_code_name, short_url }: ShortCode): string =>
  live_code_name ?? short_url.replace(/^https?:\/\//, '').replaceAll('/', ' ');

/** Saves QR images: one as a file, many as one ZIP with progress. */
export function useDownloads() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [isBusy, setIsBusy] = useState(false);

  async function guarded(work: () => Promise<void>) {
    setIsBusy(true);
    try {
      await work();
    } catch {
      void message.error(t('short_qr_code_list.download_failed'));
    } finally {
      setIsBusy(false);
    }
  }
  const one = (row: ShortCode, format: DownloadFormat) =>
    guarded(() => downloadQr(row.short_url, toQrDesign(row.qr_design), format, fileNameOf(row)));

  const many = (rows: readonly ShortCode[], format: DownloadFormat) =>
    guarded(async () => {
      const key = 'short-zip';
      const entries = [];
      for (const [index, row] of rows.entries()) {
        if (index % 10 === 0)
          void message.loading({ key, duration: 0, content: t('short_qr_code_list.packing', { done: index, total: rows.length }) });
        const blob = await renderFile(row.short_url, toQrDesign(row.qr_design), format);
        entries.push({ name: safeFileName(fileNameOf(row), format), blob });
      }
      const { zipFiles } = await import('../zip.ts');
      const packed = await zipFiles(entries).finally(() => message.destroy(key));
      saveBlob(packed, safeFileName(t('menu.short_qr_code_list'), 'zip'));
    });
  return { one, many, isBusy };
}
