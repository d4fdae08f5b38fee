/** Without the characters that are easily taken for each other when they are read out. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Ten of 31 characters, 49 bits: tries are limited, and it can still be read out. */
export function generatePassword(length = 10): string {
  // A byte above the largest multiple of 31 is thrown away, so that all characters are equally likely.
  const limit = 256 - (256 % alphabet.length);
  let password = '';
  while (password.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < limit && password.length < length) password += alphabet[byte % alphabet.length];
    }
  }
  return password;
}
