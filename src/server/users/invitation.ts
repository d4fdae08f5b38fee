import { randomInt } from 'node:crypto';

// Without the characters that are easily taken for each other.
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';

export const randomLetters = (length: number): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** An invitation code: letters and digits only, as the specification demands of it. */
export const newInvitationCode = (): string => randomLetters(8);
