import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { boundInvitation, forgetInvitation, invitationCode } from './invitation.ts';

test('a code from the address is locked only where editing is disallowed', () => {
  expect(invitationCode('aB3', true)).toEqual({ code: 'aB3', isLocked: false });
  expect(invitationCode(' aB3 ', false)).toEqual({ code: 'aB3', isLocked: true });
});

test('without a code, or with an impossible one, the field stays open', () => {
  expect(invitationCode(null, false)).toEqual({ code: '', isLocked: false });
  expect(invitationCode('', false)).toEqual({ code: '', isLocked: false });
  expect(invitationCode('<b>', false)).toEqual({ code: '<b>', isLocked: false });
});

const day = 86_400_000;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('the first link binds for 30 days, also without it in the address, and the next one after them', () => {
  expect(boundInvitation(null, 0)).toBeNull();
  expect(boundInvitation('first1', 0)).toBe('first1');
  expect(boundInvitation(null, day)).toBe('first1');
  expect(boundInvitation('later2', 30 * day - 1)).toBe('first1');
  expect(boundInvitation(null, 30 * day)).toBeNull();
  expect(boundInvitation('later2', 30 * day)).toBe('later2');
});

test('what cannot be a code binds nobody, nor one that was refused', () => {
  expect(boundInvitation('<b>', 0)).toBe('<b>');
  expect(boundInvitation('first1', 0)).toBe('first1');
  forgetInvitation();
  expect(boundInvitation('later2', 0)).toBe('later2');
});

test('a browser without storage goes by the address', () => {
  vi.stubGlobal('localStorage', undefined);
  expect(boundInvitation('first1', 0)).toBe('first1');
  expect(boundInvitation('later2', 0)).toBe('later2');
});
