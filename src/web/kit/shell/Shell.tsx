import { MenuFoldOutlined, MenuOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation } from 'react-router';
import { tellCutTexts } from '../cutTexts.ts';
import { Drawer } from '../dialogs/dialogs.tsx';
import { readLocal, writeLocal } from '../local.ts';
import { useIsPhone } from '../look/media.ts';
import { NewButton } from '../menu/NewButton.tsx';
import { RouteTabs } from '../menu/RouteTabs.tsx';
import { ScreenTabs } from '../menu/ScreenTabs.tsx';
import { SideMenu } from '../menu/SideMenu.tsx';
import { LoginFailures } from '../messages/LoginFailures.tsx';
import { MessagesButton } from '../messages/MessagesButton.tsx';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { useSite } from '../site.tsx';
import { ActingBanner } from './ActingBanner.tsx';
import { Brand } from './Brand.tsx';
import { ScreenBoundary } from './ScreenBoundary.tsx';
import { ScreenLoading } from './ScreenLoading.tsx';
import { ServerCheck } from './ServerCheck.tsx';
import { useStarted } from './startFrame.ts';
import { LanguageSwitch, ThemeSwitch } from './switches.tsx';
import { UserMenu } from './UserMenu.tsx';
import { useStartupLists } from './useStartupLists.ts';

/** The frame of every screen behind the login: menu at the left, bar above, the screen between. */
export function Shell() {
  const { t } = useTranslation();
  useStarted();
  useStartupLists();
  useEffect(tellCutTexts, []);
  const isPhone = useIsPhone();
  const { pathname } = useLocation();
  const { route_tabs } = useSite();
  const [isCollapsed, setIsCollapsed] = useState(readLocal('menu') === 'collapsed');
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);

  function collapse(next: boolean) {
    setIsCollapsed(next);
    writeLocal('menu', next ? 'collapsed' : null);
  }

  return (
    <div className="lc-shell">
      <button type="button" className="lc-skip" onClick={() => document.getElementById('main')?.focus()}>
        {t('common.shell.skip')}
      </button>
      {!isPhone && (
        <aside className={isCollapsed ? 'lc-sider lc-sider-collapsed' : 'lc-sider'}>
          <div className="lc-sider-head">
            <Brand isCollapsed={isCollapsed} />
          </div>
          <SideMenu isCollapsed={isCollapsed} />
        </aside>
      )}
      <div className="lc-main">
        <header className="lc-top">
          {isPhone ? (
            <>
              <Button type="text" icon={<MenuOutlined />} aria-label={t('common.shell.open_menu')} onClick={() => setIsDrawerOpen(true)} />
              <Brand />
            </>
          ) : (
            <Button
              type="text"
              icon={isCollapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
              aria-label={t(isCollapsed ? 'common.shell.expand' : 'common.shell.collapse')}
              aria-expanded={!isCollapsed}
              onClick={() => collapse(!isCollapsed)}
            />
          )}
          {!isPhone && <PaletteButton isPhone={false} />}
          <div className="lc-top-end">
            {isPhone && <PaletteButton isPhone />}
            <NewButton isPhone={isPhone} />
            <LanguageSwitch />
            <ThemeSwitch />
            <MessagesButton />
            <UserMenu />
          </div>
        </header>
        <LoginFailures />
        <ServerCheck />
        {route_tabs && !isPhone && <RouteTabs />}
        <ActingBanner />
        <main id="main" className="lc-content" tabIndex={-1}>
          <ScreenTabs />
          <ScreenBoundary key={pathname}>
            <Suspense fallback={<ScreenLoading />}>
              <Outlet />
            </Suspense>
          </ScreenBoundary>
        </main>
      </div>
      {isPhone && (
        <Drawer
          open={isDrawerOpen}
          onClose={() => setIsDrawerOpen(false)}
          placement="left"
          size={280}
          title={<Brand />}
          styles={{ body: { padding: '8px 0' } }}
        >
          <SideMenu isCollapsed={false} onChoose={() => setIsDrawerOpen(false)} />
        </Drawer>
      )}
    </div>
  );
}
