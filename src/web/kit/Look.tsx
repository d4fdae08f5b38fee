import { App, ConfigProvider } from 'antd';
import type { Locale } from 'antd/es/locale/index.js';
import dayjs from 'dayjs';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BuiltInLanguage, Language } from '../../contract/enums.ts';
import { themeOf } from './look/antdTheme.ts';
import { useAccent, useIsDark } from './look/pageColors.ts';
import { currentLanguage } from './texts/i18n.ts';
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

let prepared: Locale | undefined;

/** Loads antd's words beforehand, so that what is drawn first has them. */
export async function prepareLook(): Promise<void> {
  prepared = await loadAntdLocale(currentLanguage());
}

/** antd's words and dayjs' follow the language; the former ones stay until the new ones are there. */
function useLibraryLocale(): Locale | undefined {
  const { i18n } = useTranslation();
  const language: Language = i18n.language;
  const [locale, setLocale] = useState(prepared);
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

/** The look of antd's parts; what stands before the login does without it. */
export function Look({ children }: { children: ReactNode }) {
  const dark = useIsDark();
  const accent = useAccent();
  const locale = useLibraryLocale();
  const theme = useMemo(() => themeOf(accent, dark), [accent, dark]);
  return (
    <ConfigProvider theme={theme} locale={locale} button={{ autoInsertSpace: false }}>
      <App message={{ duration: 2.5, maxCount: 3 }} notification={{ top: 64 }}>
        {children}
      </App>
    </ConfigProvider>
  );
}
