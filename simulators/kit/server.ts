import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Simulator = { url: string; port: number; stop: () => Promise<void> };

type Handle = (url: URL, request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A real HTTP server on the loopback address, on a free port unless one is given. */
export async function serveHttp(handle: Handle, port = 0): Promise<Simulator> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://simulator');
    Promise.resolve(handle(url, request, response)).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** What a form or a JSON body says. */
export async function fieldsOf(request: IncomingMessage): Promise<Record<string, string>> {
  const body = await bodyOf(request);
  if (body.startsWith('{')) return JSON.parse(body) as Record<string, string>;
  return Object.fromEntries(new URLSearchParams(body));
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

export function sendHtml(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(html);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** A small page on which somebody who tries the product out sets what hosts get. */
export function controlPage(title: string, states: readonly string[], hosts: ReadonlyMap<string, string>, more = ''): string {
  const options = (chosen = '') => states.map((state) => `<option${state === chosen ? ' selected' : ''}>${state}</option>`).join('');
  const form = (host: string, state?: string) =>
    `<form method="post" action="/control"><input name="host" value="${escaped(host)}" placeholder="a.example.com"> ` +
    `<select name="state">${options(state)}</select> <button>set</button></form>`;
  const rows = [...hosts].map(([host, state]) => form(host, state)).join('');
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>body{font:16px sans-serif;max-width:40em;margin:2em auto}form{margin:.5em 0}</style>
<h1>${title}</h1>${more}${rows}${form('')}`;
}
