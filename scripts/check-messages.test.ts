import { expect, test } from 'vitest';
import { checkMessages, readCatalogues, readSources } from './check-messages.ts';
import { flatten } from './messages/catalogues.ts';

const catalogue = (tree: object) => flatten({ add: 'Add', type_1: 'Entry', type_2: 'Landing', hello: 'Hello {{name}}', ...tree }, 'demo');
const both = { 'zh-CN': catalogue({}), 'en-US': catalogue({}) };
const source = (text: string) => [{ path: 'src/web/demo/Demo.tsx', text }];
const faultsOf = (text: string) => checkMessages(both, source(text)).errors;

test('the product has every message that its screens ask for, in every language', { tags: 'full' }, () => {
  expect(checkMessages(readCatalogues(), readSources()).errors).toEqual([]);
});

test('a key that one language lacks is a fault', () => {
  const { errors } = checkMessages({ ...both, 'en-US': catalogue({ remove: 'Delete' }) }, []);
  expect(errors).toEqual(['zh-CN: demo.remove is missing']);
});

test('an empty text and a text that is no text are faults', () => {
  const { errors } = checkMessages({ 'zh-CN': catalogue({ a: ' ', b: 7 }), 'en-US': catalogue({ a: 'A', b: 'B' }) }, []);
  expect(errors).toEqual(['zh-CN: demo.a is empty', 'zh-CN: demo.b is empty']);
});

test('gaps that differ between languages are a fault, their order is not', () => {
  const zh = catalogue({ a: '{{one}} {{two}}', b: '{{rows}}' });
  const en = catalogue({ a: '{{two}} of {{one}}', b: '{{lines}}' });
  const { errors } = checkMessages({ 'zh-CN': zh, 'en-US': en }, []);
  expect(errors).toEqual(['demo.b: zh-CN has the gaps (rows), en-US has (lines)']);
});

test('a gap that the server could not fill is a fault', () => {
  const tree = catalogue({ a: '{{count, number}}' });
  expect(checkMessages({ 'zh-CN': tree }, []).errors).toEqual(["zh-CN: demo.a has a gap that isn't a plain name: count, number"]);
});

test.each([
  ["a call's literal", "const a = t('demo.gone');"],
  ['either side of a condition', "const a = t(yes ? 'demo.add' : 'demo.gone');"],
  ['a title in data', "const column = { key: 'x', title: 'demo.gone' };"],
  ['a title of a component', "const a = <Page title='demo.gone' />;"],
])('a key that does not exist is found: %s', (_case, text) => {
  expect(faultsOf(text)).toEqual(['src/web/demo/Demo.tsx:1: there is no message demo.gone']);
});

test("a screen's field may have the words that all screens share, but not where i18next itself is asked", () => {
  const shared = { ...catalogue({}), ...flatten({ field: { name: 'Name' } }, 'common') };
  const errorsOf = (text: string) => checkMessages({ 'zh-CN': shared, 'en-US': shared }, source(text)).errors;
  expect(errorsOf("const a = { title: 'demo.name' };")).toEqual([]);
  expect(errorsOf("const a = columnsOf(api.demo.inquire, [{ key: 'name' }, { key: 'add' }]);")).toEqual([]);
  expect(errorsOf("const a = t('demo.name');")).toEqual(['src/web/demo/Demo.tsx:1: there is no message demo.name']);
});

test('a column without a title stands for the field of its screen', () => {
  const text = "const a = columnsOf(api.demo.inquire, [{ key: 'gone' }, { key: 'x', title: 'demo.add' }]);";
  expect(faultsOf(text)).toEqual(['src/web/demo/Demo.tsx:1: there is no message demo.gone']);
});

test('a key with a variable part must match some message', () => {
  expect(faultsOf(`const a = t(\`demo.type_\${row.type}\`);`)).toEqual([]);
  expect(faultsOf(`const a = t(\`demo.kind_\${row.type}\`);`)).toEqual(['src/web/demo/Demo.tsx:1: no message matches demo.kind_…']);
});

test('a key of a message file that does not exist is found too', () => {
  expect(faultsOf("const a = { title: 'gone_file.title' };")).toEqual(['src/web/demo/Demo.tsx:1: there is no message gone_file.title']);
});

test.each([
  ['words between tags', 'const a = <p>Some words</p>;', 'Some words'],
  ['Chinese between tags', 'const a = <p>域名</p>;', '域名'],
  ['a literal label', 'const a = <Button aria-label="Close it" />;', 'Close it'],
  ['a literal title in data', "const a = { title: 'Host name' };", 'Host name'],
  ['a Chinese title', "const a = <Page title='域名' />;", '域名'],
  ['Chinese anywhere in code', "const a = ['域名'];", '域名'],
  ['Chinese in a template', `const a = \`共 \${rows}\`;`, `\`共 \${rows}\``],
])('literal text is found: %s', (_case, text, words) => {
  expect(faultsOf(text)).toEqual([`src/web/demo/Demo.tsx:1: literal text, use a message: ${words}`]);
});

test('what no user reads, examples and single letters are no literals', () => {
  const text = `const a = <Input type="text" className="wide" placeholder="a.example.com" prefix={<b>@</b>} />; const node = 'domain_list.add'; // 域名`;
  expect(faultsOf(text)).toEqual([]);
});

test('a file of data is left alone when it says why', () => {
  expect(faultsOf("// not messages: names of regions as the address data writes them\nconst a = ['广东'];")).toEqual([]);
});

test('messages that nothing asks for are only warned of', () => {
  const { errors, warnings } = checkMessages(both, source(`t('demo.add'); t('demo.hello', { name }); t(\`demo.type_\${one}\`);`));
  expect(errors).toEqual([]);
  expect(warnings).toEqual([]);
  expect(checkMessages(both, source("t('demo.add');")).warnings).toEqual([
    'unused message: demo.hello',
    'unused message: demo.type_1',
    'unused message: demo.type_2',
  ]);
});
