import { CloseOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { useMayLeave } from '../form/dirty.tsx';
import { closePlace, type Place, useOpenPlaces } from './visited.ts';

/** The open pages as tabs that can be closed, where the site wants them. */
export function RouteTabs() {
  const { t } = useTranslation();
  const open = useOpenPlaces();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const mayLeave = useMayLeave();
  const isPresent = ({ path }: Place) => path.split('?', 1)[0] === pathname;

  async function close(place: Place) {
    if (!isPresent(place)) return void closePlace(place);
    if (!(await mayLeave())) return;
    const next = closePlace(place);
    await navigate(next?.path ?? '/customer');
  }

  return (
    <nav className="lc-route-tabs" aria-label={t('common.shell.route_tabs')}>
      {open.map((place) => (
        <span key={place.path} className={isPresent(place) ? 'lc-route-tab lc-route-tab-present' : 'lc-route-tab'}>
          <Link to={place.path} aria-current={isPresent(place) ? 'page' : undefined} title={place.title}>
            {place.title}
          </Link>
          <button type="button" aria-label={t('common.shell.close_tab', { name: place.title })} onClick={() => void close(place)}>
            <CloseOutlined aria-hidden />
          </button>
        </span>
      ))}
    </nav>
  );
}
