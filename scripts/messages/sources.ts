import ts from 'typescript';

export type Source = { path: string; text: string };

export type Found = {
  /** `own`: what shows it knows no shared words. */
  keys: { key: string; line: number; own?: boolean }[];
  /** Keys with a variable part: the fixed texts around it. */
  templates: { parts: string[]; line: number }[];
  literals: { text: string; line: number }[];
  /** Every text of the source, to tell which messages are used at all. */
  mentions: Set<string>;
};

/** Properties and attributes whose texts a user reads. */
const shownNames = new Set([
  'title',
  'label',
  'help',
  'placeholder',
  'submit',
  'confirm',
  'cancel',
  'content',
  'success',
  'intro',
  'yes',
  'no',
  'exportName',
  'period',
  'description',
  'alt',
  'okText',
  'cancelText',
  'aria-label',
  'tooltip',
]);
const translators = new Set(['t', 'text', 'translate']);

const keyPattern = /^[a-z][a-z0-9_]*(\.[a-z0-9_-]+)+$/i;
const chinese = /\p{Script=Han}/u;
const words = /\p{L}{2,}/u;
const color = /^#[0-9a-f]{3,8}$/i;
/** Examples in placeholders: hosts, addresses, colours, patterns. */
const technical = /^[\x21-\x7e]*[.:/@#*][\x21-\x7e]*$/;
/** Files whose texts are data, not words of ours, say so in a comment with a reason. */
const exempt = /\/[/*] not messages: \S/;

const isKey = (text: string, files: ReadonlySet<string>) => keyPattern.test(text) && files.has(text.split('.', 1)[0] ?? '');

function nameOf(node: ts.Node): string | undefined {
  if (ts.isJsxAttribute(node)) return ts.isIdentifier(node.name) ? node.name.text : node.name.getText();
  if (ts.isPropertyAssignment(node)) return ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : undefined;
  return undefined;
}

/** The texts an expression may have: a literal, either side of a condition or of `??`, what stands in brackets. */
function textsOf(node: ts.Node | undefined): (ts.StringLiteralLike | ts.TemplateExpression)[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return [node];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...textsOf(node.left), ...textsOf(node.right)];
  return [];
}

function calledName(node: ts.CallExpression): string {
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
}

/** The keys that columns without a title stand for: `columnsOf(api.screen.inquire, [{ key: 'field' }])`. */
function untitledColumns(node: ts.CallExpression): { key: string; node: ts.Node }[] {
  const [list, columns] = node.arguments;
  if (!list || !ts.isPropertyAccessExpression(list) || !ts.isPropertyAccessExpression(list.expression)) return [];
  if (!columns || !ts.isArrayLiteralExpression(columns)) return [];
  const screen = list.expression.name.text;
  return columns.elements.filter(ts.isObjectLiteralExpression).flatMap((column) => {
    const keyed = column.properties.find((property) => nameOf(property) === 'key');
    const isTitled = column.properties.some((property) => nameOf(property) === 'title' || ts.isSpreadAssignment(property));
    if (!keyed || !ts.isPropertyAssignment(keyed) || !ts.isStringLiteral(keyed.initializer) || isTitled) return [];
    return [{ key: `${screen}.${keyed.initializer.text}`, node: keyed }];
  });
}

/** What a source asks of the message files, and which of its texts are no messages although a user reads them. */
export function readSource(source: Source, files: ReadonlySet<string>): Found {
  const file = ts.createSourceFile(
    source.path,
    source.text,
    ts.ScriptTarget.Latest,
    true,
    source.path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: Found = { keys: [], templates: [], literals: [], mentions: new Set() };
  const isExempt = exempt.test(source.text);
  const lineOf = (node: ts.Node) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const literal = (node: ts.Node, text: string) => {
    if (!isExempt) found.literals.push({ text: text.trim().slice(0, 60), line: lineOf(node) });
  };

  function template(node: ts.TemplateExpression): void {
    const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
    if (files.has(parts[0]?.split('.', 1)[0] ?? '') && parts[0]?.includes('.')) found.templates.push({ parts, line: lineOf(node) });
  }
  function asked(node: ts.Node | undefined, own: boolean): void {
    for (const text of textsOf(node)) {
      if (!ts.isTemplateExpression(text) && keyPattern.test(text.text)) found.keys.push({ key: text.text, line: lineOf(text), own });
    }
  }
  function shown(name: string, node: ts.Node | undefined): void {
    for (const text of textsOf(node)) {
      if (ts.isTemplateExpression(text)) continue;
      const isExample = name === 'placeholder' && technical.test(text.text) && !isKey(text.text, files);
      if (isExample || color.test(text.text)) continue;
      if (keyPattern.test(text.text)) found.keys.push({ key: text.text, line: lineOf(text) });
      else if (words.test(text.text)) literal(text, text.text);
    }
  }
  function visit(node: ts.Node): void {
    if (ts.isJsxText(node) && words.test(node.text)) literal(node, node.text);
    if (ts.isStringLiteralLike(node)) {
      found.mentions.add(node.text);
      const owner = nameOf(node.parent) ?? nameOf(node.parent?.parent ?? node);
      if (chinese.test(node.text) && !(owner && shownNames.has(owner))) literal(node, node.text);
    }
    if (ts.isTemplateExpression(node)) {
      template(node);
      if (chinese.test(node.getText(file))) literal(node, node.getText(file));
    }
    if (ts.isCallExpression(node)) {
      const called = calledName(node);
      // i18next itself knows no shared words.
      if (translators.has(called)) asked(node.arguments[0], called === 't');
      if (called === 'columnsOf') for (const { key, node: at } of untitledColumns(node)) found.keys.push({ key, line: lineOf(at) });
    }
    const name = nameOf(node);
    if (name && shownNames.has(name)) shown(name, (node as ts.JsxAttribute | ts.PropertyAssignment).initializer);
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}
