import type { IncomingMessage } from 'node:http';

/** Five hundred characters of four bytes, each byte written as three. */
const maxBytes = 8 * 1024;

export interface SentForm {
  ticket: string;
  reason: string;
  text: string;
}

const nothing: SentForm = { ticket: '', reason: '', text: '' };

/**
 * What a browser sent of the form; empty where it is no form of ours, longer than one can be, or broken off. Browsers say where a request
 * comes from: one that another site made has no ticket of this visitor's, and is refused before it is read.
 */
export async function readForm(request: IncomingMessage): Promise<SentForm> {
  const { 'content-type': type = '', 'sec-fetch-site': site = 'same-origin' } = request.headers;
  const isOurs = type.startsWith('application/x-www-form-urlencoded') && site === 'same-origin';
  const body = isOurs ? await readBody(request) : undefined;
  if (body === undefined) return nothing;
  const fields = new URLSearchParams(body);
  const field = (name: string) => fields.get(name) ?? '';
  return { ticket: field('ticket'), reason: field('reason'), text: field('text') };
}

function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
    });
    request.on('end', () => resolve(length <= maxBytes ? Buffer.concat(chunks).toString() : undefined));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
