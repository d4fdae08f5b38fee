import type { FieldIssue } from '../../../contract/kit/issues.ts';

type Details = {
  params?: Record<string, string | number>;
  fields?: Record<string, string>;
  issues?: FieldIssue[];
  retryAfterSeconds?: number;
};

/**
 * A failure the caller is told of. `code` is stable and is the key of its text below `errors`; `fields` maps an input path to the
 * code of what is wrong there, a key below `errors.field`.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Details;
  constructor(status: number, code: string, details: Details = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** 400: one field is wrong in a way that only the server could see. */
export const invalidField = (path: string, code: string) => new AppError(400, 'input.invalid', { fields: { [path]: code } });
/** 404 is also the answer for another user's row: whether it exists is not told. */
export const notFound = () => new AppError(404, 'not_found');
/** 503: the database does not answer; the caller may come back. */
export const unavailable = () => new AppError(503, 'unavailable', { retryAfterSeconds: 5 });

/** 503: there is no room to write what was asked for. */
export const diskFull = () => new AppError(503, 'disk_full', { retryAfterSeconds: 30 });

const pgCodes: Record<string, [number, string]> = {
  '23505': [409, 'conflict.taken'],
  '23503': [409, 'conflict.in_use'],
  '23514': [400, 'input.invalid'],
  '22003': [400, 'input.invalid'],
  '22P02': [400, 'input.invalid'],
  '22021': [400, 'input.invalid'],
  '22P05': [400, 'input.invalid'],
  '22007': [400, 'input.invalid'],
  '22008': [400, 'input.invalid'],
};
/** Of a server that is full, stops, or has not started yet, of the way to it, and of a statement that an administrator ended. */
const unavailableCodes = new Set([
  ...['53300', '57014', '57P01', '57P02', '57P03', '57P05', '08000', '08003', '08006'],
  ...['EAGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
]);
/** Of the database's disk, and of ours: no room, or the account's share of it is used up. */
const diskFullCodes = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** What `pg` says without a code: of connections that ended, and of its own time limits. */
const unavailableWords =
  /Connection terminated|timeout exceeded when trying to connect|^timeout expired$|Query read timeout|is not queryable|Cannot use a pool after/;

/** The code PostgreSQL or the network gave, looked for through the wrappers libraries put around it. */
export function databaseCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  return undefined;
}

/** The name of the violated constraint, for services that say what exactly is taken. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('constraint' in cause && typeof cause.constraint === 'string') return cause.constraint;
  return undefined;
}

/**
 * For the `catch` of a change: 400 where it violated one of these constraints, with the field at fault; any other error goes on. The
 * constraint decides what is taken, because a SELECT before could only guess.
 * @param fields the field by the constraint's name
 */
export const mapUniqueViolation =
  (fields: Readonly<Record<string, string>>) =>
  (error: unknown): never => {
    const field = fields[violatedConstraint(error) ?? ''];
    throw field ? invalidField(field, 'taken') : error;
  };

/** What a caller may be told of any error; undefined where only "an internal error" may be. */
export function toPublicError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  if (isOutOfRoom(error)) return diskFull();
  if (isUnavailable(error)) return unavailable();
  const known = pgCodes[databaseCode(error) ?? ''];
  return known && new AppError(...known);
}

/** Whether nothing could be written for want of room, looked for through the wrappers libraries put around it. */
export const isOutOfRoom = (error: unknown): boolean => diskFullCodes.has(databaseCode(error) ?? '');

/** Whether the database did not answer, looked for through the wrappers libraries put around it. */
export function isUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause) return unavailableCodes.has(String(cause.code));
    // Drizzle's own message repeats the query with the caller's words.
    if (!cause.message.startsWith('Failed query') && unavailableWords.test(cause.message)) return true;
  }
  return false;
}
