import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Where the sources lie without their types, each named by what it holds: one that was changed is not found there. */
export const strippedFolder = (root) => join(root, 'dist', 'stripped');
export const strippedName = (source) => `${createHash('sha1').update(source).digest('hex')}.js`;
