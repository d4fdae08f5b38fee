import { Menu } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { MenuIcon } from './icons.tsx';
import { markedEntry, menuName, menuSections } from './menuTree.ts';

/** The menu from the server's tree; the group of the present screen is open. */
export function SideMenu({ isCollapsed, onChoose }: { isCollapsed: boolean; onChoose?: () => void }) {
  const { t } = useTranslation();
  const { menu } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const sections = menuSections(menu);
  const marked = markedEntry(sections, pathname);
  const present = marked?.section;
  const [opened, setOpened] = useState<string[] | null>(null);
  const openKeys = opened ?? (sections.length <= 4 ? sections.map((section) => section.key) : present ? [present.key] : []);

  const items = sections.map((section) => ({
    key: section.key,
    icon: <MenuIcon name={section.item.icon} />,
    label: menuName(section.item, t),
    children: section.entries.map((entry) => ({
      key: entry.route,
      label: (
        // A real link, so that a screen can be opened in another tab; plain clicks stay with the router.
        <a href={`#${entry.route}`} onClick={(event) => event.preventDefault()} tabIndex={-1}>
          {menuName(entry.item, t)}
        </a>
      ),
    })),
  }));
  return (
    <nav className="lc-menu" aria-label={t('common.shell.menu')}>
      <Menu
        mode="inline"
        inlineCollapsed={isCollapsed}
        inlineIndent={16}
        items={items}
        selectedKeys={marked ? [marked.entry.route] : []}
        {...(isCollapsed ? {} : { openKeys: present && opened === null ? [...new Set([...openKeys, present.key])] : openKeys })}
        onOpenChange={(keys) => {
          if (!isCollapsed) setOpened(keys);
        }}
        onClick={({ key, domEvent }) => {
          if ('metaKey' in domEvent && (domEvent.metaKey || domEvent.ctrlKey)) {
            window.open(`#${key}`, '_blank');
            return;
          }
          void navigate(key);
          onChoose?.();
        }}
      />
    </nav>
  );
}
