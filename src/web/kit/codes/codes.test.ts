import { expect, test } from 'vitest';
import { codesIn, maxCodes } from './codes.ts';

test('the codes of an address are its ids, each once', () => {
  expect(codesIn('3-14-3')).toEqual([3, 14]);
  expect(codesIn(null)).toEqual([]);
  expect(codesIn('')).toEqual([]);
});

test('what is no id is left out, so that a mistyped address still shows figures', () => {
  expect(codesIn('0--1.5-1e3- 4-3,14-abc-007-9007199254740993-99999999999999999-12-<script>')).toEqual([12]);
});

test('no more codes are asked for than the call takes', () => {
  const many = Array.from({ length: 1000 }, (_, index) => index + 1);
  expect(codesIn(many.join('-'))).toEqual(many.slice(0, maxCodes));
});
