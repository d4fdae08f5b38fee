import type { Resource } from 'i18next';

const files = import.meta.glob<Resource>('./*.json', { eager: true, import: 'default' });

/** Every message of this language; a file's name is the first part of its keys. */
export const messages = Object.fromEntries(
  Object.entries(files).map(([path, content]) => [path.slice('./'.length, -'.json'.length), content]),
);
