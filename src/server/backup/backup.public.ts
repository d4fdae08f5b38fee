// What the upgrade needs of backups: one before it, and the way back.
export { isSafeName } from './archive/reader.ts';
export { backUp } from './backup.ts';
export { runProgram, typedPath } from './program.ts';
export { restore, syncAll } from './restore.ts';
export { refuseUndumpable } from './source.ts';
export { quoted, secondsSince, sizeOf } from './words.ts';
