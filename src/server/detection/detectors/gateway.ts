import type { DetectorConfig } from '../../../contract/detection/detectors.ts';
import { AppError } from '../../kit/calls/errors.ts';
import type { GuardedAnswer } from '../../kit/network/guarded-client.ts';
import { type Asked, type Asking, cut, cutUrl, failed, type OpenDetector, request, type Said } from './asking.ts';

const maxHops = 6;
const maxBytes = 256 * 1024;
/** What the gateway takes for the messenger itself. */
const messengerAgent =
  'Mozilla/5.0 (Linux; Android 14; 23127PN0CC Build/UKQ1.230804.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
  'Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160065 MMWEBSDK/20231202 MMWEBID/2247 MicroMessenger/8.0.47.2560(0x28002F36) ' +
  'WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64';

/** A page on which the gateway asks whether somebody is human says nothing about the address. */
const captcha = /captcha|wappoc_appmsgcaptcha|secitptpage|\/verify(code)?\b/i;
/** Of the block page's query: 1 only warns. */
const warningType = '1';

type Hop = { url: string; status: number };
type GatewayConfig = Extract<DetectorConfig, { kind: 'gateway' }>;

/** Where a gateway is asked: at its own address, or at that of the settings. */
export const gatewayUrl = ({ url }: GatewayConfig, { settings }: Pick<Asking, 'settings'>): string => url || settings.messenger_gateway;

function addressFor(gateway: string, asked: string): string {
  if (gateway.includes('{url}')) return gateway.replaceAll('{url}', () => encodeURIComponent(asked));
  return `${gateway}${gateway.includes('?') ? '&' : '?'}url=${encodeURIComponent(asked)}`;
}

/**
 * Asks the messenger's redirect gateway as the messenger does, and follows it by hand until it leads to the address itself, which is
 * not opened, or to a page that stands in its place. Whatever else happens is no answer.
 */
export async function askGateway(
  { config, key, timeout_ms }: OpenDetector<GatewayConfig>,
  { url: asked }: Asked,
  asking: Asking,
): Promise<Said> {
  const deadline = performance.now() + timeout_ms;
  const hops: Hop[] = [];
  const first = addressFor(gatewayUrl(config, asking), asked);
  const told = { request: { method: 'GET', url: cutUrl(first) }, hops };
  let url = first;
  try {
    for (let hop = 0; hop < maxHops; hop += 1) {
      const answer = await get(url, deadline, asking, key);
      hops.push({ url: cutUrl(url), status: answer.status });
      const next = locationOf(answer, url);
      if (next === undefined) return { ...told, status: answer.status, ...unled(answer) };
      const ended = { ...told, status: answer.status };
      switch (redirectOf(next, { from: url, asked, settings: asking.settings })) {
        case 'itself':
          return { ...ended, answer: 'normal', text: cutUrl(next) };
        case 'block_page':
          return { ...ended, ...(await readBlockPage(next, { hops, deadline, config, asking, key })) };
        case 'captcha':
          return { ...ended, ...failed('captcha') };
        case 'elsewhere':
          return { ...ended, text: cutUrl(next), ...failed('leads_elsewhere') };
        case 'on':
          url = next;
      }
    }
    return { ...told, ...failed('too_many_hops') };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...told, answer: 'failed', error: { key: error.code, ...(error.details.params ? { params: error.details.params } : {}) } };
  }
}

function get(url: string, deadline: number, asking: Asking, key: string | undefined): Promise<GuardedAnswer> {
  const timeout_ms = Math.max(1, Math.round(deadline - performance.now()));
  const headers = {
    'user-agent': messengerAgent,
    accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    'accept-language': 'zh-CN,zh;q=0.9',
  };
  return request({ url, headers, timeout_ms, maximum_bytes: maxBytes, cut: true }, asking, key);
}

/** Where a redirect leads; undefined where the answer is none. */
function locationOf({ status, headers }: GuardedAnswer, url: string): string | undefined {
  const location = headers.location;
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const text = Buffer.from(location, 'latin1').toString();
  return URL.canParse(text, url) && /^https?:$/.test(new URL(text, url).protocol) ? new URL(text, url).href : undefined;
}

/** Where a redirect of the gateway leads: `on` is another step of its own. */
export type Redirect = 'itself' | 'block_page' | 'captcha' | 'elsewhere' | 'on';
export function redirectOf(next: string, { from, asked, settings }: { from: string; asked: string } & Pick<Asking, 'settings'>): Redirect {
  const target = new URL(next);
  if (leadsTo(target, asked)) return 'itself';
  if (isBlockPage(target, settings)) return 'block_page';
  if (captcha.test(target.pathname)) return 'captcha';
  return isNear(target, new URL(from)) ? 'on' : 'elsewhere';
}

/** The gateway opens addresses by either scheme. */
const leadsTo = (target: URL, asked: string): boolean => URL.canParse(asked) && hostOf(target) === hostOf(new URL(asked));
const hostOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`.replace(/:(80|443)$/, '');

/** By host and path: in the query of a hop of the gateway stands the address that was asked about, whatever it is. */
const isBlockPage = ({ host, pathname }: URL, settings: Asking['settings']): boolean =>
  settings.block_page_patterns.some((pattern) => `${host}${pathname}`.includes(pattern));

/** The gateway leads to itself and to its neighbours first. */
function isNear(target: URL, from: URL): boolean {
  const zone = (host: string) => host.split('.').slice(-2).join('.');
  return target.host === from.host || (!/^[\d.]+$|:/.test(target.hostname) && zone(target.hostname) === zone(from.hostname));
}

/** No redirect: a captcha, a refusal, or a page that nobody foresaw. */
function unled({ status, body }: GuardedAnswer): Said {
  const page = pageOf(body);
  if (status === 429) return { ...page, ...failed('throttled') };
  if (status >= 400) return { ...page, ...failed('status', { status }) };
  return { ...page, ...(captcha.test(body.slice(0, 65_536)) ? failed('captcha') : failed('no_redirect')) };
}

export const isWarning = (blockPage: string): boolean => new URL(blockPage).searchParams.get('main_type') === warningType;

type Way = { hops: Hop[]; deadline: number; config: GatewayConfig; asking: Asking; key: string | undefined };

/** What stands on the block page is evidence only: that the gateway led there is the answer, whether or not the page opens. */
async function readBlockPage(url: string, { hops, deadline, config, asking, key }: Way): Promise<Said> {
  const answer = isWarning(url) && !config.warning_is_blocked ? 'normal' : 'blocked';
  try {
    const page = await get(url, deadline, asking, key);
    hops.push({ url: cutUrl(url), status: page.status });
    return { ...pageOf(page.body), answer };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { text: cutUrl(url), answer };
  }
}

/** Title and description of a page of the messenger: those of `var cgiData = {…}`, else the page's own title. */
export function pageOf(body: string): { title: string | null; text: string | null } {
  const start = body.indexOf('cgiData');
  const data = start < 0 ? '' : body.slice(start, start + 20_000);
  const title = literalOf(data, ['title']) ?? /<title>([^<]{1,500})<\/title>/i.exec(body)?.[1] ?? null;
  return { title: title && cut(title, 200), text: textOf(literalOf(data, ['desc', 'description', 'content'])) };
}

const textOf = (text: string | undefined): string | null => (text ? cut(text.replace(/<[^>]{0,200}>/g, ' ')) : null);

/** A text of an object literal, quoted either way: it is script, not JSON. */
function literalOf(script: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = new RegExp(`["']?\\b${name}["']?\\s*:\\s*(?:"((?:[^"\\\\]|\\\\.){1,2000})"|'((?:[^'\\\\]|\\\\.){1,2000})')`).exec(script);
    const text = found?.[1] ?? found?.[2];
    if (text) return unescaped(text);
  }
  return undefined;
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\n/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ');
}
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
