/**
 * How a browser seals a password (`encrypted: true`), so that nothing between it and the server can read it or keep it.
 *
 * 1. A fresh X25519 key pair; its secret with the server's public key (`website/info`, `socket_public_key`, base64url) gives a shared secret.
 * 2. key = HKDF-SHA256(shared secret, salt = own public key ‖ server's public key, info = `sealing.info`, 32 bytes).
 * 3. box = XChaCha20-Poly1305(key, 24 random bytes as nonce, associated data = UTF-8 of `sealedFor(call, field)`) of the password in UTF-8.
 * 4. The field's value is base64url without padding of: own public key (32) ‖ nonce (24) ‖ box (password + 16).
 *
 * The associated data binds a sealed value to its call and field, so that a login's cannot be used to change a password.
 */
export const sealing = { info: 'livecode sealed password 1', publicKeyBytes: 32, nonceBytes: 24, tagBytes: 16 } as const;

/** The associated data of a sealed value, for example `admin/login:password`. */
export const sealedFor = (call: string, field: string): string => `${call}:${field}`;

export const maxPasswordLength = 200;
/** A password of the greatest length in characters of four bytes, sealed. */
export const maxSealedLength = Math.ceil(
  ((sealing.publicKeyBytes + sealing.nonceBytes + sealing.tagBytes + 4 * maxPasswordLength) * 4) / 3,
);
