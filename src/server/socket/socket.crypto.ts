import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { socketProtocol } from '../../contract/socket.ts';

const { publicKeyBytes, nonceBytes } = socketProtocol;
const keyBytes = 32;

/** One direction of a connection: every frame is sealed under the next number, and opens only in its turn. */
function counter() {
  let number = 0n;
  return (): Uint8Array => {
    const nonce = new Uint8Array(nonceBytes);
    new DataView(nonce.buffer).setBigUint64(0, number, true);
    number += 1n;
    return nonce;
  };
}

export type Channel = {
  seal: (message: unknown) => Uint8Array;
  /** Throws where the frame is not the next one of the other side. */
  open: (frame: Uint8Array) => unknown;
};

export function createChannel(ownKey: Uint8Array, theirKey: Uint8Array): Channel {
  const [ownNonce, theirNonce] = [counter(), counter()];
  return {
    seal: (message) => xchacha20poly1305(ownKey, ownNonce()).encrypt(Buffer.from(JSON.stringify(message))),
    open: (frame) => JSON.parse(Buffer.from(xchacha20poly1305(theirKey, theirNonce()).decrypt(frame)).toString()),
  };
}

/** The login is the only frame of its key. */
const firstNonce = new Uint8Array(nonceBytes);
const sealOnce = (key: Uint8Array, message: unknown): Uint8Array =>
  xchacha20poly1305(key, firstNonce).encrypt(Buffer.from(JSON.stringify(message)));
const openOnce = (key: Uint8Array, box: Uint8Array): unknown =>
  JSON.parse(Buffer.from(xchacha20poly1305(key, firstNonce).decrypt(box)).toString());

const loginKey = (shared: Uint8Array, theirs: Uint8Array, own: Uint8Array): Uint8Array =>
  hkdf(sha256, shared, Buffer.concat([theirs, own]), Buffer.from(socketProtocol.login), keyBytes);

/** The keys of the frames after the login: the browser's, then the server's. */
export function frameKeys(
  shared: { withServer: Uint8Array; withConnection: Uint8Array },
  keys: { browser: Uint8Array; server: Uint8Array; connection: Uint8Array },
): [Uint8Array, Uint8Array] {
  const secret = Buffer.concat([shared.withServer, shared.withConnection]);
  const salt = Buffer.concat([keys.browser, keys.server, keys.connection]);
  const derived = hkdf(sha256, secret, salt, Buffer.from(socketProtocol.frames), 2 * keyBytes);
  return [derived.subarray(0, keyBytes), derived.subarray(keyBytes)];
}

export type Opened = {
  login: unknown;
  /** Makes the connection's own keys: the public key that the first frame of the server begins with, and the channel. */
  connect: () => { publicKey: Uint8Array; channel: Channel };
};

/**
 * The server's side of the beginning of a connection (`contract/socket.ts`).
 * @param secretKey of the pair whose public key the website info shows
 * @returns what opens a browser's first frame; it throws where the frame was not sealed to this key
 */
export function createListener(secretKey: Uint8Array): (frame: Uint8Array) => Opened {
  const server = x25519.getPublicKey(secretKey);
  return (frame) => {
    const browser = frame.slice(0, publicKeyBytes);
    // A public key of low order is refused here: with it anybody would know the secret.
    const withServer = x25519.getSharedSecret(secretKey, browser);
    const opened = openOnce(loginKey(withServer, browser, server), frame.subarray(publicKeyBytes));
    return {
      login: opened,
      connect() {
        const own = x25519.keygen();
        const withConnection = x25519.getSharedSecret(own.secretKey, browser);
        const keys = { browser, server, connection: own.publicKey };
        const [theirKey, ownKey] = frameKeys({ withServer, withConnection }, keys);
        return { publicKey: own.publicKey, channel: createChannel(ownKey, theirKey) };
      },
    };
  };
}

/** The browser's side, as tests speak it. */
export function createCaller(server: Uint8Array) {
  const own = x25519.keygen();
  const withServer = x25519.getSharedSecret(own.secretKey, server);
  const key = loginKey(withServer, own.publicKey, server);
  return {
    loginFrame: (login: unknown): Uint8Array => Buffer.concat([own.publicKey, sealOnce(key, login)]),
    /** @param frame the server's first; it is opened by the channel, without its public key */
    connect(frame: Uint8Array): { channel: Channel; first: unknown } {
      const connection = frame.slice(0, publicKeyBytes);
      const withConnection = x25519.getSharedSecret(own.secretKey, connection);
      const keys = { browser: own.publicKey, server, connection };
      const [ownKey, theirKey] = frameKeys({ withServer, withConnection }, keys);
      const channel = createChannel(ownKey, theirKey);
      return { channel, first: channel.open(frame.subarray(publicKeyBytes)) };
    },
  };
}
