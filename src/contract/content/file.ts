import { z } from 'zod';
import { qrKinds } from '../codes/qr-kind.ts';
import { count, id } from '../kit/fields.ts';

export const uploadedFile = z.object({
  id,
  url: z.string(),
  width: count,
  height: count,
  size: count,
  /** What the QR code in the picture says and is; nulls where nobody could look. */
  qr_text: z.string().nullable(),
  qr_kind: z.enum(qrKinds).nullable(),
});
export type UploadedFile = z.infer<typeof uploadedFile>;
