import { type QrKind, qrKinds, recogniseQr } from '../../../contract/codes/qr-kind.ts';
import { TaskFault } from '../../kit/bounded/processes.ts';
import { type BoundedTasks, boundedTasks } from '../../kit/bounded/tasks.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { pictureProgram } from './pictures.program.ts';

/** What a picture's QR code says; `none` without one that can be read. Nulls where nobody could look. */
export type QrFinding = { qr_text: string | null; qr_kind: QrKind | null };

/** Reading takes some ten milliseconds; a picture that takes so much longer is made to. */
const defaultTimeout = 4_000;
/** Four million pixels, as they are and as the reader copies them. */
const costBytes = 150_000_000;
const longestText = 2_000;

const unseen: QrFinding = { qr_text: null, qr_kind: null };

type Options = { tasks?: BoundedTasks; timeoutMilliseconds?: number };

/**
 * What the QR code in a picture is; where it holds several, the one that says most: a group before a person before an address.
 * @param bytes the picture as `reencode` made it
 * @param key whose picture it is: one at a time
 */
export async function findQr(
  bytes: Uint8Array,
  key: string,
  { tasks = boundedTasks, timeoutMilliseconds = defaultTimeout }: Options = {},
): Promise<QrFinding> {
  try {
    const answer = await tasks.run(pictureProgram, { key, costBytes, timeoutMilliseconds }, { act: 'read', bytes });
    return 'texts' in answer ? findingOf(answer.texts) : unseen;
  } catch (error) {
    if (error instanceof TaskFault) return error.reason === 'time' ? findingOf([]) : unseen;
    // Too many wait: the picture is kept without being looked at.
    if (error instanceof AppError) return unseen;
    throw error;
  }
}

function findingOf(texts: readonly string[]): QrFinding {
  const findings = texts.map((text) => ({ qr_text: text.slice(0, longestText).replaceAll('\0', ''), qr_kind: recogniseQr(text).kind }));
  const [best] = findings.toSorted((one, other) => qrKinds.indexOf(one.qr_kind) - qrKinds.indexOf(other.qr_kind));
  return best ?? { qr_text: null, qr_kind: 'none' };
}
