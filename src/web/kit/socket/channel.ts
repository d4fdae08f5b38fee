import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { socketProtocol } from '../../../contract/socket.ts';
import { fromBase64Url } from '../base64.ts';

const { publicKeyBytes, nonceBytes } = socketProtocol;
const keyBytes = 32;

const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

const utf8 = new TextEncoder();
const toBytes = (message: unknown) => utf8.encode(JSON.stringify(message));
const toMessage = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** The number of each frame in one direction, as its nonce. */
function counter(): () => Uint8Array {
  let number = 0n;
  return () => {
    const nonce = new Uint8Array(nonceBytes);
    new DataView(nonce.buffer).setBigUint64(0, number, true);
    number += 1n;
    return nonce;
  };
}

/** Seals what the browser sends and opens what the server sent, each frame in its turn; `open` throws on any other. */
export type Channel = { seal: (message: unknown) => Uint8Array; open: (frame: Uint8Array) => unknown };

type Caller = {
  loginFrame: (login: unknown) => Uint8Array;
  /** Takes the server's first frame: the channel for all that follow, and the first message itself. */
  connect: (frame: Uint8Array) => { channel: Channel; first: unknown };
};

/** The browser's side of the beginning of a connection, as `contract/socket.ts` says. `serverKey` is base64url. */
export function createCaller(serverKey: string): Caller {
  const server = fromBase64Url(serverKey);
  const own = x25519.keygen();
  const withServer = x25519.getSharedSecret(own.secretKey, server);
  const loginKey = hkdf(sha256, withServer, joined(own.publicKey, server), utf8.encode(socketProtocol.login), keyBytes);
  return {
    loginFrame: (login) => joined(own.publicKey, xchacha20poly1305(loginKey, counter()()).encrypt(toBytes(login))),
    connect(frame) {
      const connection = frame.slice(0, publicKeyBytes);
      const secret = joined(withServer, x25519.getSharedSecret(own.secretKey, connection));
      const salt = joined(own.publicKey, server, connection);
      const keys = hkdf(sha256, secret, salt, utf8.encode(socketProtocol.frames), 2 * keyBytes);
      const [ownKey, theirKey] = [keys.subarray(0, keyBytes), keys.subarray(keyBytes)];
      const [ownNonce, theirNonce] = [counter(), counter()];
      const channel: Channel = {
        seal: (message) => xchacha20poly1305(ownKey, ownNonce()).encrypt(toBytes(message)),
        open: (sealed) => toMessage(xchacha20poly1305(theirKey, theirNonce()).decrypt(sealed)),
      };
      return { channel, first: channel.open(frame.subarray(publicKeyBytes)) };
    },
  };
}
