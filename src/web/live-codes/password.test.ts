import { expect, test } from 'vitest';
import { sharePassword } from '../../contract/codes/live-code.ts';
import { generatePassword } from './password.ts';

test('a generated password fits the contract, is easily read, and no two are alike', () => {
  const passwords = Array.from({ length: 500 }, () => generatePassword());
  expect(new Set(passwords).size).toBe(500);
  for (const password of passwords) {
    expect(password).toMatch(/^[a-z2-9]{10}$/);
    expect(password).not.toMatch(/[ilo01]/);
    expect(sharePassword.safeParse(password).success).toBe(true);
  }
});
