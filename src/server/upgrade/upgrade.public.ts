import { dirname } from 'node:path';
import { refuseUnfinishedReturn } from './record.ts';

/** Called before anything is made. In a checkout two folders up there is no such record. */
export const refuseHalfReturned = (root: string): void => refuseUnfinishedReturn(dirname(dirname(root)));
