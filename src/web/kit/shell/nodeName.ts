import { useTranslation } from 'react-i18next';
import { nodeType } from '../../../contract/enums.ts';
import type { MenuItem } from '../../../contract/people/admin.ts';
import { menuName } from './menuTree.ts';

export type NamedNode = Pick<MenuItem, 'type' | 'path' | 'name' | 'language_variables'>;

/** The words for a node in the user's language: buttons too, which the menu has no words for. */
export function useNodeName(): (node: NamedNode) => string {
  const { t, i18n } = useTranslation();
  return (node) => {
    if (node.type !== nodeType.button) return menuName(node, t);
    const isFirstName = node.path.endsWith(`.${node.name}`);
    return isFirstName && i18n.exists(node.language_variables) ? t(node.language_variables) : node.name;
  };
}
