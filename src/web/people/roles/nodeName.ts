import { nodeType } from '../../../contract/enums.ts';
import { type NamedNode, useNodeName } from '../../kit/shell/nodeName.ts';

/** A button's words with its screen's: `add` alone would say little in a list of changes. */
export function useFullName(nodes: readonly NamedNode[]): (node: NamedNode) => string {
  const nameOf = useNodeName();
  const screens = new Map(nodes.filter((node) => node.type === nodeType.route && node.path !== '').map((node) => [node.path, node]));
  return (node) => {
    const screen = node.type === nodeType.button ? screens.get(node.path.split('.', 1)[0] ?? '') : undefined;
    return screen ? `${nameOf(screen)} · ${nameOf(node)}` : nameOf(node);
  };
}
