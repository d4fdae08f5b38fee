import { DownOutlined, HistoryOutlined, StarOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { entryName, markedEntry, menuName, menuSections } from '../shell/menuTree.ts';
import { type Favourites, useFavourites, useShownPlaces } from './favourites.ts';
import { GroupIcon } from './groupIcons.tsx';
import { PinButton } from './PinButton.tsx';
import { useOpenGroups } from './useOpenGroups.ts';
import { type Place, useRecent } from './visited.ts';
import './menu.css';

type Line = Place & { isPresent: boolean };
type Group = {
  key: string;
  title: string;
  icon: ReactNode;
  lines: Line[];
  /** Open until one closes it. */
  startsOpen: boolean;
  /** What stands above the work: favourites and where one was last. */
  isOwn?: boolean;
};

/** What the menu holds: favourites, where one was last, and the user's tree. */
function useGroups(favourites: Favourites): Group[] {
  const { t } = useTranslation();
  const { menu } = useSession();
  const { pathname } = useLocation();
  const pinned = useShownPlaces(favourites.places);
  const recent = useShownPlaces(useRecent());
  const sections = menuSections(menu);
  const marked = markedEntry(sections, pathname);
  const lineOf = (place: Place): Line => ({ ...place, isPresent: place.path === pathname });
  const own: Group[] = [
    {
      key: 'favourites',
      title: t('common.shell.favourites'),
      icon: <StarOutlined />,
      lines: pinned.map(lineOf),
      startsOpen: true,
      isOwn: true,
    },
    { key: 'recent', title: t('common.shell.recent'), icon: <HistoryOutlined />, lines: recent.map(lineOf), startsOpen: true, isOwn: true },
  ];
  const groups = sections.map(
    (section, index): Group => ({
      key: section.key,
      title: menuName(section.item, t),
      icon: <GroupIcon name={section.item.icon} />,
      lines: section.entries.map((entry) => ({ path: entry.route, title: entryName(entry, t), isPresent: entry === marked?.entry })),
      startsOpen: index === 0 || sections.length <= 4 || section === marked?.section,
    }),
  );
  return [...own.filter(({ lines }) => lines.length > 0), ...groups];
}

/** The menu by work; what one opened and closed stays so. */
export function SideMenu({ isCollapsed, onChoose }: { isCollapsed: boolean; onChoose?: () => void }) {
  const { t } = useTranslation();
  const favourites = useFavourites();
  const groups = useGroups(favourites);
  const { isOpen, setOpen } = useOpenGroups();
  return (
    <nav className={isCollapsed ? 'lc-menu lc-menu-rail' : 'lc-menu'} aria-label={t('common.shell.menu')}>
      {groups.map((group) =>
        isCollapsed ? (
          <RailGroup key={group.key} group={group} />
        ) : (
          <OpenGroup
            key={group.key}
            group={group}
            favourites={favourites}
            isOpen={isOpen(group.key) ?? group.startsOpen}
            setOpen={(open) => setOpen(group.key, open)}
            onChoose={onChoose}
          />
        ),
      )}
    </nav>
  );
}

type OnChoose = (() => void) | undefined;
type OpenGroupProps = { group: Group; favourites: Favourites; isOpen: boolean; setOpen: (open: boolean) => void; onChoose: OnChoose };

function OpenGroup({ group, favourites, isOpen, setOpen, onChoose }: OpenGroupProps) {
  const id = useId();
  const isPresent = !isOpen && group.lines.some((line) => line.isPresent);
  return (
    <div className="lc-menu-group">
      <button
        type="button"
        className={isPresent ? 'lc-menu-title lc-menu-present' : 'lc-menu-title'}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden>{group.icon}</span>
        <span>{group.title}</span>
        <DownOutlined aria-hidden />
      </button>
      <ul id={id} hidden={!isOpen}>
        {group.lines.map((line) => (
          <MenuLine key={line.path} line={line} favourites={favourites} isMovable={group.key === 'favourites'} onChoose={onChoose} />
        ))}
      </ul>
    </div>
  );
}

type MenuLineProps = { line: Line; favourites: Favourites; isMovable: boolean; onChoose: OnChoose };

function MenuLine({ line, favourites, isMovable, onChoose }: MenuLineProps) {
  const { t } = useTranslation();
  function onKeyDown(event: KeyboardEvent) {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    favourites.move(line.path, event.key === 'ArrowUp' ? -1 : 1);
  }
  const movable = isMovable ? { onKeyDown, 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown', title: t('common.shell.move_favourite') } : {};
  return (
    <li className="lc-menu-line">
      <Link to={line.path} aria-current={line.isPresent ? 'page' : undefined} onClick={onChoose} {...movable}>
        {line.title}
      </Link>
      <PinButton place={{ path: line.path, title: line.title }} favourites={favourites} />
    </li>
  );
}

/** A group while the menu is a strip of pictures: its entries open beside it. */
function RailGroup({ group }: { group: Group }) {
  const navigate = useNavigate();
  const present = group.lines.find((line) => line.isPresent);
  const isMarked = present !== undefined && !group.isOwn;
  return (
    <Tooltip title={group.title} placement="right">
      <Dropdown
        align={{ points: ['tl', 'tr'], offset: [4, 0] }}
        menu={{
          selectedKeys: present ? [present.path] : [],
          items: group.lines.map(({ path, title }) => ({ key: path, label: title })),
          onClick: ({ key }) => void navigate(key),
        }}
      >
        <Button type="text" className={isMarked ? 'lc-menu-present' : undefined} icon={group.icon} aria-label={group.title} />
      </Dropdown>
    </Tooltip>
  );
}
