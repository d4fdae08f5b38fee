import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';

const defaultMilliseconds = 10_000;

type Peer = { host: string; port: number; milliseconds?: number };

/**
 * Connects by a proxy of the site's own, which is asked by CONNECT and looks the name up. Whoever gets the connection closes it, and listens
 * for its errors.
 * @param proxy `http://` or `https://` with its host and port
 * @throws an error with the system's `code`: `ETIMEDOUT` where it took too long, `ECONNREFUSED` where the proxy does not lead there
 */
export function proxiedConnect(proxy: string, { host, port, milliseconds = defaultMilliseconds }: Peer): Promise<Socket> {
  const { protocol, hostname, port: own } = new URL(proxy);
  const isSecure = protocol === 'https:';
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const to = {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: own || (isSecure ? 443 : 80),
    method: 'CONNECT',
    path,
    headers: { host: path },
  };
  const asking = (isSecure ? httpsRequest : httpRequest)({ ...to, signal: AbortSignal.timeout(milliseconds), agent: false });
  return new Promise<Socket>((resolve, reject) => {
    asking.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(failure('ECONNREFUSED'));
    });
    asking.once('response', (answer) => {
      answer.destroy();
      reject(failure('ECONNREFUSED'));
    });
    asking.once('error', (error: Error & { code?: string }) => reject(error.name === 'TimeoutError' ? failure('ETIMEDOUT') : error));
    asking.end();
  });
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });
