import { PlusOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../kit/calls/session.tsx';
import { MenuIcon } from '../../kit/shell/icons.tsx';
import { menuName, menuSections } from '../../kit/shell/menuTree.ts';

/** This screen itself, and those one seldom sets out for. */
const leftOut = new Set(['home', 'home_page_config', 'update_password', 'async_operations']);
const shownScreens = 7;

/** The ways to the screens that the user has, those he works with first. */
export function ShortcutsBlock({ title }: { title: string }) {
  const { t } = useTranslation();
  const { menu, allows } = useSession();
  const entries = menuSections(menu)
    .flatMap((section) => section.entries)
    .filter((entry) => !leftOut.has(entry.path))
    .slice(0, shownScreens);
  return (
    <section className="lc-panel" aria-labelledby="home-shortcuts">
      <header className="lc-panel-head">
        <h2 id="home-shortcuts">{title || t('home.shortcuts')}</h2>
      </header>
      <ul className="home-links">
        {allows('qr_code_list.add') && (
          <li>
            <Link className="home-link" to="/customer/set_qr_code">
              <PlusOutlined aria-hidden />
              <span>{t('home.new_code')}</span>
            </Link>
          </li>
        )}
        {entries.map(({ path, route, item }) => (
          <li key={path}>
            <Link className="home-link" to={route}>
              <MenuIcon name={item.icon} />
              <span>{menuName(item, t)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
