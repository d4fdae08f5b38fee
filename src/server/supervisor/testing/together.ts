import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AsyncOperation } from '../../../contract/system/async-operations.ts';

/** What one web host began and another one is asked for, by status. */
export interface Together {
  session: number;
  picture: number;
  export: number;
}

const maxTries = 120;
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

const address = (port: number, path: string) => `http://127.0.0.1:${port}${path}`;

export async function ask<T>(port: number, path: string, body: object, token?: string): Promise<{ status: number; answer: T }> {
  const response = await fetch(address(port, `/api/${path}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as T };
}

/** A login, an upload and an export at one web host, of which another one must know; the export is made by a third host, a worker. */
export async function tryTogether(first: number, other: number, password: string): Promise<Together> {
  const { token } = (await ask<{ token: string }>(first, 'admin/login', { account: 'admin', password })).answer;
  const session = (await ask(other, 'admin/get_info', {}, token)).status;

  const form = new FormData();
  form.append('file', new Blob([pixel], { type: 'image/png' }), 'a.png');
  const upload = await fetch(address(first, '/api/file/add'), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const { url } = (await upload.json()) as { url: string };
  const picture = (await fetch(new URL(url, address(other, '/')))).status;

  const started = await ask<{ operation_id: number }>(first, 'log/export', { format: 'csv', request_id: randomUUID() }, token);
  const { operation_id } = started.answer;
  for (let tried = 0; tried < maxTries; tried += 1) {
    const { answer } = await ask<{ content: AsyncOperation[] }>(other, 'async_operations/inquire', { ids: [operation_id] }, token);
    if (answer.content[0]?.state === 'completed') break;
    await delay(250);
  }
  const link = await ask<{ url: string }>(other, 'async_operations/link', { id: operation_id }, token);
  const file = link.status === 200 ? (await fetch(new URL(link.answer.url, address(other, '/')))).status : link.status;
  return { session, picture, export: file };
}
