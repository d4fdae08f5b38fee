import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainMenu } from '../look/PlainMenu.tsx';
import { plainIcons } from '../look/plainIcons.tsx';
import { chooseTheme, readThemeChoice, subscribeToTheme, type ThemeChoice, themeChoices } from '../look/theme.ts';
import { useSite } from '../site.tsx';
import { chooseLanguage, currentLanguage } from '../texts/i18n.ts';

const themeIcons: Record<ThemeChoice, ReactNode> = { light: plainIcons.sun, dark: plainIcons.moon, system: plainIcons.screen };

export function ThemeSwitch() {
  const { t } = useTranslation();
  const choice = useSyncExternalStore(subscribeToTheme, readThemeChoice);
  return (
    <PlainMenu
      label={t('common.theme.title')}
      icon={themeIcons[choice]}
      items={themeChoices.map((key) => ({ key, icon: themeIcons[key], label: t(`common.theme.${key}`) }))}
      chosen={choice}
      onChoose={(key) => chooseTheme(key as ThemeChoice)}
    />
  );
}

export function LanguageSwitch() {
  const { t } = useTranslation();
  const { languages } = useSite();
  if (languages.length < 2) return null;
  return (
    <PlainMenu
      label={t('common.language')}
      icon={plainIcons.globe}
      items={languages.map(({ code, title }) => ({ key: code, label: <span lang={code}>{title}</span> }))}
      chosen={currentLanguage()}
      onChoose={(key) => {
        const language = languages.find(({ code }) => code === key);
        if (language) void chooseLanguage(language.code);
      }}
    />
  );
}
