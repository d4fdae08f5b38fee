import { expect, test } from 'vitest';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { refuseSmallDisk } from './room.ts';

test('what has no room is refused in words, with the share of the disk that the site keeps', () => {
  const folder = makeTestFolder();
  expect(() => refuseSmallDisk(folder, 1)).not.toThrow();
  expect(() => refuseSmallDisk(folder, 2 ** 60)).toThrow(`${folder} has `);
  expect(() => refuseSmallDisk(folder, 1, 1)).toThrow('stay free');
});
