import { statfsSync } from 'node:fs';
import { StartError } from '../kit/start-error.ts';
import { sizeOf } from './words.ts';

/**
 * @param spareShare share of the disk that has to stay free besides
 * @throws {StartError} where a disk has no room for what a backup needs
 */
export function refuseSmallDisk(folder: string, neededBytes: number, spareShare = 0): void {
  const { bavail, bsize, blocks } = statfsSync(folder);
  const [left, spare] = [bavail * bsize, Math.ceil(blocks * spareShare) * bsize];
  if (left >= neededBytes + spare) return;
  const kept = spare > 0 ? `, of which ${sizeOf(spare)} stay free` : '';
  throw new StartError(`The backup needs ${sizeOf(neededBytes)}, and ${folder} has ${sizeOf(left)} left${kept}.`);
}
