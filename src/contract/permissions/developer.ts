import type { MenuGroup } from './node.ts';

const everyone = ['C', 'G', 'A'] as const;

/** What machines of users need. */
export const developer = [
  {
    key: 'developer',
    name: '开发者',
    icon: 'api',
    screens: [
      {
        path: 'api_token',
        name: 'API 令牌',
        area: 'customer',
        icon: 'key',
        audience: everyone,
        buttons: ['add', 'update', 'revoke'],
        built: true,
      },
      {
        path: 'webhook',
        name: 'Webhook',
        area: 'customer',
        icon: 'notification',
        audience: everyone,
        buttons: ['add', 'update', 'test', 'resend', 'remove'],
        built: true,
      },
    ],
  },
] as const satisfies readonly MenuGroup[];
