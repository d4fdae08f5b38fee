import i18next from 'i18next';
import { loadDoneMessages } from '../texts/i18n.ts';
import type { doneText } from './done.ts';

/** `doneText`, loaded with the first act: no screen needs it to be seen. */
export async function doneWords(...what: Parameters<typeof doneText>): Promise<string> {
  try {
    const [done] = await Promise.all([import('./done.ts'), loadDoneMessages()]);
    return done.doneText(...what);
  } catch {
    // The words are away, as after an upgrade of the server; the act is done all the same.
    return i18next.t('common.success');
  }
}
