import { setTimeout as delay } from 'node:timers/promises';
import { hostStates } from '../kit/hosts.ts';
import { controlPage, fieldsOf, type Simulator, sendHtml, serveHttp } from '../kit/server.ts';

/**
 * What the gateway does with a host: leads to it, to the page that says that access was stopped, to one that only warns, to the advice to
 * copy the address to a browser, asks for a captcha (by a redirect or at once), answers a page of its own, an error, too late, or cuts off.
 */
export const gatewayStates = [
  'normal',
  'blocked',
  'warning',
  'copy',
  'captcha',
  'captcha_page',
  'no_redirect',
  'error',
  'throttled',
  'timeout',
  'reset',
] as const;
export type GatewayState = (typeof gatewayStates)[number];

const blockPage = '/weixin110/cgi-bin/mmspamsupport-bin/newredirectconfirmcgi';
const copyPage = '/weixin110/security/mmspamsupport-bin/readtemplate';

const pageOf = (title: string, desc: string) => `<!doctype html><html><head><meta charset="utf-8"><title></title></head><body><script>
var cgiData = {"retcode":0,"type":"block","title":${JSON.stringify(title)},"desc":${JSON.stringify(desc)},"url":""};
</script></body></html>`;

export type Gateway = Simulator & {
  /** The address that a detector asks. */
  gateway: string;
  set: (host: string, state: GatewayState) => void;
  block: (host: string) => void;
  unblock: (host: string) => void;
  /** Addresses that were asked about, in their order. */
  asked: string[];
};

/** The messenger's redirect gateway as a real server, with a page on which hosts are blocked and let through. */
export async function startGateway({ port = 0, slow_ms = 0 }: { port?: number; slow_ms?: number } = {}): Promise<Gateway> {
  const hosts = hostStates<GatewayState>('normal');
  const asked: string[] = [];
  const server = await serveHttp(async (url, request, response) => {
    const lead = (location: string) => {
      response.writeHead(302, { location });
      response.end();
    };
    if (url.pathname === blockPage) {
      const isWarning = url.searchParams.get('main_type') === '1';
      return sendHtml(
        response,
        200,
        isWarning
          ? pageOf('将要访问', '非微信官方网页，继续访问将转换成手机预览模式')
          : pageOf('已停止访问该网页', '网页包含诱导分享、关注等诱导行为内容'),
      );
    }
    if (url.pathname === copyPage) return sendHtml(response, 200, pageOf('如需浏览，请长按网址复制后使用浏览器访问', ''));
    if (url.pathname === '/captcha') return sendHtml(response, 200, '<title>验证</title><form id="captcha"></form>');
    if (url.pathname === '/control') {
      const { host = '', state = 'normal' } = request.method === 'POST' ? await fieldsOf(request) : Object.fromEntries(url.searchParams);
      if (host) hosts.set(host, state as GatewayState);
      return lead('/');
    }
    if (url.pathname === '/') return sendHtml(response, 200, controlPage('Messenger gateway (simulated)', gatewayStates, hosts.states));
    if (url.pathname !== '/mp/wapredirect' && url.pathname !== '/mp/hop') return sendHtml(response, 404, 'not found');

    const target = url.searchParams.get('url') ?? '';
    if (url.pathname === '/mp/wapredirect') {
      asked.push(target);
      if (asked.length > 10_000) asked.shift();
      if (!(request.headers['user-agent'] ?? '').includes('MicroMessenger/')) return sendHtml(response, 200, '请在微信客户端打开链接');
      if (slow_ms > 0) await delay(slow_ms);
      // As the real one, over a hop of its own.
      if (['normal', 'blocked', 'warning', 'copy'].includes(hosts.of(target)))
        return lead(`/mp/hop?ticket=${Date.now()}&url=${encodeURIComponent(target)}`);
    }
    switch (hosts.of(target)) {
      case 'normal':
        return lead(target);
      case 'blocked':
        return lead(`${blockPage}?main_type=2&evil_type=0&source=2&url=${encodeURIComponent(target)}`);
      case 'warning':
        return lead(`${blockPage}?main_type=1&evil_type=0&source=2&url=${encodeURIComponent(target)}`);
      case 'copy':
        return lead(`${copyPage}?t=w_redirect_taobao&url=${encodeURIComponent(target)}`);
      case 'captcha':
        return lead('/captcha');
      case 'captcha_page':
        return sendHtml(response, 200, '<title>验证</title><script src="/captcha.js"></script>');
      case 'no_redirect':
        return sendHtml(response, 200, '<title>微信公众平台</title>');
      case 'error':
        return sendHtml(response, 502, 'bad gateway');
      case 'throttled':
        return sendHtml(response, 429, 'too many requests');
      case 'reset':
        request.socket.destroy();
        return;
      case 'timeout':
        await delay(60_000, undefined, { ref: false });
        return;
    }
  }, port);
  return {
    ...server,
    gateway: `${server.url}/mp/wapredirect`,
    set: hosts.set,
    block: (host) => hosts.set(host, 'blocked'),
    unblock: (host) => hosts.set(host, 'normal'),
    asked,
  };
}
