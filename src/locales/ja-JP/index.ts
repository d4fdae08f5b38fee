import type { Resource } from 'i18next';

/** By path, the messages of the frame, the start page, the lists of codes and what they open. */
export const messages = import.meta.glob<Resource>(['./*.json', '!./done.json'], { eager: true, import: 'default' });
