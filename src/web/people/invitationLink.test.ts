import { expect, test } from 'vitest';
import { invitationLink } from './invitationLink.ts';

test('an invitation leads to our registration, wherever the app lies', () => {
  expect(invitationLink('aB3', '', 'https://a.example/')).toBe('https://a.example/#/admin_register?code=aB3');
  expect(invitationLink('aB3', '', 'https://a.example/office/index.html')).toBe(
    'https://a.example/office/index.html#/admin_register?code=aB3',
  );
});

test("the operator's own page keeps the parameters it has", () => {
  expect(invitationLink('aB3', 'https://b.example/join', 'https://a.example/')).toBe('https://b.example/join?code=aB3');
  expect(invitationLink('aB3', 'https://b.example/join?from=x', 'https://a.example/')).toBe('https://b.example/join?from=x&code=aB3');
  expect(invitationLink('aB3', 'https://b.example/?x=1#/join', 'https://a.example/')).toBe('https://b.example/?x=1#/join?code=aB3');
});
