const longestError = 500;

/** What the SDK makes of a refusal; told by its shape, so that the SDK need not be loaded to describe an error. */
type Answer = Error & { $metadata: { httpStatusCode?: number } };
const isAnswer = (error: unknown): error is Answer => error instanceof Error && '$metadata' in error && '$fault' in error;

/**
 * What a storage or the disk said, in one line: `AccessDenied (403): …`. Of what the network said only its code: the rest names addresses
 * that names stand for, and the names in certificates.
 */
export function storageFault(error: unknown): string {
  const text = describe(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here.
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, longestError);
}

function describe(error: unknown): string {
  if (isAnswer(error)) {
    const status = error.$metadata.httpStatusCode;
    return `${error.name}${status ? ` (${status})` : ''}: ${error.message}`;
  }
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string') return 'path' in cause ? cause.message : cause.code;
  return error.message;
}
