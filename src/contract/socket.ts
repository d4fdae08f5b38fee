import { z } from 'zod';
import { id, time } from './kit/fields.ts';
import { languageCode } from './system/language.ts';

/**
 * The real-time socket, `GET /api/socket`. Frames are binary, at most 16 KiB, XChaCha20-Poly1305 under a key of each direction; the 24-byte
 * nonce is the number of the frame in its direction and key, as 8 bytes little-endian and 16 zeros.
 *
 * 1. Browser: 32 bytes, its fresh X25519 public key E; then the box of `login` under K1 = HKDF-SHA256(X25519(E, S), salt = E ‖ S,
 *    info = `socketProtocol.login`, 32 bytes), where S is the server's public key (`website/info`, `socket_public_key`, base64url).
 * 2. Server: 32 bytes, a fresh public key F; then the box of its first message. HKDF-SHA256(X25519(E, S) ‖ X25519(E, F), salt = E ‖ S ‖ F,
 *    info = `socketProtocol.frames`, 64 bytes) gives the key of the browser's further frames and the key of the server's.
 * 3. Both: boxes of JSON messages.
 *
 * The second exchange makes the keys of every connection new: a login frame that an eavesdropper recorded and sends again yields nothing.
 * A login that is refused, and the end of the session, close the socket with `deliberateClose`; the latter after a message of type 3.
 */
export const socketProtocol = {
  path: '/api/socket',
  login: 'livecode socket login 1',
  frames: 'livecode socket frames 1',
  maxFrameBytes: 16_384,
  publicKeyBytes: 32,
  nonceBytes: 24,
  pingSeconds: 5,
  loginSeconds: 5,
  /** Close code after which a browser does not connect again: the session is over, or its user logged out. */
  deliberateClose: 3001,
  maxFailures: 20,
} as const;

/**
 * 1–3 are the specification's: nothing, reload the page, close the connection. `domain_status`: addresses of the user are blocked, or no longer.
 * `languages`: they or their texts have changed. `site`: what `website/info` tells may have changed, the maintenance above all. `block_check`:
 * a list of addresses under check is further; its content is that of `blockCheck`. `deposit`: a payment of the user was seen or counted.
 */
export const socketTypes = {
  nothing: 1,
  reload: 2,
  close: 3,
  site_message: 10,
  statistics: 11,
  operation: 12,
  /** An order of one's own was paid or refunded. */
  order: 14,
  domain_status: 13,
  languages: 15,
  site: 16,
  block_check: 17,
  deposit: 18,
  /** What became of a withdrawal of one's own. */
  withdrawal: 20,
  /** A run of a script went on. */
  script_run: 21,
} as const;
export type SocketType = (typeof socketTypes)[keyof typeof socketTypes];

/** What a browser sends first. */
export const socketLogin = z.strictObject({ token: z.string().min(1).max(200), locale: languageCode });
/** What a browser sends then: a ping (type 1), or whether it wants statistics ticks (type 11). */
export const socketRequest = z.union([
  z.strictObject({ type: z.literal(socketTypes.nothing) }),
  z.strictObject({ type: z.literal(socketTypes.statistics), content: z.strictObject({ watch: z.boolean() }) }),
]);

/** What the server sends. A falsy `status` is shown as an error toast with `message`; without `content`, `message` is a success toast. */
export const socketMessage = z.object({
  type: z.number().int(),
  status: z.boolean(),
  message: z.string(),
  content: z.json().nullable(),
});
export type SocketMessage = z.infer<typeof socketMessage>;

/** Content of type 10; the text is missing where it does not fit a frame, and stands in `message_list/inquire`. */
export const socketSiteMessage = z.object({ id, title: z.string(), content: z.string().nullable() });
/** Content of type 11: there are newer visits than before. */
export const socketStatistics = z.object({ at: time });
