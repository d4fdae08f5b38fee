/** What the QR code inside a picture leads to; `none`: the picture holds no QR code that can be read. */
export const qrKinds = ['group', 'personal', 'enterprise', 'official', 'url', 'text', 'none'] as const;
export type QrKind = (typeof qrKinds)[number];

export const qrApps = ['wechat', 'wecom', 'qq', 'dingtalk', 'feishu', 'whatsapp', 'telegram', 'line', 'zalo', 'discord'] as const;
export type QrApp = (typeof qrApps)[number];

/** What a QR code's text is. `days` is how long such a code works after it was made. */
export type Recognition = { kind: Exclude<QrKind, 'none'>; app?: QrApp; days?: number };

/** A host, the beginnings of its paths (path and query), and what such a link is. */
type Pattern = Recognition & { hosts: readonly string[]; paths: RegExp };

/**
 * Links as the apps make them into QR codes. WeChat's and WeCom's stand in the wild as `weixin.qq.com/g/…`, `u.wechat.com/…`,
 * `weixin.qq.com/r/…`, `work.weixin.qq.com/gm/…`, `/u/vc…`, `/ca/…`, `/kfid/…`; Telegram's are in core.telegram.org/api/links.
 * A WeChat group's code works for 7 days, which WeChat prints below it.
 */
const patterns: readonly Pattern[] = [
  { kind: 'group', app: 'wechat', days: 7, hosts: ['weixin.qq.com'], paths: /^\/g\/./ },
  { kind: 'official', app: 'wechat', hosts: ['weixin.qq.com', 'mp.weixin.qq.com'], paths: /^\/(r\/.|mp\/)/ },
  { kind: 'personal', app: 'wechat', hosts: ['u.wechat.com'], paths: /^\/./ },
  { kind: 'group', app: 'wecom', hosts: ['work.weixin.qq.com'], paths: /^\/(gm|g)\/./ },
  { kind: 'enterprise', app: 'wecom', hosts: ['work.weixin.qq.com'], paths: /^\/(u|ca|kfid|wework_admin|ct)\/?./ },
  { kind: 'group', app: 'qq', hosts: ['jq.qq.com', 'qun.qq.com'], paths: /^\/./ },
  // One address for groups and people; those of groups are by far the more common targets.
  { kind: 'group', app: 'qq', hosts: ['qm.qq.com'], paths: /^\/(q\/|cgi-bin\/qm\/qr)./ },
  { kind: 'group', app: 'dingtalk', hosts: ['qr.dingtalk.com'], paths: /^\/action\/joingroup/ },
  { kind: 'personal', app: 'dingtalk', hosts: ['qr.dingtalk.com'], paths: /^\/./ },
  { kind: 'group', app: 'feishu', hosts: ['applink.feishu.cn', 'applink.larksuite.com'], paths: /^\/client\/chat\/chatter\/add_by_link/ },
  { kind: 'group', app: 'whatsapp', hosts: ['chat.whatsapp.com'], paths: /^\/./ },
  { kind: 'personal', app: 'whatsapp', hosts: ['wa.me', 'api.whatsapp.com'], paths: /^\/./ },
  { kind: 'group', app: 'telegram', hosts: ['t.me', 'telegram.me', 'telegram.dog'], paths: /^\/(\+(?!\d{7,15}$)|joinchat\/)./ },
  { kind: 'personal', app: 'telegram', hosts: ['t.me', 'telegram.me', 'telegram.dog'], paths: /^\/./ },
  { kind: 'group', app: 'line', hosts: ['line.me'], paths: /^\/(r\/)?ti\/g2?\/./i },
  { kind: 'official', app: 'line', hosts: ['line.me'], paths: /^\/(r\/)?ti\/p\/(@|%40)./i },
  { kind: 'official', app: 'line', hosts: ['lin.ee'], paths: /^\/./ },
  { kind: 'personal', app: 'line', hosts: ['line.me'], paths: /^\/(r\/)?ti\/p\/./i },
  { kind: 'group', app: 'zalo', hosts: ['zalo.me'], paths: /^\/g\/./ },
  { kind: 'personal', app: 'zalo', hosts: ['zalo.me', 'zaloapp.com'], paths: /^\/./ },
  { kind: 'group', app: 'discord', hosts: ['discord.gg'], paths: /^\/./ },
  { kind: 'group', app: 'discord', hosts: ['discord.com'], paths: /^\/invite\/./ },
];

/** What the text of a QR code is, told by its address alone. */
export function recogniseQr(text: string): Recognition {
  const address = text.trim();
  if (/^tg:(\/\/)?join\?/i.test(address)) return { kind: 'group', app: 'telegram' };
  const url = URL.parse(address) ?? (/^[\w-]+(\.[\w-]+)+\/\S/.test(address) ? URL.parse(`https://${address}`) : null);
  if (!url) return { kind: 'text' };
  if (!/^https?:$/.test(url.protocol)) return { kind: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(address) ? 'url' : 'text' };
  const host = url.hostname.replace(/^www\./, '');
  const path = url.pathname + url.search;
  const found = patterns.find((pattern) => pattern.hosts.includes(host) && pattern.paths.test(path));
  if (!found) return { kind: 'url' };
  const { hosts: _hosts, paths: _paths, ...recognition } = found;
  return recognition;
}
