import type { Fault } from '../../../contract/people/registration.ts';
import { AppError, invalidField, violatedConstraint } from '../../kit/calls/errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** 400 with the rule's own text as message, and beside its field. */
export const brokenRule = ({ field, key }: Fault<string>): AppError => new AppError(400, `field.${key}`, { fields: { [field]: key } });

export function refuseCommonPassword(field: string, password: string): void {
  if (isCommonPassword(password)) throw brokenRule({ field, key: 'password_common' });
}

const takenFields: Readonly<Record<string, string>> = {
  user_account_account_key: 'account',
  user_account_invitation_code_key: 'invitation_code',
};

/** The constraint decides whether an account or invitation code is free; a SELECT before could only guess. */
export async function sayTaken<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    const field = takenFields[violatedConstraint(error) ?? ''];
    throw field ? invalidField(field, 'taken') : error;
  });
}
