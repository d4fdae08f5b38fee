import type { Resource } from 'i18next';

/** By path, the messages of the pages before the login, and those that every page may need. */
export const messages = import.meta.glob<Resource>('./start/*.json', { eager: true, import: 'default' });
