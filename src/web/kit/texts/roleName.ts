// not messages: names as the first start writes them into the database.
import { translate } from './i18n.ts';

const firstNames: Record<string, string> = {
  超级管理员: 'super',
  管理员: 'administrator',
  代理: 'agent',
  默认角色: 'customer',
};

/** A role as its reader calls it: the four that every site begins with in his language, until an administrator gives them names of his own. */
export function roleName(name: string): string {
  const kind = Object.hasOwn(firstNames, name) ? firstNames[name] : undefined;
  return kind === undefined ? name : translate(`common.role.${kind}`);
}

/** What a column of roles shows and exports. */
export const roleCell = {
  render: ({ role_name }: { role_name: string }) => roleName(role_name),
  exportValue: ({ role_name }: { role_name: string }) => roleName(role_name),
};
