import type { FastifyRequest } from 'fastify';
import type { createAdmission } from './admission.ts';
import { AppError } from './errors.ts';

type Admission = ReturnType<typeof createAdmission>;
/** `signal` is aborted when whoever sent it has left. */
export type ReceivedFile = { bytes: Buffer; filename: string | undefined; signal: AbortSignal };
type Receiving = { user_id: number; maxBytes: number; tooLarge: AppError };

/** Boundaries and headings around a file. */
const framingBytes = 2_000;

/**
 * Takes the one file of an upload, field `file`, and works on it while it holds a place among the uploads: the place is taken before
 * anything is read, and given back when the work is done.
 * @throws AppError 415 `input.not_multipart`, 400 `input.invalid`, 429 `busy`, `tooLarge`
 */
export function receiveFile<T>(
  request: FastifyRequest,
  admission: Admission,
  { user_id, maxBytes, tooLarge }: Receiving,
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new AppError(415, 'input.not_multipart');
  const declared = Number(request.headers['content-length']);
  const bytes = Math.min(Number.isNaN(declared) ? maxBytes : declared, maxBytes + framingBytes);
  return admission.admit(user_id, bytes, async () => {
    const part = await request.file({ limits: { fileSize: maxBytes } });
    if (part?.fieldname !== 'file') throw new AppError(400, 'input.invalid', { fields: { file: 'required' } });
    const content = await part.toBuffer().catch(() => {
      throw tooLarge;
    });
    const left = new AbortController();
    const leave = () => left.abort();
    const { socket } = request.raw;
    socket.once('close', leave);
    try {
      return await work({ bytes: content, filename: part.filename, signal: left.signal });
    } finally {
      socket.off('close', leave);
    }
  });
}
