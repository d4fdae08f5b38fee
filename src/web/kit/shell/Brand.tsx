import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSite } from '../site.tsx';

/** The site's logo; a picture that cannot be loaded gives way to our own mark. */
export function Logo({ size = 28 }: { size?: number }) {
  const { admin_logo } = useSite();
  const [failed, setFailed] = useState<string | null>(null);
  if (admin_logo && failed !== admin_logo) {
    return <img className="lc-logo" src={admin_logo} alt="" width={size} height={size} onError={() => setFailed(admin_logo)} />;
  }
  return (
    <svg className="lc-logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--lc-accent)" />
      <g fill="none" stroke="#fff" strokeWidth="2.4" strokeLinejoin="round">
        <rect x="7" y="7" width="7" height="7" rx="1.5" />
        <rect x="18" y="7" width="7" height="7" rx="1.5" />
        <rect x="7" y="18" width="7" height="7" rx="1.5" />
        <path d="M18 25v-7h7M25 23v2h-2" strokeLinecap="round" />
      </g>
    </svg>
  );
}

export function useSiteTitle(): string {
  const site = useSite();
  const { t } = useTranslation();
  return site.admin_title || site.title || t('common.site_title');
}

export function Brand({ isCollapsed = false }: { isCollapsed?: boolean }) {
  const title = useSiteTitle();
  return (
    <span className="lc-brand">
      <Logo />
      {!isCollapsed && <strong title={title}>{title}</strong>}
    </span>
  );
}
