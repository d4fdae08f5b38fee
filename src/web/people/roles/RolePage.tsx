import { ApartmentOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { roleKinds } from '../../../contract/enums.ts';
import { ownRoleKinds, type Role } from '../../../contract/people/role.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton } from '../../kit/dialogs/removal.tsx';
import { Num } from '../../kit/feedback.ts';
import { type Filter, ListPage, type RowAction } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import type { Option } from '../../kit/options.ts';
import { NodesDrawer } from './NodesDrawer.tsx';
import { PermissionDrawer } from './PermissionDrawer.tsx';
import { RolePreview } from './RolePreview.tsx';
import './roles.css';
import { roleName } from '../../kit/texts/roleName.ts';

const isAdministrating = (role: Role) => role.kind === 'super' || role.kind === 'administrator';

/** The number of a role's users, leading to them. */
function Users({ role }: { role: Role }) {
  const { allows } = useSession();
  const list = isAdministrating(role) ? 'administrators' : 'user_list';
  if (role.user_count === 0 || !allows(list)) return <Num value={role.user_count} />;
  return (
    <Link to={`/system/${list}?role_id=${role.id}`}>
      <Num value={role.user_count} />
    </Link>
  );
}

function Name({ role }: { role: Role }) {
  const { t } = useTranslation();
  return (
    <>
      {roleName(role.name)} {role.built_in && <Tag>{t('role.built_in')}</Tag>}
    </>
  );
}

const columns = columnsOf(api.role.inquire, [
  { key: 'name', kind: 'name', render: (role) => <Name role={role} /> },
  { key: 'kind', kind: 'label', width: 150, title: 'common.field.type', label: (role) => `role.kind_${role.kind}`, card: 'field' },
  { key: 'user_count', width: 100, align: 'right', card: 'field', render: (role) => <Users role={role} /> },
  { key: 'remark', width: 260, card: 'field' },
  { key: 'updated_at', kind: 'time' },
  { key: 'created_at', kind: 'time', hiddenByDefault: true },
]);

const kindOptions = (kinds: readonly Role['kind'][], hasHelp = false): Option[] =>
  kinds.map((kind) => ({ value: kind, label: `role.kind_${kind}`, help: hasHelp ? `role.kind_${kind}_help` : undefined }));

const filters: Filter<'search' | 'kind'>[] = [
  { kind: 'text', key: 'search', label: 'role.name', placeholder: 'role.search' },
  { kind: 'select', key: 'kind', label: 'common.field.type', options: kindOptions(roleKinds) },
];

type Dialog = { kind: 'add' | 'all_nodes' } | { kind: 'update' | 'copy' | 'nodes' | 'preview'; role: Role };

function RoleDialogs({ dialog, onClose, onMade }: { dialog: Dialog | null; onClose: () => void; onMade: (role: Role) => void }) {
  const { t } = useTranslation();
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'add':
      return (
        <FormModal
          action={api.role.add}
          title="role.add"
          submit="role.add"
          intro={t('role.add_intro')}
          initial={{ name: '', kind: ownRoleKinds[2] }}
          fields={[
            { kind: 'text', name: 'name', label: 'role.name' },
            { kind: 'radio', name: 'kind', label: 'common.field.type', options: kindOptions(ownRoleKinds, true) },
            { kind: 'textarea', name: 'remark', label: 'role.remark', rows: 2 },
          ]}
          onDone={onMade}
          onClose={onClose}
        />
      );
    case 'update':
      return (
        <FormModal
          action={api.role.update}
          title={t('role.update_title', { name: roleName(dialog.role.name) })}
          submit="common.save"
          initial={{ name: dialog.role.name, remark: dialog.role.remark }}
          toInput={(values) => ({ ...values, id: dialog.role.id })}
          fields={[
            { kind: 'text', name: 'name', label: 'role.name' },
            { kind: 'textarea', name: 'remark', label: 'role.remark', rows: 2 },
          ]}
          onClose={onClose}
        />
      );
    case 'copy':
      return (
        <FormModal
          action={api.role.copy}
          title={t('role.copy_title', { name: roleName(dialog.role.name) })}
          submit="role.copy"
          intro={t('role.copy_intro')}
          initial={{ name: t('common.copy_of', { name: roleName(dialog.role.name) }) }}
          toInput={(values) => ({ ...values, id: dialog.role.id })}
          fields={[{ kind: 'text', name: 'name', label: 'role.name' }]}
          onClose={onClose}
        />
      );
    case 'nodes':
      return <PermissionDrawer role={dialog.role} onClose={onClose} />;
    case 'preview':
      return <RolePreview role={dialog.role} onClose={onClose} />;
    case 'all_nodes':
      return <NodesDrawer onClose={onClose} />;
  }
}

/** Roles: what each may do, and which users have it. */
export function RolePage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  /** A role that was just made and may do nothing yet: its permissions open when its dialog is gone. */
  const [made, setMade] = useState<Role | null>(null);
  const remove = useAction(api.role.remove);
  const about = (kind: 'update' | 'copy' | 'nodes' | 'preview') => (role: Role) => setDialog({ kind, role });

  async function askToRemove(role: Role) {
    const title = t('role.remove_title', { name: roleName(role.name) });
    if (await confirm({ title, content: 'role.remove_content', confirm: 'common.remove', danger: true }))
      await remove.run({ id: role.id }, { name: roleName(role.name) });
  }

  function close() {
    setDialog(made && allows('role.nodes') ? { kind: 'nodes', role: made } : null);
    setMade(null);
  }

  const isOwn = (role: Role) => role.kind !== 'super';
  const rowActions: RowAction<Role>[] = [
    { key: 'nodes', label: allows('role.nodes') ? 'role.nodes' : 'role.see_nodes', onClick: about('nodes') },
    { key: 'update', label: 'common.edit', node: 'role.update', visible: isOwn, onClick: about('update') },
    { key: 'preview', label: 'role.preview', onClick: about('preview') },
    { key: 'copy', label: 'role.copy', node: 'role.copy', visible: isOwn, onClick: about('copy') },
    {
      key: 'remove',
      label: 'common.remove',
      node: 'role.remove',
      danger: true,
      visible: (role) => !role.built_in,
      disabled: (role) => role.user_count > 0,
      onClick: (role) => void askToRemove(role),
    },
  ];
  return (
    <>
      <ListPage
        title="menu.role"
        list={api.role.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'asc' }}
        exportName="menu.role"
        actions={
          <>
            <Allowed node="role.nodes">
              <Button icon={<ApartmentOutlined />} onClick={() => setDialog({ kind: 'all_nodes' })}>
                {t('role.node_list')}
              </Button>
            </Allowed>
            <AddButton node="role.add" label="role.add" onClick={() => setDialog({ kind: 'add' })} />
          </>
        }
        rowActions={rowActions}
      />
      <RoleDialogs dialog={dialog} onClose={close} onMade={setMade} />
    </>
  );
}
