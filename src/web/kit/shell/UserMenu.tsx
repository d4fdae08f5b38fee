import { DownOutlined, LockOutlined, LogoutOutlined } from '@ant-design/icons';
import { Avatar, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../calls/session.tsx';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { roleName } from '../texts/roleName.ts';
import { routeOf } from './menuTree.ts';
import { useLogOut } from './useLogOut.ts';

/** Who is logged in, and what concerns him alone. */
export function UserMenu() {
  const { t } = useTranslation();
  const { user, allows } = useSession();
  const navigate = useNavigate();
  const leave = useLogOut();
  const name = user?.name || user?.account || '';

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
                <small>{roleName(user?.role.name ?? '')}</small>
              </span>
            ),
          },
          { type: 'divider' },
          ...(allows('update_password')
            ? [
                {
                  key: 'security',
                  icon: <LockOutlined />,
                  label: t('menu.update_password'),
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
