import { useTranslation } from 'react-i18next';

/** Translates what a list of columns, filters or fields holds: a message key, or text that is finished already. */
export function useText(): (keyOrText: string, values?: Record<string, string | number>) => string {
  const { t, i18n } = useTranslation();
  return (keyOrText, values) => (i18n.exists(keyOrText) ? t(keyOrText, values ?? {}) : keyOrText);
}
