import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { databaseOf, isClickhouseAddress } from './clickhouse-address.ts';

test.each([
  ['http://localhost:8123', true],
  ['https://user:p%40ss@ch.example:8443/visits', true],
  ['clickhouse://localhost:9000', false],
  ['http://localhost:8123/a/b', false],
  ['http://localhost:8123/visits?password=x', false],
  ['http://localhost:8123/visits;drop', false],
  ['localhost:8123', false],
])('%s as an address of ClickHouse: %s', (address, expected) => {
  expect(isClickhouseAddress(address)).toBe(expected);
});

test('the path names the database', () => {
  expect(databaseOf('http://localhost:8123')).toBe('livecode');
  expect(databaseOf('http://localhost:8123/visits')).toBe('visits');
});

test('what is wrong with an address is told without its password', () => {
  const read = () => readConfig({ CLICKHOUSE_URL: 'http://user:secret-word@host:8123/a/b', CLICKHOUSE_CLUSTER: 'a b' });
  expect(read).toThrow(/CLICKHOUSE_URL: must be http.*\nCLICKHOUSE_CLUSTER: must be the name/s);
  expect(read).not.toThrow(/secret-word/);
});
