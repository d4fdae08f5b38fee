/**
 * Snippets of statistics services, made from nothing but the site's id there: an id that fits its pattern can't end the text it is put
 * into, so that no operator has to paste code. `code` is a snippet that its owner wrote.
 */
export const snippetProviders = ['baidu', '51la', 'google', 'clarity', 'umami', 'code'] as const;
export type SnippetProvider = (typeof snippetProviders)[number];
/** So many of them a code may choose, and run on its pages. */
export const maxSnippetsOfCode = 20;
export type SnippetPreset = Exclude<SnippetProvider, 'code'>;

export type SnippetProviderData = {
  /** The service's own name, which is not translated. */
  name: string;
  /** What an id looks like; all of it must fit. */
  idPattern: RegExp;
  /** An id to show as an example. */
  example: string;
  /** Where the service loads from and reports to, as a page's security policy names it. */
  origins: (id: string) => readonly string[];
  /** The inline script; it may load others from the origins. */
  script: (id: string) => string;
};

/** Adds a script that loads beside the page, with attributes that it reads itself. */
const load = (url: string, attributes: Readonly<Record<string, string>> = {}): string => {
  const set = Object.entries(attributes).map(([name, value]) => `s.setAttribute('${name}','${value}');`);
  return `(function(d){var s=d.createElement('script');s.async=true;s.src='${url}';${set.join('')}d.head.appendChild(s)})(document);`;
};

const umamiCloud = 'cloud.umami.is';
/** `id`, or `id@host` for an installation of one's own. */
const umamiParts = (id: string): { website: string; host: string } => {
  const [website = '', host = umamiCloud] = id.split('@', 2);
  return { website, host };
};

export const snippetPresets: Record<SnippetPreset, SnippetProviderData> = {
  baidu: {
    name: '百度统计',
    idPattern: /^[0-9a-f]{32}$/,
    example: '3f1c0a2b9d8e7f6a5b4c3d2e1f0a9b8c',
    origins: () => ['https://hm.baidu.com'],
    script: (id) => `var _hmt=_hmt||[];${load(`https://hm.baidu.com/hm.js?${id}`)}`,
  },
  '51la': {
    name: '51.LA',
    idPattern: /^[A-Za-z0-9]{8,32}$/,
    example: 'KXq2mVbN7cLp9RtA',
    origins: () => ['https://*.51.la'],
    script: (id) =>
      `!function(w,d){var s=d.createElement('script');s.id='LA_COLLECT';s.async=true;s.charset='UTF-8';s.src='https://sdk.51.la/js-sdk-pro.min.js';s.onload=function(){w.LA&&w.LA.init({id:'${id}',ck:'${id}'})};d.head.appendChild(s)}(window,document);`,
  },
  google: {
    name: 'Google Analytics 4',
    idPattern: /^G-[A-Z0-9]{6,14}$/,
    example: 'G-4K8Z2M7QWX',
    origins: () => ['https://*.googletagmanager.com', 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
    script: (id) =>
      `window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date());gtag('config','${id}');${load(`https://www.googletagmanager.com/gtag/js?id=${id}`)}`,
  },
  clarity: {
    name: 'Microsoft Clarity',
    idPattern: /^[a-z0-9]{8,12}$/,
    example: 'h7k2m9qwxz',
    origins: () => ['https://*.clarity.ms', 'https://c.bing.com'],
    script: (id) =>
      `window.clarity=window.clarity||function(){(window.clarity.q=window.clarity.q||[]).push(arguments)};${load(`https://www.clarity.ms/tag/${id}`)}`,
  },
  umami: {
    name: 'Umami',
    idPattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)?$/,
    example: '8f14e45f-ceea-467f-a2b5-1c0d3e7f9a6b',
    origins: (id) => {
      const { host } = umamiParts(id);
      return host === umamiCloud ? [`https://${host}`, 'https://api-gateway.umami.dev', 'https://gateway.umami.is'] : [`https://${host}`];
    },
    script: (id) => {
      const { website, host } = umamiParts(id);
      return load(`https://${host}/script.js`, { 'data-website-id': website });
    },
  },
};

/** Whether this is an id as the service gives them; of one's own code there is none. */
export const isSnippetId = (provider: SnippetProvider, id: string): boolean =>
  provider === 'code' ? id === '' : id.length <= 200 && snippetPresets[provider].idPattern.test(id);

/** `https://host` or `https://*.host`, perhaps with a port: what a page's security policy can name. */
export const snippetOriginPattern = /^https:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/i;

export type SnippetSource = { provider: string; provider_id: string; code: string; origins: readonly string[] };

/** What runs on a page, and from where it may load; null where a preset's id isn't one, or the provider is unknown. */
export function snippetOf({ provider, provider_id, code, origins }: SnippetSource): { script: string; origins: readonly string[] } | null {
  const known = snippetProviders.find((name) => name === provider);
  if (known === undefined) return null;
  if (known === 'code') return { script: code, origins: origins.filter((origin) => snippetOriginPattern.test(origin)) };
  if (!isSnippetId(known, provider_id)) return null;
  const preset = snippetPresets[known];
  return { script: preset.script(provider_id), origins: preset.origins(provider_id) };
}
