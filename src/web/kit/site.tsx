import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, languageNames, languages } from '../../contract/enums.ts';
import type { WebsiteInfo } from '../../contract/system/website.ts';
import { useCall } from './calls/queries.ts';
import { start } from './calls/start.ts';
import { followSite, keptVersion, overrideTexts } from './texts/i18n.ts';
import { keepBases } from './texts/languages.ts';

/** What the screens assume until the server has told them, or while it cannot be reached. */
const assumed: WebsiteInfo = {
  id: 0,
  title: '',
  icon: '/logo.png',
  color: '#1f6feb',
  admin_title: '',
  admin_logo: '/logo.png',
  admin_register: false,
  admin_register_url: '',
  no_registration_hint: '',
  allow_invitation_code_edit: true,
  google_verification: false,
  maintenance: false,
  time_zone: 'Asia/Shanghai',
  default_language: 'zh-CN',
  languages: languages.map((code) => ({ code, base: code, title: languageNames[code], version: 0 })),
  visit_scheme: 'http',
  qr_image_url: null,
  socket_url: '',
  route_tabs: false,
  ping_seconds: 10,
  socket_public_key: '',
};

/** A page that is left open learns of maintenance, and of another title or colour, within this time. */
const pollMilliseconds = 60_000;

const SiteContext = createContext<WebsiteInfo>(assumed);

/** Title, logo, colour, time zone and languages of this site. */
export const useSite = () => useContext(SiteContext);

/** The operator's own words in the language that is shown, as they are now: another version of them is another question. */
function useOverrides(site: WebsiteInfo): void {
  const { i18n } = useTranslation();
  const code: Language = i18n.language;
  const version = site.languages.find((language) => language.code === code)?.version ?? 0;
  const given = useCall(
    start.language_texts,
    { code, version },
    { enabled: version > 0 && keptVersion(code) !== version, staleTime: Number.POSITIVE_INFINITY, placeholderData: undefined },
  ).data;
  useEffect(() => {
    if (given) void overrideTexts(given.code, { version: given.version, texts: given.texts });
  }, [given]);
  const hasNone = site !== assumed && version === 0;
  useEffect(() => {
    if (hasNone) void overrideTexts(code, { version: 0, texts: {} });
  }, [code, hasNone]);
}

export function SiteProvider({ children }: { children: ReactNode }) {
  const site = useCall(start.website_info, {}, { staleTime: 300_000, refetchInterval: pollMilliseconds }).data ?? assumed;
  useOverrides(site);
  useEffect(() => {
    if (site === assumed) return;
    keepBases(site.languages);
    void followSite(site.languages, site.default_language);
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon && site.icon) icon.href = site.icon;
  }, [site]);
  return <SiteContext value={site}>{children}</SiteContext>;
}
