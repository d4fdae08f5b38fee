import { createHash } from 'node:crypto';
import { accessMode } from '../../../contract/enums.ts';
import { qrImagePrefix } from './visit-paths.ts';
import { signCode } from './visit-signature.ts';

type Entry = { host: string; enabled: boolean };

/** The same label for the same code, so that its printed address never changes; a file name itself may hold what host names may not. */
const labelOf = (file_name: string): string => `c${createHash('sha256').update(file_name).digest('hex').slice(0, 9)}`;

/** A wildcard's host has a label of the code's own in the place of its `*`. */
const hostOf = (file_name: string, host: string): string => (host.startsWith('*.') ? `${labelOf(file_name)}${host.slice(1)}` : host);

/**
 * What a code's QR image holds: `{scheme}://{host}/{file_name}`, signed where only scans may pass; null without an enabled entry domain.
 * @param signingKey the secret `visit_signing`
 */
export function visitUrl(
  code: { file_name: string; access_mode: number },
  entry: Entry | null,
  { scheme, signingKey }: { scheme: string; signingKey: Buffer },
): string | null {
  if (!entry?.enabled) return null;
  const signature = code.access_mode === accessMode.scan_only ? `?s=${signCode(signingKey, code.file_name)}` : '';
  return `${scheme}://${hostOf(code.file_name, entry.host)}/${code.file_name}${signature}`;
}

/** Where the image of a code is drawn, as its owner saved it; null without a host of an enabled entry domain. */
export const qrImageUrl = (file_name: string, host: string | null, scheme: string): string | null =>
  host === null ? null : `${scheme}://${hostOf(file_name, host)}${qrImagePrefix}${file_name}.png`;
