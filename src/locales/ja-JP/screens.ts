import type { Resource } from 'i18next';

/** By path, the messages of screens that nobody starts with: no other page shows them (`scripts/first-words.test.ts`). */
export const messages = import.meta.glob<Resource>('./screens/*.json', { eager: true, import: 'default' });
