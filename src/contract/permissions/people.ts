import type { MenuGroup } from './node.ts';

const administrators = ['A'] as const;
const agent = ['G'] as const;
const agentsAndAdministrators = ['G', 'A'] as const;

/** Users, their agents and their rights. */
export const people = {
  key: 'people',
  name: '用户与代理',
  icon: 'team',
  screens: [
    {
      path: 'user_list',
      name: '用户',
      area: 'system',
      icon: 'user',
      audience: administrators,
      buttons: [
        'add',
        'update',
        'role',
        'ratio',
        'balance',
        'invitation',
        'expiry',
        'superior',
        'remove',
        'password',
        'disable',
        'refresh',
        'message',
        'log_in_as',
      ],
    },
    { path: 'user_customer', name: '我的客户', area: 'customer', icon: 'team', audience: agent, buttons: [] },
    {
      path: 'agent_divided_into',
      name: '代理分成',
      area: 'customer',
      icon: 'percentage',
      audience: agentsAndAdministrators,
      buttons: ['ratio', 'review'],
      administratorButtons: ['ratio', 'review'],
    },
    {
      path: 'agent_daily_statistics',
      name: '代理日统计',
      area: 'customer',
      icon: 'chart',
      entry: 'agent_statistics',
      audience: agentsAndAdministrators,
      buttons: [],
    },
    {
      path: 'agent_historical_statistics',
      name: '代理历史统计',
      area: 'customer',
      icon: 'history',
      entry: 'agent_statistics',
      audience: agentsAndAdministrators,
      buttons: [],
    },
    {
      path: 'message_list',
      name: '站内信',
      area: 'system',
      icon: 'message',
      audience: administrators,
      buttons: ['send', 'clear'],
    },
    {
      path: 'administrators',
      name: '管理员',
      area: 'system',
      icon: 'user',
      entry: 'staff',
      audience: administrators,
      buttons: ['add', 'update', 'password', 'disable', 'refresh', 'remove'],
    },
    {
      path: 'role',
      name: '角色',
      area: 'system',
      icon: 'safety',
      entry: 'staff',
      audience: administrators,
      buttons: ['add', 'update', 'copy', 'remove', 'nodes'],
    },
  ],
} as const satisfies MenuGroup;
