import { describe, expect, test } from 'vitest';
import { givenPasswordFault, normalAccount, passwordChangeFault, registrationFault } from './registration.ts';

const good = { account: 'zhangwei', password: 'tea2026', repeat: 'tea2026', code: 'aB3' };

describe('a registration', () => {
  test('that keeps all rules has no fault, with or without an invitation code', () => {
    for (const values of [good, { ...good, code: '' }, { account: 'zhangwei', password: 'tea2026' }, { ...good, account: '张伟的茶叶店' }])
      expect(registrationFault(values)).toBeUndefined();
  });

  // Each row breaks its own rule and every one after it, so that only the specification's order gives this answer.
  test.each([
    [{ account: ' ', password: '', repeat: 'x', code: '!' }, 'account', 'login_err_02'],
    [{ account: 'ab.!', password: '', repeat: 'x', code: '!' }, 'account', 'account_too_short'],
    [{ account: 'ab!cd', password: '', repeat: 'x', code: '!' }, 'password', 'login_err_03'],
    [{ account: 'ab!cd', password: 'ab!cd', repeat: 'x', code: '!' }, 'repeat', 'login_err_04'],
    [{ account: 'ab!cd', password: 'ab!cd', repeat: 'ab!cd', code: '!' }, 'password', 'login_err_05'],
    [{ account: 'ab!cd', password: 'ab!ce', repeat: 'ab!ce', code: '!' }, 'password', 'password_too_short'],
    [{ account: 'ab!cd', password: 'ab!cef', repeat: 'ab!cef', code: '!' }, 'password', 'password_letters_and_digits'],
    [{ account: 'ab!cd', password: 'abcdef', repeat: 'abcdef', code: '!' }, 'code', 'code_letters_and_digits'],
    [{ account: 'ab!cd', password: 'abcdef', repeat: 'abcdef', code: '' }, 'account', 'account_characters'],
  ])('%j is refused at %s by %s', (values, field, key) => {
    expect(registrationFault(values)).toEqual({ field, key });
  });

  test('counts characters, not code units, and stops at exactly 5 and 6', () => {
    expect(registrationFault({ ...good, account: '茶叶店铺' })?.key).toBe('account_too_short');
    expect(registrationFault({ ...good, account: '𠮷𠮷𠮷' })?.key).toBe('account_too_short');
    expect(registrationFault({ ...good, account: 'abcde' })).toBeUndefined();
    expect(registrationFault({ ...good, password: 'abc12', repeat: 'abc12' })?.key).toBe('password_too_short');
    expect(registrationFault({ ...good, password: 'abc123', repeat: 'abc123' })).toBeUndefined();
  });

  test('takes no account that only looks like another one', () => {
    for (const account of ['admin\u200b', 'adm in', 'аdmin', 'admin\u0301', '\u202eadmin', 'ADMİN', 'admin\u3164', 'admin\uffa0'])
      expect(registrationFault({ ...good, account })?.key).toBe('account_characters');
    expect(normalAccount(' ａｄｍｉｎ１ ')).toBe('admin1');
  });

  test('takes no password that is the account in other letters', () => {
    expect(registrationFault({ ...good, password: 'ZhangWei', repeat: 'ZhangWei' })?.key).toBe('login_err_05');
  });
});

describe('a change of password', () => {
  const change = { account: 'zhangwei', old_password: 'tea2025', new_password: 'tea2026', repeat_password: 'tea2026' };
  test.each([
    [{}, undefined],
    [
      { old_password: '', new_password: '' },
      { field: 'old_password', key: 'old_password_required' },
    ],
    [
      { new_password: '', repeat_password: 'x' },
      { field: 'new_password', key: 'new_password_required' },
    ],
    [{ new_password: 'x' }, { field: 'repeat_password', key: 'passwords_differ' }],
    [
      { new_password: 'zhangwei', repeat_password: 'zhangwei' },
      { field: 'new_password', key: 'login_err_05' },
    ],
    [
      { new_password: 'x', repeat_password: 'x' },
      { field: 'new_password', key: 'password_too_short' },
    ],
    [
      { new_password: 'tea 2026', repeat_password: 'tea 2026' },
      { field: 'new_password', key: 'password_letters_and_digits' },
    ],
    [
      { new_password: 'tea2025', repeat_password: 'tea2025' },
      { field: 'new_password', key: 'password_unchanged' },
    ],
  ])('%j is answered by %j', (wrong, fault) => {
    expect(passwordChangeFault({ ...change, ...wrong })).toEqual(fault);
  });
});

test('a given password keeps the same rules', () => {
  expect(givenPasswordFault({ account: 'zhangwei', password: '' })).toEqual({ field: 'password', key: 'login_err_03' });
  expect(givenPasswordFault({ account: 'zhangwei', password: 'ab-cdef' })).toEqual({
    field: 'password',
    key: 'password_letters_and_digits',
  });
  expect(givenPasswordFault({ account: 'zhangwei', password: 'tea2026' })).toBeUndefined();
});
