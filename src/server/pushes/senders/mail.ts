import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { MailSecurity } from '../../../contract/detection/shield-push.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { guardedConnect } from '../../kit/network/guarded-connect.ts';
import { type GuardedNetwork, RefusedAddress } from '../../kit/network/guarded-network.ts';
import { proxiedConnect } from '../../kit/network/proxied-connect.ts';
import type { Vault } from '../../kit/vault.ts';

const silenceMilliseconds = 15_000;
/** Less than a claim lasts. */
const deadlineMilliseconds = 40_000;
const maxReason = 200;

/** The label that the password is sealed under. */
export const passwordLabel = 'mail server password';
export const sealPassword = (vault: Vault, password: string): Buffer => vault.seal(Buffer.from(password), passwordLabel);
export const openPassword = (vault: Vault, sealed: Uint8Array): string => vault.open(sealed, passwordLabel).toString();

export type MailServer = {
  host: string;
  port: number;
  security: MailSecurity;
  username: string;
  password: string;
  from_address: string;
  from_name: string;
  /** By which it is reached; empty: by none. */
  proxy?: string;
};
export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** The same for the same mail, sent again: a mailbox shows it once. */
  id: string;
};

/**
 * Sends one mail on a connection of its own and answers what the server said. A mail that was refused for good is `push.refused`, one that
 * may be taken later `push.failed`.
 */
export async function sendMail(network: GuardedNetwork, server: MailServer, { to, subject, text, id }: Mail): Promise<string> {
  let connection: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    connection = server.proxy ? await proxiedConnect(server.proxy, server) : await guardedConnect(network, server);
    const { host, port, security, username, password, from_address, from_name } = server;
    const transport = createTransport({
      connection,
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(username === '' ? {} : { auth: { user: username, pass: password } }),
      greetingTimeout: silenceMilliseconds,
      socketTimeout: silenceMilliseconds,
      // What is sent is text of ours: nothing of it names a file or an address to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const sending = transport.sendMail({
      from: { name: from_name, address: from_address },
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<${id}@${from_address.slice(from_address.lastIndexOf('@') + 1)}>`,
      headers: { 'auto-submitted': 'auto-generated' },
    });
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new AppError(504, 'outgoing.timeout', { params: { host } })), deadlineMilliseconds);
    });
    // Whichever comes second is nobody's any more.
    sending.catch(() => {});
    return (await Promise.race([sending, late])).response;
  } catch (error) {
    throw failureOf(error, server.host);
  } finally {
    clearTimeout(timer);
    connection?.destroy();
  }
}

/** OpenSSL says where in its code it failed, and the reason in between. */
const readable = (message: string): string => message.replace(/[\dA-F]+:error:[\dA-F]+:[^:]*:[^:]*:([^:]*):.*/s, 'TLS: $1');

/** nodemailer's words without what was sent: the login stands in none of them. */
function failureOf(error: unknown, host: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof RefusedAddress) return new AppError(400, 'outgoing.refused_address', { params: { host } });
  const { code, response, responseCode, message } = error as Error & { code?: string; response?: string; responseCode?: number };
  if (code === 'ETIMEDOUT') return new AppError(504, 'outgoing.timeout', { params: { host } });
  const words = response ?? (code && !message.includes(code) ? `${code} ${message}` : message);
  const reason = readable(words).replaceAll('\0', '').slice(0, maxReason);
  if (code === 'EAUTH') return new AppError(502, 'push.mail_login', { params: { reason } });
  const isFinal = responseCode !== undefined && responseCode >= 500 && code === 'EENVELOPE';
  return isFinal ? new AppError(409, 'push.refused', { params: { reason } }) : new AppError(502, 'push.failed', { params: { reason } });
}
