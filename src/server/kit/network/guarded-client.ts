import {
  type ClientRequest,
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '../calls/errors.ts';
import { type GuardedNetwork, RefusedAddress } from './guarded-network.ts';

const maxRedirects = 5;
const maxHeaderBytes = 16 * 1024;
const defaultTimeoutMilliseconds = 10_000;
const defaultMaximumBytes = 2 ** 20;

export type GuardedRequest = {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Everything from the look-up of the name to the last byte, redirects included. */
  timeout_ms?: number;
  /** Until the answer's headers are there; no more than `timeout_ms`. */
  first_byte_ms?: number;
  /** Of the answer, after decompression. */
  maximum_bytes?: number;
  /** A longer answer is cut instead of refused, for callers who only show its beginning. */
  cut?: boolean;
  /** How many redirects are followed, at most 5; none unless said. Without, a redirect is an answer like any other. */
  redirects?: number;
  /** Breaks it off, as if its time were over. */
  signal?: AbortSignal;
  /**
   * A proxy of the site's own (`http://` or `https://`), asked by CONNECT; it looks the name up. For addresses that the settings name, not for
   * those of users: where a name leads beyond it, nobody checks.
   */
  proxy?: string | undefined;
};

export type GuardedAnswer = {
  status: number;
  /** Names in lower case; a header that came more than once is joined by a comma. */
  headers: Record<string, string>;
  body: string;
  isCut: boolean;
  /** Where the answer came from after redirects. */
  url: string;
  duration_ms: number;
};

type Hop = { url: URL; method: string; headers: Record<string, string>; body: string | Buffer | undefined };

/** Headers by which a request would be framed or routed otherwise than its address says. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|accept-encoding|http2-settings|proxy-.*)$/i;
/** What may follow a redirect to another origin: nothing that could be a key. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'user-agent']);

/**
 * Requests an address that a user typed in. Only http and https; the address is asked about at the moment of connecting, at each
 * redirect anew; time, headers and body are bounded, what was compressed too. Nothing of ours is sent along: no cookies, no keys, no
 * proxy of the environment. Throws `outgoing.*`: 400 where the request itself may not be made, 502 or 504 where the other side failed.
 */
export async function guardedRequest(network: GuardedNetwork, request: GuardedRequest): Promise<GuardedAnswer> {
  const startedAt = performance.now();
  const { timeout_ms = defaultTimeoutMilliseconds, first_byte_ms = timeout_ms, maximum_bytes = defaultMaximumBytes } = request;
  const redirects = Math.min(request.redirects ?? 0, maxRedirects);
  const timeout = AbortSignal.timeout(timeout_ms);
  const deadline = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
  let hop: Hop = {
    url: guardedUrl(request.url),
    method: request.method ?? 'GET',
    headers: checkedHeaders(request.headers ?? {}),
    body: request.body,
  };
  for (let followed = 0; ; followed += 1) {
    const answer = await send(hop, await agentsFor(network, request.proxy), deadline, Math.min(first_byte_ms, timeout_ms));
    const next = redirects > 0 ? redirection(hop, answer) : undefined;
    if (!next) {
      const { bytes, isCut } = await readBytes(hop, answer, maximum_bytes, request.cut ?? false, deadline);
      const text = decode(bytes, answer.headers['content-type']);
      const headers = plainHeaders(answer.headers);
      const duration_ms = Math.round(performance.now() - startedAt);
      return { status: answer.statusCode ?? 0, headers, body: text, isCut, url: hop.url.href, duration_ms };
    }
    answer.destroy();
    if (followed >= redirects) throw new AppError(502, 'outgoing.too_many_redirects', { params: { number: redirects } });
    hop = next;
  }
}

/**
 * The same for what is no text: the bytes of one answer, of which no redirect is followed. Throws as `guardedRequest` does.
 */
export async function guardedDownload(
  network: GuardedNetwork,
  { url, timeout_ms = defaultTimeoutMilliseconds, maximum_bytes = defaultMaximumBytes, signal, proxy }: DownloadRequest,
): Promise<{ status: number; bytes: Buffer }> {
  const timeout = AbortSignal.timeout(timeout_ms);
  const deadline = signal ? AbortSignal.any([timeout, signal]) : timeout;
  const hop: Hop = { url: guardedUrl(url), method: 'GET', headers: {}, body: undefined };
  const answer = await send(hop, await agentsFor(network, proxy), deadline, timeout_ms);
  const { bytes } = await readBytes(hop, answer, maximum_bytes, false, deadline);
  return { status: answer.statusCode ?? 0, bytes };
}
type DownloadRequest = Pick<GuardedRequest, 'url' | 'timeout_ms' | 'maximum_bytes' | 'signal' | 'proxy'>;

/** An address that may be called at all, whatever its name stands for. A name and password in it could only be meant to mislead. */
export function guardedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.hostname === '' || url.port === '0') throw new AppError(400, 'outgoing.invalid_url');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AppError(400, 'outgoing.invalid_url');
  if (url.username !== '' || url.password !== '') throw new AppError(400, 'outgoing.invalid_url');
  url.hash = '';
  return url;
}

function checkedHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    // Tabs and printable ASCII: a line break would begin a header or a request of its own.
    const isSound = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) && /^[\t\x20-\x7e]{0,4096}$/.test(value);
    if (!isSound || ownHeaders.test(name)) throw new AppError(400, 'outgoing.invalid_header', { params: { name: name.slice(0, 100) } });
  }
  return headers;
}

/** How a request gets to its host: straight, to addresses that may be called, or by a proxy. */
type Way = Pick<GuardedNetwork, 'checkHost'> & { agents: { http: HttpAgent; https: HttpAgent } };

async function agentsFor(network: GuardedNetwork, proxy = ''): Promise<Way> {
  if (proxy === '') return { checkHost: network.checkHost, agents: network.agents() };
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const agent = new HttpsProxyAgent(proxy);
  return { checkHost: network.checkHost, agents: { http: agent, https: agent } };
}

/** Sends one request on a connection of its own and answers once the headers are there. */
function send(hop: Hop, { checkHost, agents }: Way, deadline: AbortSignal, firstByteMilliseconds: number): Promise<IncomingMessage> {
  const host = hop.url.hostname;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(failure(error, host, deadline));
    let outgoing: ClientRequest;
    try {
      checkHost(hop.url.href);
      if (!/^[A-Z]{1,20}$/.test(hop.method) || hop.method === 'CONNECT') throw new AppError(400, 'outgoing.invalid_url');
      const isSecure = hop.url.protocol === 'https:';
      const { http, https } = agents;
      const options = {
        method: hop.method,
        headers: {
          accept: '*/*',
          'user-agent': 'Livecode',
          ...hop.headers,
          'accept-encoding': 'gzip, deflate, br',
          connection: 'close',
          ...lengthOf(hop),
        },
        maxHeaderSize: maxHeaderBytes,
        insecureHTTPParser: false,
        signal: deadline,
      };
      outgoing = isSecure
        ? httpsRequest(hop.url, { ...options, agent: https, rejectUnauthorized: true })
        : httpRequest(hop.url, { ...options, agent: http });
    } catch (error) {
      return fail(error);
    }
    const firstByte = setTimeout(
      () => outgoing.destroy(new AppError(504, 'outgoing.timeout', { params: { host } })),
      firstByteMilliseconds,
    );
    outgoing.on('error', (error) => {
      clearTimeout(firstByte);
      fail(error);
    });
    // An answer that switches protocols ends without an error.
    outgoing.on('close', () => {
      clearTimeout(firstByte);
      fail(new Error('closed'));
    });
    outgoing.on('response', (answer) => {
      clearTimeout(firstByte);
      // A connection that breaks later is told by the reader of the body; without a listener it would end the process.
      answer.on('error', () => {});
      resolve(answer);
    });
    outgoing.end(hop.body);
  });
}

const lengthOf = ({ method, body }: Hop): Record<string, string> =>
  body === undefined && ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)
    ? {}
    : { 'content-length': String(Buffer.byteLength(body ?? '')) };

/** The request that a redirect asks for, or undefined where the answer is none. */
function redirection(hop: Hop, answer: IncomingMessage): Hop | undefined {
  const status = answer.statusCode ?? 0;
  const location = answer.headers.location;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  // Node reads headers as Latin-1; what servers write there beyond ASCII is UTF-8.
  const text = Buffer.from(location, 'latin1').toString();
  if (!URL.canParse(text, hop.url.href)) throw new AppError(502, 'outgoing.refused_redirect');
  let url: URL;
  try {
    url = guardedUrl(new URL(text, hop.url).href);
  } catch {
    throw new AppError(502, 'outgoing.refused_redirect');
  }
  const isSameOrigin = url.origin === hop.url.origin;
  const keepsMethod = status === 307 || status === 308 || hop.method === 'GET' || hop.method === 'HEAD';
  // A body may hold a key: nobody else gets it.
  if (keepsMethod && hop.body !== undefined && !isSameOrigin) throw new AppError(502, 'outgoing.refused_redirect');
  const kept = Object.entries(hop.headers).filter(([name]) => isSameOrigin || harmlessHeaders.has(name.toLowerCase()));
  return {
    url,
    method: keepsMethod ? hop.method : 'GET',
    headers: Object.fromEntries(keepsMethod ? kept : kept.filter(([name]) => !/^content-/i.test(name))),
    body: keepsMethod ? hop.body : undefined,
  };
}

/** The body, ended at `maxBytes` of what it unpacks to. */
async function readBytes(
  hop: Hop,
  answer: IncomingMessage,
  maxBytes: number,
  cut: boolean,
  deadline: AbortSignal,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  // These have no body, whatever their headers tell of one.
  if (hop.method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304) {
    answer.destroy();
    return { bytes: Buffer.alloc(0), isCut: false };
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  const body = unpacked(answer);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) continue;
      if (!cut) throw new AppError(502, 'outgoing.too_large', { params: { kilobytes: Math.ceil(maxBytes / 1024) } });
      isCut = true;
      break;
    }
  } catch (error) {
    throw failure(error, hop.url.hostname, deadline);
  } finally {
    body.destroy();
    answer.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut };
}

function unpacked(answer: IncomingMessage): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer;
  const unpacker = unpackerOf(encoding);
  if (!unpacker) {
    answer.destroy();
    throw new AppError(502, 'outgoing.unreadable');
  }
  answer.on('error', (error) => unpacker.destroy(error));
  answer.on('aborted', () => unpacker.destroy(new Error('aborted')));
  unpacker.on('error', () => answer.destroy());
  return answer.pipe(unpacker);
}

function unpackerOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  if (encoding === 'br') return createBrotliDecompress();
  return undefined;
}

/** Unknown character sets are read as UTF-8: an address is ASCII in nearly all of them. */
function decode(bytes: Buffer, contentType: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as const]));
  return Object.fromEntries(entries);
}

function failure(error: unknown, host: string, deadline: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  if (deadline.aborted) return new AppError(504, 'outgoing.timeout', { params: { host } });
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RefusedAddress) return new AppError(400, 'outgoing.refused_address', { params: { host } });
  return new AppError(502, 'outgoing.failed', { params: { host, reason: reasonOf(error) } });
}

/** The network's own word for what went wrong (`ECONNREFUSED`, `CERT_HAS_EXPIRED`), which operators can look up. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message.slice(0, 100) : 'unknown';
}
