import { z } from 'zod';
import { nodeTypes, roleKinds } from '../enums.ts';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, line, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { menuItem } from './admin.ts';

/** Kinds of role that can be made; there is one super administrator's role, from the first start. */
export const ownRoleKinds = ['administrator', 'agent', 'customer'] as const;

const roleName = line(64).min(1, 'role_name_required');
const remark = line(200);
const nodeIds = z.array(id).max(5000);

export const role = z.object({
  id,
  name: z.string(),
  remark: z.string(),
  kind: z.enum(roleKinds),
  built_in: z.boolean(),
  /** Grows with every change of the role or its nodes. */
  version: count,
  user_count: count,
  created_at: time,
  updated_at: time,
});
export type Role = z.infer<typeof role>;

const nodeFields = {
  name: line(64).min(1, 'node_name_required'),
  icon: line(40),
  sort: z.number().int().min(-1_000_000).max(1_000_000),
  language_variables: line(100),
};

/** A node as it is edited. A group's path is empty; a screen's is its route; a button's its screen's path and its own name. */
export const permissionNode = z.object({
  id,
  parent_id: id.nullable(),
  key: z.string(),
  path: z.string(),
  type: oneOf(nodeTypes),
  platform: z.number(),
  name: z.string(),
  icon: z.string(),
  /** The greater ranks first. */
  sort: z.number(),
  /** Shown at the top, that is, in the menu; what is not is opened from another screen. */
  show_headshot: z.boolean(),
  /** Can be ticked in the editor of roles. */
  allow_selection: z.boolean(),
  /** Key of the name's translations; empty: the name itself is shown. */
  language_variables: z.string(),
});
export type PermissionNode = z.infer<typeof permissionNode>;

export type RoleNode = PermissionNode & { held: boolean; grantable: boolean; children: RoleNode[] };
export const roleNode: z.ZodType<RoleNode> = z.lazy(() =>
  permissionNode.extend({
    /** The role has it. */
    held: z.boolean(),
    /** The caller may give it to this role. */
    grantable: z.boolean(),
    children: z.array(roleNode),
  }),
);

export const roleGroup = group('role', {
  inquire: call({
    summary: 'Roles with the number of their users.',
    access: holders('role'),
    input: listInput(['id', 'name', 'user_count', 'created_at', 'updated_at'], {
      search: z.string().max(64).optional(),
      kind: z.enum(roleKinds).optional(),
    }),
    output: pageOf(role),
  }),
  options: call({
    summary: 'Roles that the caller may give to users, for choosing one.',
    access: holders('role', 'user_list', 'administrators'),
    input: z.object({ kinds: z.array(z.enum(roleKinds)).max(4).optional() }),
    output: z.object({ content: z.array(role.pick({ id: true, name: true, kind: true, remark: true })) }),
  }),
  add: call({
    summary: 'Make a role without nodes.',
    access: holders('role.add'),
    input: z.object({ name: roleName, remark: remark.optional(), kind: z.enum(ownRoleKinds) }),
    output: role,
    writes: true,
  }),
  update: call({
    summary: 'Change name and remark.',
    access: holders('role.update'),
    input: z.object({ id, name: roleName.optional(), remark: remark.optional() }),
    output: role,
    writes: true,
  }),
  copy: call({
    summary: 'Make a role of the same kind and nodes.',
    access: holders('role.copy'),
    input: z.object({ id, name: roleName }),
    output: role,
    writes: true,
  }),
  remove: call({
    summary: 'Remove a role that nobody has and that was not there from the first start.',
    access: holders('role.remove'),
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
  nodes: call({
    summary: 'The tree of nodes, with those that the role holds.',
    access: holders('role'),
    input: z.object({ id }),
    output: z.object({ role, tree: z.array(roleNode) }),
  }),
  update_nodes: call({
    summary:
      'Set which nodes of the tree the role holds; `version` says on which state this was decided. A button brings its screen. Nodes outside the tree stay.',
    access: holders('role.nodes'),
    input: z.object({ id, version: count, node_ids: nodeIds }),
    output: z.object({ version: count, added: z.array(z.string()), removed: z.array(z.string()) }),
    writes: true,
  }),
  preview: call({
    summary: 'The menu that a role opens: with its own nodes, or with these before they are saved.',
    access: holders('role'),
    input: z.object({ id, node_ids: nodeIds.optional() }),
    output: z.object({ tree_menu_arr: z.array(menuItem) }),
  }),
  holders: call({
    summary: 'Who may do this: the roles that hold a node, and their users.',
    access: holders('role'),
    input: listInput(['id', 'account'], { node_id: id }),
    output: pageOf(z.object({ id, account: z.string(), name: z.string(), role_id: id, role_name: z.string() })).extend({
      roles: z.array(role.pick({ id: true, name: true, kind: true, user_count: true })),
    }),
  }),
  node_list: call({
    summary: 'All nodes, in the order of the menu, for their editor.',
    access: holders('role.nodes'),
    input: z.object({}),
    output: z.object({ content: z.array(permissionNode), missing_paths: z.array(z.string()) }),
  }),
  node_update: call({
    summary: 'Change how a node is named and shown. What it permits is not changeable.',
    access: holders('role.nodes'),
    input: z.object({
      id,
      name: nodeFields.name.optional(),
      icon: nodeFields.icon.optional(),
      sort: nodeFields.sort.optional(),
      show_headshot: z.boolean().optional(),
      allow_selection: z.boolean().optional(),
      language_variables: nodeFields.language_variables.optional(),
    }),
    output: permissionNode,
    writes: true,
  }),
  node_add: call({
    summary: 'Add the node of a route or button that this version has and the tree lacks.',
    access: holders('role.nodes'),
    input: z.object({
      path: z.string().min(1, 'required').max(100),
      name: nodeFields.name,
      icon: nodeFields.icon.optional(),
      sort: nodeFields.sort.optional(),
    }),
    output: permissionNode,
    writes: true,
  }),
});
