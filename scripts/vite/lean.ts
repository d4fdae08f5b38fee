import type { Plugin } from 'vite';

type Stub = { source: RegExp; importer: RegExp; code: string };

/**
 * Parts that antd brings along and no screen of ours shows: filters in the headers of tables (ours stand above, `kit/list/FilterBar.tsx`),
 * the choice of a single row, the palette of the colour picker, of which buttons only take how bright an opaque colour is, the styles of
 * menus outside of dropdowns (the frame's are `kit/menu`), relatives of a
 * component that hang on its name, and the nodes of trees behind the arithmetic of what is selected.
 */
const stubs: readonly Stub[] = [
  {
    source: /^\.\/FilterDropdown$/,
    importer: /antd[\\/]es[\\/]table[\\/]hooks[\\/]useFilter/,
    code: 'export default () => null; export const flattenKeys = () => [];',
  },
  { source: /^\.\.\/\.\.\/radio$/, importer: /antd[\\/]es[\\/]table[\\/]hooks[\\/]useSelection/, code: 'export default () => null;' },
  {
    source: /color-picker[\\/]components[\\/]ColorPresets$/,
    importer: /antd[\\/]es[\\/](button|tag)[\\/]style/,
    code: 'export const isBright = (value) => { const { r, g, b } = value.toRgb(); return r * 0.299 + g * 0.587 + b * 0.114 > 192; };',
  },
  {
    source: /^\.\/style$/,
    importer: /antd[\\/]es[\\/]menu[\\/]menu/,
    code: "import { useToken } from 'antd/es/theme/internal'; export default (_, rootClass) => [useToken()[2], rootClass];",
  },
  { source: /^\.\/TreeNode$/, importer: /@rc-component[\\/]tree[\\/]es[\\/]util\.js/, code: 'export default () => null;' },
  {
    source: /^\.\/(OTP|Ribbon|dropdown-button|AvatarGroup|CheckableTagGroup)$/,
    importer: /antd[\\/]es[\\/]/,
    code: 'export default () => null;',
  },
];
const name = '\0lean-antd-';

export function leanAntd(): Plugin {
  return {
    name: 'lean-antd',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer = '') {
      const at = stubs.findIndex((stub) => stub.source.test(source) && stub.importer.test(importer));
      return at < 0 ? null : `${name}${at}`;
    },
    load: (id) => (id.startsWith(name) ? (stubs[Number(id.slice(name.length))]?.code ?? null) : null),
  };
}

type Node = { type: string; start: number; end: number } & Record<string, unknown>;
type Edit = { start: number; end: number; text: string };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** Takes out what only the server reads: the lines of the API's documentation, and what it strips its answers to. */
function withoutServerParts(node: Node): Edit[] {
  const { callee, arguments: given } = node as Node & { callee?: { name?: string }; arguments?: { properties?: Node[] }[] };
  const properties = node.type === 'CallExpression' && callee?.name === 'call' ? (given?.[0]?.properties ?? []) : [];
  const edits = properties.flatMap(({ start, end, key }) => {
    const { name } = key as { name: string };
    return ['summary', 'output'].includes(name) ? [{ start, end, text: `${name}: null` }] : [];
  });
  return edits.length > 0 ? edits : childrenOf(node).flatMap(withoutServerParts);
}

/** Says of values at the top that making them does nothing else: the bundler leaves out those that nothing names any more. */
const asPure = (program: Node): Edit[] =>
  childrenOf(program)
    .flatMap((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .flatMap((statement) => (statement.type === 'VariableDeclaration' ? childrenOf(statement) : []))
    .flatMap(({ init }) =>
      isNode(init) && init.type === 'CallExpression'
        ? [
            { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' },
            { start: init.end, end: init.end, text: ')()' },
          ]
        : [],
    );

/** The contract as pages need it. */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'post',
    transform(code, id) {
      if (!/[\\/]src[\\/]contract[\\/]/.test(id)) return null;
      const program = this.parse(code) as unknown as Node;
      const edits = [...withoutServerParts(program), ...asPure(program)].sort((one, other) => other.start - one.start);
      return { code: edits.reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code), map: null };
    },
  };
}
