import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import type { DetectorConfig } from '../../../contract/detection/detectors.ts';
import { checkCertificate, createLookup, findRecords, nameOf } from '../../domains/checks.public.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type Asked, type Asking, cut, cutUrl, failed, type OpenDetector, request, type Said } from './asking.ts';

// Detectors of the domain itself: whether it answers. That is no verdict about messengers.

type ConfigOf<K extends DetectorConfig['kind']> = Extract<DetectorConfig, { kind: K }>;

/** A wildcard is asked for by a name that nobody has. */
export const lookedUpName = (host: string): string =>
  host.startsWith('*.') ? `check-${randomBytes(4).toString('hex')}.${nameOf(host)}` : nameOf(host);

export async function askDns(_detector: OpenDetector<ConfigOf<'dns'>>, { host }: Asked, { settings, network }: Asking): Promise<Said> {
  const { a, aaaa, cname, error } = await findRecords(lookedUpName(host), createLookup(settings));
  const found = [...a, ...aaaa];
  // What an inside name stands for is not for those who type names.
  const text = cut([...(found.every((ip) => network.allows(ip)) ? [...cname, ...found] : [])].join(', '));
  if (found.length > 0) return { answer: 'normal', text };
  return error === null ? { answer: 'down', error: { key: 'detection.no_records' } } : failed('name_server', { reason: error });
}

export async function askTls(
  { config }: OpenDetector<ConfigOf<'tls'>>,
  { host }: Asked,
  { settings, network, now }: Asking,
): Promise<Said> {
  const name = lookedUpName(host);
  const { a, aaaa, error } = await findRecords(name, createLookup(settings));
  const addresses = [...a, ...aaaa];
  if (addresses.length === 0)
    return error === null ? { answer: 'down', error: { key: 'detection.no_records' } } : failed('name_server', { reason: error });
  const { state, certificate } = await checkCertificate(name, addresses, { network, now: now(), port: config.port });
  if (certificate?.error === 'address_not_allowed') return failed('refused_address', { host: name });
  const text = cut([certificate?.subject, certificate?.issuer].filter(Boolean).join(' – '));
  if (state === 'valid') return { answer: 'normal', text };
  const reason = certificate?.error || state;
  return { answer: 'down', text, error: { key: `detection.certificate_${state}`, params: { reason } } };
}

/** The statuses of `200-299,401`. */
export const statusIn = (ranges: string, status: number): boolean =>
  ranges.split(',').some((range) => {
    const [from = '', to = from] = range.split('-');
    return status >= Number(from) && status <= Number(to);
  });

const browserAgent =
  'Mozilla/5.0 (Linux; Android 14; Mobile) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 LivecodeMonitor/1';

export async function askHttp(
  { config, timeout_ms }: OpenDetector<ConfigOf<'http'>>,
  { url: given, host, is_registered }: Asked,
  asking: Asking,
): Promise<Said> {
  const url = new URL(given);
  if (host.startsWith('*.')) url.hostname = lookedUpName(host);
  if (is_registered && config.path) url.href = new URL(config.path, url.origin).href;
  const told = { request: { method: 'GET', url: cutUrl(url.href) } };
  try {
    const headers = { 'user-agent': browserAgent };
    const answer = await request({ url: url.href, headers, timeout_ms, maximum_bytes: 16_384, cut: true }, asking, undefined);
    const title = /<title>([^<]{1,500})<\/title>/i.exec(answer.body)?.[1];
    const said = {
      ...told,
      status: answer.status,
      hops: [{ url: told.request.url, status: answer.status }],
      title: title ? cut(title, 200) : null,
    };
    if (statusIn(config.statuses, answer.status)) return { ...said, answer: 'normal' };
    return { ...said, answer: 'down', error: { key: 'detection.status', params: { status: answer.status } } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const failure = { key: error.code, ...(error.details.params ? { params: error.details.params } : {}) };
    // 400: we may not ask there at all, which says nothing about who may.
    return { ...told, answer: error.status === 400 ? 'failed' : 'down', error: failure };
  }
}

/** An address by itself has no name whose records could be looked up. */
export const isNamed = (host: string): boolean => isIP(nameOf(host)) === 0;
