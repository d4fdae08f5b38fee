// not messages: names and addresses of public services, as their documentation has them.
import type { ConfigOf, PlatformConfig, PlatformType, RequestConfig } from '../../../contract/links/platform-config.ts';

export type Preset = {
  key: string;
  name: string;
  types: readonly PlatformType[];
  config: Omit<RequestConfig, 'type'> | Omit<ConfigOf<1>, 'type'>;
};

const bearer = [{ name: 'Authorization', value: 'Bearer {key}' }];
const json = (url: string, body: object, path: string, headers = bearer, prefix?: string): Preset['config'] => ({
  method: 'POST',
  url,
  headers,
  body_kind: 'json',
  body: JSON.stringify(body),
  read: { kind: 'json', path, ...(prefix ? { prefix } : {}) },
});
const shorteners = [4, 5] as const;

/** Beginnings for well-known services; everything in them can be changed, and hosts named `your.domain` must be. */
export const presets: readonly Preset[] = [
  { key: 'bitly', name: 'Bitly', types: shorteners, config: json('https://api-ssl.bitly.com/v4/shorten', { long_url: '{url}' }, '$.link') },
  {
    key: 'tinyurl',
    name: 'TinyURL',
    types: shorteners,
    config: json('https://api.tinyurl.com/create', { url: '{url}' }, '$.data.tiny_url'),
  },
  {
    key: 'weibo',
    name: 't.cn (微博)',
    types: shorteners,
    config: {
      method: 'GET',
      url: 'https://api.weibo.com/2/short_url/shorten.json?access_token={key}&url_long={url}',
      body_kind: 'none',
      read: { kind: 'json', path: '$.urls[0].url_short' },
    },
  },
  {
    key: 'dwz_tax',
    name: 'dwz.tax',
    types: shorteners,
    config: {
      method: 'GET',
      url: 'http://dwz.tax/api/create?format=json&token={key}&longurl={url}',
      body_kind: 'none',
      read: { kind: 'json', path: '$.short' },
    },
  },
  {
    key: 'is_gd',
    name: 'is.gd',
    types: shorteners,
    config: {
      method: 'GET',
      url: 'https://is.gd/create.php?format=json&url={url}',
      body_kind: 'none',
      read: { kind: 'json', path: '$.shorturl' },
    },
  },
  {
    key: 'short_io',
    name: 'Short.io',
    types: shorteners,
    config: json('https://api.short.io/links', { domain: 'your.domain', originalURL: '{url}' }, '$.shortURL', [
      { name: 'Authorization', value: '{key}' },
    ]),
  },
  {
    key: 'rebrandly',
    name: 'Rebrandly',
    types: shorteners,
    config: json(
      'https://api.rebrandly.com/v1/links',
      { destination: '{url}' },
      '$.shortUrl',
      [{ name: 'apikey', value: '{key}' }],
      'https://',
    ),
  },
  { key: 'dub', name: 'Dub', types: shorteners, config: json('https://api.dub.co/links', { url: '{url}' }, '$.shortLink') },
  {
    key: 'yourls',
    name: 'YOURLS',
    types: shorteners,
    config: {
      method: 'POST',
      url: 'https://your.domain/yourls-api.php',
      body_kind: 'form',
      body: 'signature={key}&action=shorturl&format=json&url={url}',
      read: { kind: 'json', path: '$.shorturl' },
    },
  },
  {
    key: 'kutt',
    name: 'Kutt',
    types: shorteners,
    config: json('https://your.domain/api/v2/links', { target: '{url}' }, '$.link', [{ name: 'X-API-KEY', value: '{key}' }]),
  },
  {
    key: 'shlink',
    name: 'Shlink',
    types: shorteners,
    config: json('https://your.domain/rest/v3/short-urls', { longUrl: '{url}', findIfExists: true }, '$.shortUrl', [
      { name: 'X-Api-Key', value: '{key}' },
    ]),
  },
  {
    key: 'dwz_la',
    name: 'dwz.la',
    types: [1],
    config: { url: 'http://dwz.la/short/?format=json&url={url}', read: { kind: 'json', path: '$.url' } },
  },
  {
    key: 'v_gd',
    name: 'v.gd',
    types: [1],
    config: { url: 'https://v.gd/create.php?format=simple&url={url}', read: { kind: 'body' } },
  },
  {
    key: 'dpaste',
    name: 'dpaste.com',
    types: [9],
    config: {
      method: 'POST',
      url: 'https://dpaste.com/api/v2/',
      body_kind: 'form',
      body: 'content={text}&expiry_days=365',
      read: { kind: 'body' },
    },
  },
  {
    key: 'mastodon',
    name: 'Mastodon',
    types: [10, 12],
    config: json('https://your.domain/api/v1/statuses', { status: '{text}', visibility: 'unlisted' }, '$.url'),
  },
];

/** What a new platform of a type begins with. */
export function startOf(type: PlatformType): PlatformConfig {
  const request = { method: 'POST', url: '', headers: [], body_kind: 'json', body: '', read: { kind: 'json', path: '' } } as const;
  switch (type) {
    case 1:
      return { type, url: '', headers: [], read: { kind: 'json', path: '' } };
    case 2:
      return { type, prefix: '', encoding: 'url', suffix: '' };
    case 3:
    case 11:
      return { type, domain_id: null, length: 6 };
    case 4:
    case 5:
      return { type, ...request, headers: [] };
    case 6:
      // Which domain is chosen in the form.
      return { type, base_url: '', domain_id: null as never, length: 6 };
    case 7:
    case 8:
      return { type, url: '', encoding: 'url', checked: true };
    case 9:
    case 10:
      return { type, ...request, headers: [], text: '{url}' };
    case 12:
      return { type, ...request, headers: [], text: '{url}', domain_id: null, length: 6 };
    case 13:
      return { type, domain_id: null, length: 6, label_length: 6, each_visit: false };
    case 14:
      return { type, template: '', characters: 'both' };
    case 15:
      return { type, domain_id: null, length: 6, title: '', text: '', picture_id: null };
  }
}
