import { expect, test } from 'vitest';
import { invitationCode } from './invitation.ts';

test('a code from the address is locked only where editing is disallowed', () => {
  expect(invitationCode('aB3', true)).toEqual({ code: 'aB3', isLocked: false });
  expect(invitationCode(' aB3 ', false)).toEqual({ code: 'aB3', isLocked: true });
});

test('without a code, or with an impossible one, the field stays open', () => {
  expect(invitationCode(null, false)).toEqual({ code: '', isLocked: false });
  expect(invitationCode('', false)).toEqual({ code: '', isLocked: false });
  expect(invitationCode('<b>', false)).toEqual({ code: '<b>', isLocked: false });
});
