import { expect, test } from 'vitest';
import { groups } from '../../../contract/api.ts';
import { isRequiredField, issuesOf, placeErrors, sameValues, toNamePath, wireValues } from './contract.ts';

const { add, update } = groups.domain_list.calls;
const ofItems = (words: string, numbers: readonly number[]) => `${numbers.join(' ')}: ${words}`;

test('the contract says which fields are required', () => {
  expect(['host', 'type', 'holder_id', 'remark', 'unknown'].filter((path) => isRequiredField(add, path))).toEqual(['host', 'type']);
});

test('a field that was empty from the start is left out, so that the server chooses', () => {
  expect(wireValues(add, { host: 'a.com', type: 1, holder_id: undefined, remark: '' }, { type: 1 })).toEqual({ host: 'a.com', type: 1 });
});

test('an emptied field becomes null where the contract takes null, and an empty text where it takes one', () => {
  const initial = { holder_id: 7, remark: 'x' };
  expect(wireValues(update, { id: 1, holder_id: undefined, remark: '' }, initial)).toEqual({ id: 1, holder_id: null, remark: '' });
});

test('what cannot be emptied is refused when it was, instead of staying as it is behind the back of its user', () => {
  const input = wireValues(update, { id: 1, host: '', type: undefined }, { host: 'a.com', type: 1 });
  expect(issuesOf(update, input).map(({ path, code }) => [path, code])).toEqual([
    ['host', 'required'],
    ['type', 'required'],
  ]);
  expect(isRequiredField(update, 'host', 'a.com')).toBe(true);
  expect(isRequiredField(update, 'host')).toBe(false);
  expect(isRequiredField(update, 'remark', 'x')).toBe(false);
});

test('a cleared number that is required is missing, not of a wrong type', () => {
  const call = groups.qr_code_list.calls.add;
  const found = issuesOf(call, { name: 'x', targets: [{ kind: 'url', content: 'https://a', weight: null }] });
  expect(found.map(({ path, code }) => [path, code])).toEqual([['targets.0.weight', 'required']]);
});

test('a missing name is asked for in the words that the contract has for it', () => {
  const call = groups.role.calls.add;
  const found = issuesOf(call, wireValues(call, { name: ' ', kind: 'customer' }, { name: '' }));
  expect(found.map(({ path, code }) => [path, code])).toEqual([['name', 'role_name_required']]);
  expect(issuesOf(call, wireValues(call, { name: '', kind: 'customer' }, { name: '' })).map(({ code }) => code)).toEqual([
    'role_name_required',
  ]);
});

test('null stays null', () => {
  expect(wireValues(update, { id: 1, holder_id: null }, { holder_id: null })).toEqual({ id: 1, holder_id: null });
});

test('a required field that is empty is found as missing', () => {
  expect(issuesOf(add, wireValues(add, { host: '', type: 1 }, {}))).toEqual([{ path: 'host', code: 'required', params: {} }]);
  expect(issuesOf(add, wireValues(add, { host: undefined, type: 1 }, {})).map(({ path }) => path)).toEqual(['host']);
  expect(issuesOf(add, wireValues(add, { host: 'a.example.com', type: 1 }, {}))).toEqual([]);
});

test('faults inside lists keep their path', () => {
  const call = groups.qr_code_list.calls.add;
  const found = issuesOf(call, {
    name: 'x',
    targets: [
      { kind: 'url', content: 'https://a' },
      { kind: 'url', content: '' },
    ],
  });
  expect(found.map(({ path, code }) => [path, code])).toEqual([['targets.1.content', 'required']]);
});

test('each message goes to its own field, or the nearest one around it, or apart', () => {
  const messages = new Map([
    ['targets.1.content', 'one'],
    ['targets.1.rules.0.from', 'two'],
    ['ids.3', 'three'],
    ['hidden', 'four'],
    ['_', 'five'],
  ]);
  const { placed, apart } = placeErrors(messages, ['targets.1.content', 'targets.1.rules', 'ids'], ofItems);
  expect(placed).toEqual([
    { name: ['targets', 1, 'content'], errors: ['one'] },
    { name: ['targets', 1, 'rules'], errors: ['1: two'] },
    { name: ['ids'], errors: ['4: three'] },
  ]);
  expect(apart).toEqual(['four', 'five']);
});

test('many lines with the same fault are told of it once, by their numbers', () => {
  const messages = new Map([0, 1, 2].map((line) => [`ips.${line}`, line === 2 ? 'other' : 'same']));
  expect(placeErrors(messages, ['ips'], ofItems).placed).toEqual([{ name: ['ips'], errors: ['1 2: same', '3: other'] }]);
});

test('an item with two faults of one kind is numbered once', () => {
  const messages = new Map([
    ['headers.1.name', 'bad'],
    ['headers.1.value', 'bad'],
  ]);
  expect(placeErrors(messages, ['headers'], ofItems).placed).toEqual([{ name: ['headers'], errors: ['2: bad'] }]);
});

test('a field whose name only begins like the path is not meant', () => {
  expect(placeErrors(new Map([['host_name', 'one']]), ['host'], ofItems).apart).toEqual(['one']);
});

test('paths become the names of form fields', () => {
  expect(toNamePath('targets.0.content')).toEqual(['targets', 0, 'content']);
});

test('the order of keys makes no difference, the order of a list does', () => {
  expect(sameValues({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toBe(true);
  expect(sameValues({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(sameValues({ a: undefined }, {})).toBe(true);
});
