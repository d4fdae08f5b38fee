import { Select, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoleNode } from '../../../contract/people/role.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { useNodeName } from '../../kit/shell/nodeName.ts';
import { roleCell, roleName } from '../../kit/texts/roleName.ts';

const columns = columnsOf(api.role.holders, [
  { key: 'account', kind: 'name', title: 'user_list.account', width: 180 },
  { key: 'name', title: 'user_list.name', width: 140, card: 'field' },
  { key: 'role_name', title: 'user_list.role', width: 140, card: 'field', ...roleCell },
]);

/** The holders of a screen or of one of its buttons: roles, and the users who have them. */
export function NodeHolders({ screen, onClose }: { screen: RoleNode; onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const [node_id, setNodeId] = useState(screen.id);
  const { data } = useCall(api.role.holders, { node_id, page: 1, page_size: 1 });
  const options = [screen, ...screen.children].map((node) => ({
    value: node.id,
    label: node === screen ? t('role.open_screen', { name: nameOf(node) }) : nameOf(node),
  }));
  return (
    <Drawer open title={t('role.who')} size={560} onClose={onClose}>
      <div className="lc-role-holders">
        <Select className="lc-wide" aria-label={t('role.node')} value={node_id} options={options} onChange={setNodeId} />
        <p>
          <span className="lc-soft">{t('role.holding_roles')}</span>{' '}
          {data?.roles.map((role) => (
            <Tag key={role.id}>
              {roleName(role.name)} · {role.user_count}
            </Tag>
          ))}
        </p>
        <ListTable
          key={node_id}
          list={api.role.holders}
          columns={columns}
          fixedInput={{ node_id }}
          name="role.holders"
          empty={{ title: 'role.nobody' }}
        />
      </div>
    </Drawer>
  );
}
