import { maxPasswordLength } from '../sealing.ts';

/** What is wrong with an account or a password: the field, and the key of its text below `errors.field`. */
export type Fault<F extends string> = { field: F; key: string };

const lettersAndDigits = /^[A-Za-z0-9]*$/;
const minimumAccountLength = 5;
const minimumPasswordLength = 6;

/** ASCII and letters without case (Chinese, Japanese …) but the invisible ones: no two accounts differ only in ways that nobody sees. */
const accountCharacters = /^[A-Za-z0-9._@+\-[\p{Lo}--[\u115f\u1160]]]+$/v;

/** An account as it is kept and looked up: full-width letters and digits count as the plain ones. */
export const normalAccount = (account: string): string => account.normalize('NFKC').trim();

const sameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const lengthOf = (text: string): number => [...text].length;

/** The rules that registration and a change of password share; the common ones are refused by the server only. */
function passwordFault(password: string, account: string): string | undefined {
  if (sameText(password, account)) return 'login_err_05';
  if (lengthOf(password) < minimumPasswordLength) return 'password_too_short';
  if (!lettersAndDigits.test(password)) return 'password_letters_and_digits';
  if (password.length > maxPasswordLength) return 'password_too_long';
  return undefined;
}

/** What is wrong with a password that an administrator gives the user of this account. */
export function givenPasswordFault(values: { account: string; password: string }): Fault<'password'> | undefined {
  const key = values.password === '' ? 'login_err_03' : passwordFault(values.password, normalAccount(values.account));
  return key === undefined ? undefined : { field: 'password', key };
}

export type Registration = {
  account: string;
  password: string;
  /** Only the screen has it. */
  repeat?: string;
  code?: string;
};

/** The first of the registration's rules that is broken, in the specification's order, then what no account may look like. */
export function registrationFault(values: Registration): Fault<'account' | 'password' | 'repeat' | 'code'> | undefined {
  const account = normalAccount(values.account);
  const { password, repeat = password, code = '' } = values;
  if (account === '') return { field: 'account', key: 'login_err_02' };
  if (lengthOf(account) < minimumAccountLength) return { field: 'account', key: 'account_too_short' };
  if (password === '') return { field: 'password', key: 'login_err_03' };
  if (password !== repeat) return { field: 'repeat', key: 'login_err_04' };
  const fault = passwordFault(password, account);
  if (fault) return { field: 'password', key: fault };
  if (!lettersAndDigits.test(code)) return { field: 'code', key: 'code_letters_and_digits' };
  if (!accountCharacters.test(account)) return { field: 'account', key: 'account_characters' };
  return undefined;
}

export type PasswordChange = { account: string; old_password: string; new_password: string; repeat_password: string };

/** The first of the rules of changing one's own password that is broken. */
export function passwordChangeFault(values: PasswordChange): Fault<'old_password' | 'new_password' | 'repeat_password'> | undefined {
  const { old_password, new_password, repeat_password } = values;
  if (old_password === '') return { field: 'old_password', key: 'old_password_required' };
  if (new_password === '') return { field: 'new_password', key: 'new_password_required' };
  if (new_password !== repeat_password) return { field: 'repeat_password', key: 'passwords_differ' };
  const fault = passwordFault(new_password, normalAccount(values.account));
  if (fault) return { field: 'new_password', key: fault };
  if (new_password === old_password) return { field: 'new_password', key: 'password_unchanged' };
  return undefined;
}
