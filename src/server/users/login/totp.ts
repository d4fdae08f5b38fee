import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;
/** RFC 4226 asks for at least 128 bits and recommends 160. */
export const totpSecretBytes = 20;

export const stepOf = (at: Date): number => Math.floor(at.getTime() / 1000 / stepSeconds);

/** The code of a time step: RFC 6238 over RFC 4226, SHA-1, six digits. */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  const truncated = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** The step whose code this is: the present one, the one before or the one after, because clocks differ. */
export function matchingStep(secret: Buffer, code: string, at: Date): number | undefined {
  const given = Buffer.from(code);
  const now = stepOf(at);
  return [now, now - 1, now + 1].find((step) => {
    const expected = Buffer.from(totpCode(secret, step));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding, as authenticator apps read keys. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** The address that a QR image of an authenticator app holds. */
export function otpauthUrl(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = new URLSearchParams({ secret: base32(secret), algorithm: 'SHA1', digits: String(digits), period: String(stepSeconds) });
  return `otpauth://totp/${label}?${query}&issuer=${encodeURIComponent(issuer)}`;
}
