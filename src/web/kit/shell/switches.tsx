import { DesktopOutlined, GlobalOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { chooseTheme, readThemeChoice, subscribeToTheme, type ThemeChoice, themeChoices } from '../look/theme.ts';
import { useSite } from '../site.tsx';
import { chooseLanguage, currentLanguage } from '../texts/i18n.ts';

const themeIcons: Record<ThemeChoice, ReactNode> = { light: <SunOutlined />, dark: <MoonOutlined />, system: <DesktopOutlined /> };

export function ThemeSwitch() {
  const { t } = useTranslation();
  const choice = useSyncExternalStore(subscribeToTheme, readThemeChoice);
  return (
    <Tooltip title={t('common.theme.title')} placement="bottom">
      <Dropdown
        menu={{
          selectable: true,
          selectedKeys: [choice],
          items: themeChoices.map((key) => ({ key, icon: themeIcons[key], label: t(`common.theme.${key}`) })),
          onClick: ({ key }) => chooseTheme(key as ThemeChoice),
        }}
      >
        <Button type="text" icon={themeIcons[choice]} aria-label={t('common.theme.title')} />
      </Dropdown>
    </Tooltip>
  );
}

export function LanguageSwitch() {
  const { t } = useTranslation();
  const { languages } = useSite();
  if (languages.length < 2) return null;
  return (
    <Tooltip title={t('common.language')} placement="bottom">
      <Dropdown
        menu={{
          selectable: true,
          selectedKeys: [currentLanguage()],
          items: languages.map(({ code, title }) => ({ key: code, label: <span lang={code}>{title}</span> })),
          onClick: ({ key }) => {
            const chosen = languages.find((language) => language.code === key);
            if (chosen) void chooseLanguage(chosen.code);
          },
        }}
      >
        <Button type="text" icon={<GlobalOutlined />} aria-label={t('common.language')} />
      </Dropdown>
    </Tooltip>
  );
}
