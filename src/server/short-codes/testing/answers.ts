import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

type Body = string | Buffer;
export type Say = { status?: number; headers?: Record<string, string>; body?: Body };
export const say =
  ({ status = 200, headers = {}, body = '' }: Say) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

export const good = 'https://sho.rt/abc';
export const json = (value: unknown): Say => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });

type Answers = Record<string, (request: IncomingMessage, response: ServerResponse) => void>;

const endless = (_request: IncomingMessage, response: ServerResponse) => {
  const pour = () => {
    while (!response.destroyed) if (!response.write(Buffer.alloc(65_536, 97))) return void response.once('drain', pour);
  };
  pour();
};
const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));

/** Answers that a caller gives up waiting for. */
export const lateAnswers: Answers = {
  'that never comes': () => {},
  'that trickles': (_request, response) => {
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
};

/** Answers that are no link, at once. @param portOf the port of who answers */
export const hostileAnswers = (portOf: () => number): Answers => ({
  'with status 500': say({ status: 500, body: JSON.stringify({ data: { link: good } }) }),
  'with status 404': say({ status: 404, body: good }),
  'that is HTML': say({ headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' }),
  'that is empty': say({}),
  'without the field': say(json({ data: { error: 'no' } })),
  'that nests too deeply': say({ body: `{"data":${'['.repeat(400_000)}` }),
  'that has no end': endless,
  'that unpacks without end': say({ headers: { 'content-encoding': 'gzip' }, body: bomb }),
  'that leads to the loopback address': (_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${portOf()}/` }).end(),
  'that leads to the metadata service': say({ status: 307, headers: { location: 'http://169.254.169.254/latest/meta-data/' } }),
  'that leads to another scheme': say({ status: 302, headers: { location: 'gopher://127.0.0.1:6379/_x' } }),
  'that is broken HTTP': (request) => void request.socket.end('HTTP/1.1 200 OK\r\nbad header\r\n\r\n'),
  'that hangs up': (request) => void request.socket.destroy(),
});
