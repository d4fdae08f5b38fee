import { QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import type { Locale } from 'antd/es/locale/index.js';
import dayjs from 'dayjs';
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { BuiltInLanguage, Language } from '../../contract/enums.ts';
import { queryClient } from './calls/query.ts';
import { SessionProvider } from './calls/session.tsx';
import { isDark, linkOf, meanings, paletteOf, subscribeToTheme, themeOf, tintOf } from './look/theme.ts';
import { SiteProvider, useSite } from './site.tsx';
import { baseOf } from './texts/languages.ts';
import { dayjsLocaleOf } from './texts/time.ts';

// antd ships its locales as modules whose types describe their CommonJS twins, hence the unwrapping of `default`.
const antdLocales: Record<BuiltInLanguage, () => Promise<unknown>> = {
  'zh-CN': () => import('antd/es/locale/zh_CN.js'),
  'zh-TW': () => import('antd/es/locale/zh_TW.js'),
  'en-US': () => import('antd/es/locale/en_US.js'),
  'vi-VN': () => import('antd/es/locale/vi_VN.js'),
  'th-TH': () => import('antd/es/locale/th_TH.js'),
  'ja-JP': () => import('antd/es/locale/ja_JP.js'),
};

async function loadAntdLocale(language: Language): Promise<Locale> {
  return ((await antdLocales[baseOf(language)]()) as { default: Locale }).default;
}

/** antd's words and dayjs' follow the language; the former ones stay until the new ones are there. */
function useLibraryLocale(): Locale | undefined {
  const { i18n } = useTranslation();
  const language: Language = i18n.language;
  const [locale, setLocale] = useState<Locale>();
  useEffect(() => {
    let isCurrent = true;
    dayjs.locale(dayjsLocaleOf(language));
    void loadAntdLocale(language).then((loaded) => isCurrent && setLocale(loaded));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return locale;
}

/** The palette for our own style sheet, as custom properties of the document. */
function usePageColors(accent: string, dark: boolean) {
  useEffect(() => {
    const palette = paletteOf(dark);
    const meaning = dark ? meanings.dark : meanings.light;
    const style = document.documentElement.style;
    for (const [name, value] of Object.entries({ ...palette, ...meaning })) style.setProperty(`--lc-${name}`, value);
    style.setProperty('--lc-accent', accent);
    style.setProperty('--lc-link', linkOf(accent, dark));
    style.setProperty('--lc-tint', tintOf(accent, dark));
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    style.colorScheme = dark ? 'dark' : 'light';
  }, [accent, dark]);
}

export const useIsDark = () => useSyncExternalStore(subscribeToTheme, isDark);

function Look({ children }: { children: ReactNode }) {
  const { color } = useSite();
  const dark = useIsDark();
  const accent = /^#[0-9a-f]{6}$/i.test(color) ? color : '#1f6feb';
  const locale = useLibraryLocale();
  const theme = useMemo(() => themeOf(accent, dark), [accent, dark]);
  usePageColors(accent, dark);
  return (
    <ConfigProvider theme={theme} locale={locale} button={{ autoInsertSpace: false }}>
      <App message={{ duration: 2.5, maxCount: 3 }}>{children}</App>
    </ConfigProvider>
  );
}

/** What every screen finds above it: answers, site, look, session. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <SiteProvider>
        <Look>
          <SessionProvider>{children}</SessionProvider>
        </Look>
      </SiteProvider>
    </QueryClientProvider>
  );
}
