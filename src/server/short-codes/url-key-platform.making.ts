import type { ConfigOf, PlatformConfig, RequestConfig } from '../../contract/links/platform-config.ts';
import type { PlatformTest } from '../../contract/links/url-key-platform.ts';
import { AppError } from '../kit/calls/errors.ts';
import { type GuardedAnswer, type GuardedRequest, guardedRequest } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { judgeLink, readAnswer } from './url-key-platform.reading.ts';
import {
  contentTypes,
  encodeAddress,
  fillAddress,
  fillAsterisks,
  fillBody,
  fillHeader,
  type GapValues,
} from './url-key-platform.templates.ts';

const defaultTimeoutSeconds = 10;
const shownBytes = 4096;
const maxRedirects = 5;
const mask = '***';

/** What came to pass on the way to a link, for an operator who tries a platform out. Keys stand masked in it. */
export type Trace = Pick<PlatformTest, 'request' | 'answer' | 'read'>;
export const newTrace = (): Trace => ({ request: null, answer: null, read: null });

export type Making = {
  network: GuardedNetwork;
  key: string | undefined;
  /** What the link is for: where the visitor ends, or the first link of a nested one. */
  destination: string;
  trace: Trace;
};

/**
 * The link that a platform makes of a destination, for types whose links are not (only) ours: asked for, or put together.
 * @throws AppError `platform.*` and `outgoing.*`
 */
export async function makeLink(config: PlatformConfig, making: Making): Promise<string> {
  const { destination, network } = making;
  switch (config.type) {
    case 1:
      return askFor({ ...config, method: 'GET', body_kind: 'none' }, { url: destination }, making);
    case 2:
      return judgeLink(`${config.prefix}${encodeAddress(destination, config.encoding)}${config.suffix ?? ''}`, { network });
    case 4:
    case 5:
      return askFor(config, { url: destination }, making);
    case 7:
    case 8:
      return lookUp(config, making);
    case 9:
    case 10:
    case 12:
      return askFor(config, { url: destination, text: config.text.replaceAll('{url}', () => destination) }, making);
    case 14:
      return judgeLink(fillAsterisks(config, destination), { network });
    default:
      throw new Error(`platforms of type ${config.type} make links of our own`);
  }
}

type Asking = Pick<RequestConfig, 'url' | 'headers' | 'read' | 'timeout_seconds' | 'method' | 'body_kind' | 'body'>;

async function askFor(config: Asking, values: GapValues, making: Making): Promise<string> {
  const { network, key, destination, trace } = making;
  const usesKey = JSON.stringify([config.url, config.headers, config.body]).includes('{key}');
  if (usesKey && !key) throw new AppError(409, 'platform.needs_key');
  const answer = await send(
    requestOf(config, { ...values, key: key ?? '' }),
    requestOf(config, { ...values, key: mask }),
    config.read.kind === 'location',
    making,
  );
  const read = await readAnswer(config.read, answer, config.url);
  trace.read = masked(read, key);
  return judgeLink(read, { destination, network });
}

function requestOf({ method, url, headers = [], body_kind, body = '', timeout_seconds }: Asking, values: GapValues): GuardedRequest {
  const timeout_ms = (timeout_seconds ?? defaultTimeoutSeconds) * 1000;
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, fillHeader(value, values)]));
  const target = { url: fillAddress(url, values), method, timeout_ms };
  if (body_kind === 'none' || method === 'GET') return { ...target, headers: given };
  const isTyped = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  const type: Record<string, string> = isTyped ? {} : { 'content-type': contentTypes[body_kind] };
  return { ...target, headers: { ...type, ...given }, body: fillBody(body_kind, body, values) };
}

/** The page of an operator that shows the link is the link; where he wishes so, only if it answers and shows it. */
async function lookUp(config: ConfigOf<7 | 8>, making: Making): Promise<string> {
  const { destination, network } = making;
  const link = judgeLink(
    config.url.replaceAll('{url}', () => encodeAddress(destination, config.encoding)),
    { network },
  );
  if (config.checked === false) return link;
  const request = { url: link, timeout_ms: (config.timeout_seconds ?? defaultTimeoutSeconds) * 1000 };
  const { status, body } = await send(request, request, false, making);
  if (status < 200 || status > 299) throw new AppError(502, 'platform.status', { params: { status } });
  if (!shows(body, destination)) throw new AppError(502, 'platform.does_not_show');
  return link;
}

/** The destination stands in the page, as it is or as pages write it. */
const shows = (body: string, destination: string): boolean =>
  [destination, destination.replaceAll('&', '&amp;'), encodeURIComponent(destination), destination.replaceAll('/', '\\/')].some((text) =>
    body.includes(text),
  );

/** 502 unless a tunnel leads to this server's visit path, which says so at an address of its own. */
export async function checkTunnel({ base_url, timeout_seconds }: ConfigOf<6>, making: Making): Promise<void> {
  const request = { url: joined(base_url, 'healthz'), timeout_ms: (timeout_seconds ?? defaultTimeoutSeconds) * 1000 };
  const { status } = await send(request, request, false, making);
  if (status !== 200) throw new AppError(502, 'platform.tunnel_elsewhere', { params: { status } });
}

export const joined = (base: string, path: string): string => `${base.replace(/\/+$/, '')}/${path}`;

async function send(
  request: GuardedRequest,
  shown: GuardedRequest,
  staysHere: boolean,
  { network, key, trace }: Making,
): Promise<GuardedAnswer> {
  trace.request = {
    method: request.method ?? 'GET',
    url: masked(shown.url, key),
    headers: shownHeaders(shown.headers ?? {}, key),
    body: typeof shown.body === 'string' ? masked(shown.body, key) : null,
  };
  const answer = await guardedRequest(network, { ...request, redirects: staysHere ? 0 : maxRedirects });
  trace.answer = {
    status: answer.status,
    url: masked(answer.url, key),
    headers: shownHeaders(answer.headers, key),
    body: masked(answer.body, key).slice(0, shownBytes),
    is_cut: answer.body.length > shownBytes,
    milliseconds: answer.duration_ms,
  };
  return answer;
}

const shownHeaders = (headers: Record<string, string>, key: string | undefined) =>
  Object.entries(headers).map(([name, value]) => ({ name, value: masked(value, key) }));

/** A service may answer with the key that it was given, in any of the ways in which it was sent. */
function masked(text: string, key: string | undefined): string {
  if (!key) return text;
  const spellings = new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), Buffer.from(key).toString('base64')]);
  return [...spellings].sort((a, b) => b.length - a.length).reduce((result, spelling) => result.replaceAll(spelling, mask), text);
}
