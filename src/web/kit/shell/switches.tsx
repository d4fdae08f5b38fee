import { DesktopOutlined, GlobalOutlined, MoonOutlined, SunOutlined } from '@ant-design/icons';
import { Button, Dropdown, Tooltip } from 'antd';
import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, currentLanguage } from '../i18n.ts';
import { useSite } from '../site.tsx';
import { chooseTheme, readThemeChoice, subscribeToTheme, type ThemeChoice, themeChoices } from '../theme.ts';

const themeIcons: Record<ThemeChoice, ReactNode> = { light: <SunOutlined />, dark: <MoonOutlined />, system: <DesktopOutlined /> };

export function ThemeSwitch() {
  const { t } = useTranslation();
  const choice = useSyncExternalStore(subscribeToTheme, readThemeChoice);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      menu={{
        selectable: true,
        selectedKeys: [choice],
        items: themeChoices.map((key) => ({ key, icon: themeIcons[key], label: t(`common.theme.${key}`) })),
        onClick: ({ key }) => {
          chooseTheme(key as ThemeChoice);
          setTimeout(() => button.current?.focus());
        },
      }}
    >
      <Tooltip title={t('common.theme.title')} placement="bottom">
        <Button ref={button} type="text" icon={themeIcons[choice]} aria-label={t('common.theme.title')} />
      </Tooltip>
    </Dropdown>
  );
}

export function LanguageSwitch() {
  const { t } = useTranslation();
  const { languages } = useSite();
  const button = useRef<HTMLButtonElement>(null);
  if (languages.length < 2) return null;
  return (
    <Dropdown
      trigger={['click']}
      autoFocus
      menu={{
        selectable: true,
        selectedKeys: [currentLanguage()],
        items: languages.map(({ code, title }) => ({ key: code, label: <span lang={code}>{title}</span> })),
        onClick: ({ key }) => {
          const chosen = languages.find((language) => language.code === key);
          if (chosen) void chooseLanguage(chosen.code);
          // The closing menu takes the focus once more, and would leave it nowhere.
          setTimeout(() => button.current?.focus());
        },
      }}
    >
      <Tooltip title={t('common.language')} placement="bottom">
        <Button ref={button} type="text" icon={<GlobalOutlined />} aria-label={t('common.language')} />
      </Tooltip>
    </Dropdown>
  );
}
