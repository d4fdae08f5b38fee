import type { Fault } from '../../../contract/people/registration.ts';
import { AppError, mapUniqueViolation } from '../../kit/calls/errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** 400 with the rule's own text as message, and beside its field. */
export const brokenRule = ({ field, key }: Fault<string>): AppError => new AppError(400, `field.${key}`, { fields: { [field]: key } });

export function refuseCommonPassword(field: string, password: string): void {
  if (isCommonPassword(password)) throw brokenRule({ field, key: 'password_common' });
}

const takenField = mapUniqueViolation({ user_account_account_key: 'account', user_account_invitation_code_key: 'invitation_code' });
/** 400 at the field whose account or invitation code is taken. */
export const sayTaken = <T>(change: Promise<T>): Promise<T> => change.catch(takenField);
