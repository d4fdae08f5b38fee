import type { ShortCode } from '../../../contract/links/short-code.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { linkText } from '../../kit/host.ts';
import type { PrintItem } from '../../qr/PrintSheetDialog.tsx';

/** What can be printed beside each link's QR image. */
export const printItems = (rows: readonly ShortCode[]): PrintItem[] =>
  rows.map((row) => ({
    content: row.short_url,
    design: toQrDesign(row.qr_design),
    lines: [
      { label: 'short_code.short_url', text: linkText(row.short_url, row) },
      { label: 'short_code.destination', text: row.live_code_name ?? row.url ?? '' },
      { label: 'short_code.remark', text: row.remark },
    ],
  }));
