import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { nodeType } from '../../../contract/enums.ts';
import type { PermissionNode } from '../../../contract/people/role.ts';
import { menuGroups, screens } from '../../../contract/permissions.ts';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { MenuIcon } from '../../kit/shell/icons.tsx';
import { useNodeName } from '../../kit/shell/nodeName.ts';
import { isScreen, nodeKind } from './nodeBranches.ts';

const iconNames = [...new Set([...menuGroups.map((group) => group.icon), ...screens.map((screen) => screen.icon)])].sort();

const iconField: FieldData = {
  kind: 'custom',
  name: 'icon',
  label: 'role.node_icon',
  render: ({ id, value, onChange }) => (
    <Select
      id={id}
      showSearch
      value={value as string}
      onChange={(next) => onChange?.(next)}
      options={iconNames.map((name) => ({ value: name, label: name }))}
      labelRender={({ value: name }) => <IconChoice name={String(name)} />}
      optionRender={({ value: name }) => <IconChoice name={String(name)} />}
    />
  ),
};

function IconChoice({ name }: { name: string }) {
  return (
    <span>
      <MenuIcon name={name} /> <code>{name}</code>
    </span>
  );
}

const nameField: FieldData = { kind: 'text', name: 'name', label: 'role.node_name', help: 'role.node_name_help' };
const sortField: FieldData = { kind: 'number', name: 'sort', label: 'role.node_sort', help: 'role.node_sort_help' };
const variableField: FieldData = {
  kind: 'text',
  name: 'language_variables',
  label: 'role.language_variables',
  help: 'role.language_variables_help',
  code: true,
};
const headshotField: FieldData = { kind: 'switch', name: 'show_headshot', label: 'role.show_headshot', help: 'role.show_headshot_help' };
const selectionField: FieldData = {
  kind: 'switch',
  name: 'allow_selection',
  label: 'role.allow_selection',
  help: 'role.allow_selection_help',
};

export function NodeUpdateDialog({ node, onClose }: { node: PermissionNode; onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useNodeName();
  const { id, name, icon, sort, show_headshot, allow_selection, language_variables } = node;
  const hasIcon = node.type === nodeType.route;
  const place = [t(nodeKind(node)), t(`role.platform_${node.platform}`), node.path].filter(Boolean).join(' · ');
  return (
    <FormModal
      action={api.role.node_update}
      title={t('role.node_update_title', { name: nameOf(node) })}
      submit="role.save_node"
      intro={place}
      initial={{
        name,
        sort,
        language_variables,
        ...(hasIcon ? { icon } : {}),
        ...(isScreen(node) ? { show_headshot } : {}),
        ...(node.path ? { allow_selection } : {}),
      }}
      toInput={(values) => ({ ...values, id })}
      fields={[
        nameField,
        ...(hasIcon ? [iconField] : []),
        sortField,
        variableField,
        ...(isScreen(node) ? [headshotField] : []),
        ...(node.path ? [selectionField] : []),
      ]}
      invalidates={['admin']}
      onClose={onClose}
    />
  );
}

export function NodeAddDialog({ paths, onClose }: { paths: readonly string[]; onClose: () => void }) {
  const options = paths.map((path) => ({ value: path, label: path }));
  return (
    <FormModal
      action={api.role.node_add}
      title="role.node_add"
      submit="role.node_add"
      initial={{ name: '' }}
      fields={[{ kind: 'select', name: 'path', label: 'role.node_path', options, searchable: true }, nameField, iconField, sortField]}
      invalidates={['admin']}
      onClose={onClose}
    />
  );
}
