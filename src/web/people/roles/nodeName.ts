import { useTranslation } from 'react-i18next';
import { nodeType } from '../../../contract/enums.ts';
import type { PermissionNode } from '../../../contract/role.ts';
import { menuName } from '../../kit/shell/menuTree.ts';

type Named = Pick<PermissionNode, 'type' | 'path' | 'name' | 'language_variables'>;

/** The words for a node in the user's language: buttons too, which the menu has no words for. */
export function useNodeName(): (node: Named) => string {
  const { t, i18n } = useTranslation();
  return (node) => {
    if (node.type !== nodeType.button) return menuName(node, t);
    const isFirstName = node.path.endsWith(`.${node.name}`);
    return isFirstName && i18n.exists(node.language_variables) ? t(node.language_variables) : node.name;
  };
}

/** A button's words with its screen's: `add` alone would say little in a list of changes. */
export function useFullName(nodes: readonly Named[]): (node: Named) => string {
  const nameOf = useNodeName();
  const screens = new Map(nodes.filter((node) => node.type === nodeType.route && node.path !== '').map((node) => [node.path, node]));
  return (node) => {
    const screen = node.type === nodeType.button ? screens.get(node.path.split('.', 1)[0] ?? '') : undefined;
    return screen ? `${nameOf(screen)} · ${nameOf(node)}` : nameOf(node);
  };
}
