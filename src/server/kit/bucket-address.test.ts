import { expect, test } from 'vitest';
import { isBucketAddress, parseBucketAddress } from './bucket-address.ts';

test('an address names a bucket, a folder in it, and how it is reached', () => {
  expect(parseBucketAddress('s3://backups')).toEqual({ bucket: 'backups', prefix: '', isPathStyle: false });
  expect(parseBucketAddress('s3://backups/of/shop/?endpoint=https://s3.example.com&region=eu-1&path_style=1')).toEqual({
    bucket: 'backups',
    prefix: 'of/shop/',
    endpoint: 'https://s3.example.com',
    region: 'eu-1',
    isPathStyle: true,
  });
});

test('what is none is refused: keys in it, other words, other schemes', () => {
  for (const text of [
    's3://',
    's3://a',
    's3://key:secret@backups',
    's3://backups?endpoint=ftp://x',
    's3://backups?secret=1',
    's3://backups#x',
  ])
    expect([text, parseBucketAddress(text)]).toEqual([text, null]);
  expect([isBucketAddress('/srv/backups'), isBucketAddress('s3://backups')]).toEqual([false, true]);
});
