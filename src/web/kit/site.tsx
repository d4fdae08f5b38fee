import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { languageNames, languages } from '../../contract/enums.ts';
import type { WebsiteInfo } from '../../contract/website.ts';
import { api } from './api.ts';
import { followSiteLanguage } from './i18n.ts';
import { useCall } from './query.ts';

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
  languages: languages.map((code) => ({ code, title: languageNames[code] })),
  visit_scheme: 'http',
  socket_url: '',
  socket_public_key: '',
};

/** A page that is left open learns of maintenance, and of another title or colour, within this time. */
const pollMilliseconds = 60_000;

const SiteContext = createContext<WebsiteInfo>(assumed);

/** Title, logo, colour, time zone and languages of this site. */
export const useSite = () => useContext(SiteContext);

export function SiteProvider({ children }: { children: ReactNode }) {
  const site = useCall(api.website.info, {}, { staleTime: 300_000, refetchInterval: pollMilliseconds }).data ?? assumed;
  useEffect(() => {
    if (site === assumed) return;
    void followSiteLanguage(site.default_language);
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon && site.icon) icon.href = site.icon;
  }, [site]);
  return <SiteContext value={site}>{children}</SiteContext>;
}
