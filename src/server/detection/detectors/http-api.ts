import type { DetectorConfig, Reading } from '../../../contract/detection/detectors.ts';
import { nameOf } from '../../domains/checks.public.ts';
import { AppError } from '../../kit/calls/errors.ts';
import type { GuardedAnswer } from '../../kit/network/guarded-client.ts';
import { type Asked, type Asking, cut, cutUrl, failed, type OpenDetector, request, type Said } from './asking.ts';
import { covered, fillRequest } from './templates.ts';

const maxBytes = 256 * 1024;
const mask = '***';
type ApiConfig = Extract<DetectorConfig, { kind: 'http_api' }>;

/** Asks a commercial API and reads its answer as the detector says. */
export async function askApi({ config, key, timeout_ms }: OpenDetector<ApiConfig>, asked: Asked, asking: Asking): Promise<Said> {
  const usesKey = JSON.stringify([config.url, config.headers, config.body]).includes('{key}');
  if (usesKey && !key) return failed('needs_key');
  const domain = nameOf(asked.host);
  const gaps = { url: asked.url, domain };
  const { url, headers, body } = fillRequest(config, { ...gaps, key: key ?? '' });
  const shown = cutUrl(covered(fillRequest(config, { ...gaps, key: mask }).url, key));
  const told = { request: { method: config.method, url: shown } };
  try {
    const sent = config.method === 'POST' ? { body } : {};
    const answer = await request(
      { url, method: config.method, headers, ...sent, timeout_ms, maximum_bytes: maxBytes, cut: true },
      asking,
      key,
    );
    const hops = [{ url: shown, status: answer.status }];
    const { read, ...said } = judge(answer, config.reading, domain);
    const value = read && covered(read, key);
    if (asking.trace) asking.trace.read = { path: config.reading.by === 'json' ? config.reading.path : config.reading.by, value };
    return { ...told, hops, status: answer.status, text: value, ...said };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...told, answer: 'failed', error: { key: error.code, ...(error.details.params ? { params: error.details.params } : {}) } };
  }
}

type Judged = Said & { read: string | null };

/** What an answer means. What matches neither list, or both, is no answer. */
export function judge(answer: GuardedAnswer, reading: Reading, domain: string): Judged {
  const { status } = answer;
  if (status === 429) return { read: null, ...failed('throttled') };
  if (reading.by === 'redirect' ? status >= 400 : reading.by !== 'status' && (status < 200 || status > 299))
    return { read: null, ...failed('status', { status }) };
  const read = readOf(answer, reading);
  const filled = (values: readonly string[]) => values.map((value) => value.replaceAll('{domain}', () => domain));
  const matches = (values: readonly string[]): boolean =>
    read !== null && filled(values).some((value) => isFound(read.text, value, reading.by));
  const [normal, blocked] = [matches(reading.normal), matches(reading.blocked)];
  const shown = read && cut(read.shown);
  if (normal === blocked) return { read: shown, ...failed(read === null ? 'nothing_read' : normal ? 'read_both' : 'read_neither') };
  return { read: shown, answer: blocked ? 'blocked' : 'normal' };
}

type Read = { text: string; shown: string };
const same = (text: string): Read => ({ text, shown: text });

function readOf({ status, headers, body }: GuardedAnswer, reading: Reading): Read | null {
  switch (reading.by) {
    case 'json': {
      const value = valueAt(body, reading.path);
      return value === null ? null : same(value);
    }
    case 'redirect':
      return headers.location === undefined ? null : same(Buffer.from(headers.location, 'latin1').toString());
    case 'status':
      return same(String(status));
    case 'text':
      return { text: body, shown: body.slice(0, 500) };
  }
}

/** Addresses and pages hold a value somewhere; what stands at a path, and a status, is one as a whole. */
const isFound = (text: string, value: string, by: Reading['by']): boolean =>
  by === 'redirect' || by === 'text' ? text.includes(value) : text.trim() === value.trim();

/** What stands in a JSON text at a path such as `data.status` or `list[0].code`, as text; null where nothing plain does. */
export function valueAt(json: string, path: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  for (const part of path.replace(/^\$\.?/, '').match(/[^.[\]]+/g) ?? []) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return null;
    value = (value as Record<string, unknown>)[part];
  }
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
