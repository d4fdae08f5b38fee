import { translate } from '../texts/i18n.ts';
import { ApiFailure } from './request.ts';

/** What went wrong, in the user's language: the server's words where it answered, ours where it could not. */
export function failureTitle(error: unknown): string {
  if (!(error instanceof ApiFailure)) return translate('errors.internal');
  if (error.message) return error.message;
  return translate(`errors.${error.code}`);
}

/** What there is to say besides; empty where the title says all. */
export const failureDetail = (error: unknown): string => (error instanceof ApiFailure ? error.detail : '');

/** Both, one line each: where it is shown keeps line breaks. */
export const failureText = (error: unknown): string => [failureTitle(error), failureDetail(error)].filter((line) => line !== '').join('\n');

const hasGap = (key: string) => translate(key, { skipInterpolation: 1 }).includes('{{');

/** The words for a field's error code, for example `required` or `taken`. */
export function fieldErrorText(code: string, params: Record<string, string | number> = {}): string {
  const key = `errors.field.${code}`;
  const words = translate(key, params);
  // The server sends codes alone: words that need a figure which isn't there give way to general ones.
  if (words !== key) return hasGap(key) && Object.keys(params).length === 0 ? translate('errors.field.invalid') : words;
  // A code may also be a full one, such as `domain.in_use`.
  const full = translate(`errors.${code}`, params);
  return full === `errors.${code}` ? translate('errors.field.invalid') : full;
}
