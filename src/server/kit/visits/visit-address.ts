import { createHash } from 'node:crypto';
import { accessMode } from '../../../contract/enums.ts';
import { signCode } from './visit-signature.ts';

type Entry = { host: string; enabled: boolean };

/** The same label for the same code, so that its printed address never changes; a file name itself may hold what host names may not. */
const labelOf = (file_name: string): string => `c${createHash('sha256').update(file_name).digest('hex').slice(0, 9)}`;

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
  const host = entry.host.startsWith('*.') ? `${labelOf(code.file_name)}${entry.host.slice(1)}` : entry.host;
  const signature = code.access_mode === accessMode.scan_only ? `?s=${signCode(signingKey, code.file_name)}` : '';
  return `${scheme}://${host}/${code.file_name}${signature}`;
}
