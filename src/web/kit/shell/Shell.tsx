import { DownOutlined, LockOutlined, LogoutOutlined, MenuFoldOutlined, MenuOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Avatar, Button } from 'antd';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { Drawer, Dropdown } from '../dialogs/dialogs.tsx';
import { useMayLeave } from '../form/dirty.tsx';
import { readLocal, writeLocal } from '../local.ts';
import { useIsPhone } from '../look/media.ts';
import { MessagesButton } from '../messages/MessagesButton.tsx';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { ActingBanner } from './ActingBanner.tsx';
import { Brand } from './Brand.tsx';
import { routeOf } from './menuTree.ts';
import { ScreenBoundary } from './ScreenBoundary.tsx';
import { ScreenLoading } from './ScreenLoading.tsx';
import { SideMenu } from './SideMenu.tsx';
import { LanguageSwitch, ThemeSwitch } from './switches.tsx';

function UserMenu() {
  const { t } = useTranslation();
  const { user, allows, logOut } = useSession();
  const navigate = useNavigate();
  const mayLeave = useMayLeave();
  const name = user?.name || user?.account || '';

  async function leave() {
    if (!(await mayLeave())) return;
    await logOut();
    await navigate('/admin_login');
  }

  return (
    <Dropdown
      menu={{
        items: [
          {
            key: 'who',
            disabled: true,
            label: (
              <span className="lc-who">
                <b>{user?.account}</b>
                <small>{user?.role.name}</small>
              </span>
            ),
          },
          { type: 'divider' },
          ...(allows('update_password')
            ? [
                {
                  key: 'security',
                  icon: <LockOutlined />,
                  label: t('common.shell.security'),
                  onClick: () => void navigate(routeOf('update_password')),
                },
              ]
            : []),
          {
            key: 'out',
            icon: <LogoutOutlined />,
            label: t('common.shell.log_out'),
            onClick: () => void leave(),
          },
        ],
      }}
    >
      <Button type="text" className="lc-user">
        <span className="lc-unseen">{t('common.shell.user', { name })}</span>
        <Avatar size={24} className="lc-avatar" aria-hidden>
          {name.slice(0, 1).toUpperCase()}
        </Avatar>
        <span className="lc-user-name" aria-hidden>
          {name}
        </span>
        <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  );
}

/** The frame of every screen behind the login: menu at the left, bar above, the screen between. */
export function Shell() {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { pathname } = useLocation();
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
            <LanguageSwitch />
            <ThemeSwitch />
            <MessagesButton />
            <UserMenu />
          </div>
        </header>
        <ActingBanner />
        <main id="main" className="lc-content" tabIndex={-1}>
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
