import { useTranslation } from 'react-i18next';
import { translate } from './i18n.ts';

/** Translates what a list of columns, filters or fields holds: a message key, or text that is finished already. */
export function useText(): typeof translate {
  // Draws anew what shows the words when the language changes.
  useTranslation();
  return translate;
}
