import { createHmac } from 'node:crypto';

const signatureLength = 16;

/**
 * The signature that the QR image of a scan-only code carries as `s`: HMAC-SHA256 of the file name, its first 96 bits in base64url.
 * @param secret the installation's secret `visit_signing`
 */
export const signCode = (secret: Buffer, fileName: string): string =>
  createHmac('sha256', secret).update(fileName).digest('base64url').slice(0, signatureLength);
