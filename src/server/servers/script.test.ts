import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScriptParameter } from '../../contract/system/script.ts';
import { quote } from './ssh/script-shell.ts';
import { createRunsSite, forgetOperations, type RunsSite, statesOf } from './testing/runs-site.ts';

let runs: RunsSite;
beforeAll(async () => {
  runs = await createRunsSite();
});
beforeEach(() => forgetOperations(runs));
afterAll(() => runs.close());

const parameter = (name: string, type: ScriptParameter['type'] = 'text', choices: string[] = []): ScriptParameter => ({
  ...{ name, label: '', type, required: false, initial: '', choices },
});

describe('parameters', () => {
  const canary = () => join(runs.folder, 'canary');
  const touch = () => `touch ${canary()}`;
  const hostile = (): string[] => [
    `'`,
    `"`,
    `\\`,
    '`',
    '$',
    `''`,
    `'"'"'`,
    `\\'`,
    `'; ${touch()}; '`,
    `"; ${touch()}; "`,
    `$(${touch()})`,
    `\`${touch()}\``,
    `'$(${touch()})'`,
    `\${IFS}`,
    `$((1+1))`,
    `; ${touch()}`,
    `& ${touch()} &`,
    `| ${touch()}`,
    `\n${touch()}\n`,
    `'\n${touch()}\n'`,
    `\r\n${touch()}\r\n`,
    `EOF\n${touch()}`,
    `> ${canary()}`,
    `<(${touch()})`,
    `-oProxyCommand=${touch()}`,
    `--`,
    `-n`,
    `*`,
    `~`,
    `!!`,
    `# ${touch()}`,
    `\${x:-$(${touch()})}`,
    `() { :;}; ${touch()}`,
    `%s%n%x`,
    `\u001b[31m`,
    `\u0001\u0007\u007f`,
    `活码 ${'é'}\u{1f600}\u202e`,
    `\t tab `,
    `a\\\nb`,
    'x'.repeat(10_000),
  ];

  test('forty hostile values reach the script as they are, and no shell as code', async () => {
    const values = hostile();
    expect(values.length).toBe(40);
    for (const part of [values.slice(0, 20), values.slice(20)]) {
      const names = part.map((_, index) => `VALUE_${index}`);
      const body = names.map((name) => `printf %s "$${name}" | od -An -v -tx1 | tr -d ' \\n'; echo`).join('\n');
      const id = await runs.addScript(body, { parameters: names.map((name) => parameter(name)) });
      const given = Object.fromEntries(names.map((name, index) => [name, part[index] ?? '']));
      const run_id = await runs.run(id, { server_ids: [runs.servers[0]], values: given });
      expect(statesOf(await runs.ended(run_id))).toEqual(['succeeded']);
      const [text = ''] = await runs.outputs(run_id);
      expect(text.trimEnd().split('\n')).toEqual(part.map((value) => Buffer.from(value).toString('hex')));
    }
    expect(existsSync(canary())).toBe(false);
  });

  test.each([
    ['NUL', 'a\0b'],
    ['half a character', '\ud800'],
    ['a megabyte', 'x'.repeat(2 ** 20)],
  ])('%s is refused beside its field', async (_what, value) => {
    const id = await runs.addScript('true', { parameters: [parameter('VALUE')] });
    const { status, body } = await runs.send('run', {
      id,
      server_ids: runs.servers,
      values: { VALUE: value },
      ...(await runs.site.proof()),
    });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['values.VALUE']]);
  });

  test.each([
    '',
    'a',
    'A B',
    'A;id',
    'A$(id)',
    'A`id`',
    "A'",
    'A"',
    'A=B',
    'A\nB',
    'A\0',
    '-oProxyCommand=id',
    'Ä',
    '1A',
    'A-B',
    '__proto__',
    'constructor',
    'PATH',
    'IFS',
    'ENV',
    'BASH_ENV',
    'LD_PRELOAD',
    'PS4',
    'LIVECODE_RUN',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    `A${'B'.repeat(60)}`,
  ])('%j is no name of a parameter', async (name) => {
    const { status, body } = await runs.send('add', { name: 'x', body: 'true', parameters: [parameter(name)] });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['parameters.0.name']]);
  });

  test('are checked by their types, and unknown ones refused', async () => {
    const parameters = [
      parameter('COUNT', 'number'),
      parameter('COLOR', 'choice', ['red', "it's"]),
      parameter('SURE', 'boolean'),
      { ...parameter('NAME'), required: true },
    ];
    const id = await runs.addScript('echo "$COUNT/$COLOR/$SURE/$NAME"', { parameters });
    const refused = async (values: object) => (await runs.send('run', { id, server_ids: runs.servers, values, dry: true })).body.fields;
    expect(await refused({ COUNT: '1; id', COLOR: 'blue', SURE: 'maybe' })).toEqual({
      ...{
        'values.COUNT': 'parameter_number',
        'values.COLOR': 'parameter_choice',
        'values.SURE': 'parameter_choice',
        'values.NAME': 'required',
      },
    });
    expect(await refused({ NAME: 'x', PATH: '/tmp' })).toEqual({ 'values.PATH': 'invalid' });
    const run_id = await runs.run(id, { server_ids: [runs.servers[0]], values: { COUNT: '-1.5', COLOR: "it's", SURE: 'true', NAME: 'n' } });
    await runs.ended(run_id);
    expect(await runs.outputs(run_id)).toEqual(["-1.5/it's/true/n\n"]);
  });

  test('every text that is quoted is one word to a shell, to the byte', { tags: 'full' }, () => {
    const texts = fc.sample(
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
      400,
    );
    const words = [...texts, 'x'.repeat(2 ** 20)];
    const input = words.map((word) => `v=${quote(word)}\nprintf '%s\\000' "$v"\n`).join('');
    for (const shell of ['sh', 'bash']) {
      const printed = execFileSync(shell, ['-s'], { input, maxBuffer: 2 ** 24 });
      expect(printed.equals(Buffer.from(words.map((word) => `${word}\0`).join('')))).toBe(true);
    }
    expect(() => quote('a\0b')).toThrow();
  });
});

describe('scripts', () => {
  test('keep every version of what they run, and not of their names', async () => {
    const id = await runs.addScript('echo 1');
    const update = async (input: object) => (await runs.send('update', { id, ...input, ...(await runs.site.proof()) })).body;
    expect(await update({ name: `renamed ${id}`, remark: 'words' })).toMatchObject({ version: 1 });
    expect(await update({ body: 'echo 2' })).toMatchObject({ version: 2 });
    expect(await update({ body: 'echo 2', timeout_seconds: 10 })).toMatchObject({ version: 3 });
    expect(await update({ parameters: [parameter('A')] })).toMatchObject({ version: 4 });
    expect((await update({ parameters: [parameter('A'), parameter('A')] })).fields).toEqual({ 'parameters.1.name': 'taken' });
    const { body } = await runs.site.call(runs.site.owner, 'script', 'versions', { id });
    expect(body.content.map(({ version, body: text }) => [version, text])).toEqual([
      [4, 'echo 2'],
      [3, 'echo 2'],
      [2, 'echo 2'],
      [1, 'echo 1'],
    ]);
    expect(body.content[0]?.account).toBe(runs.site.owner.account);
  });

  test('go without what they ran', async () => {
    const id = await runs.addScript('echo kept');
    const run_id = await runs.run(id, { server_ids: [runs.servers[0]] });
    await runs.ended(run_id);
    expect((await runs.send('remove', { id, ...(await runs.site.proof()) })).body).toEqual({ affected: 1 });
    expect(await runs.details(run_id)).toMatchObject({ script_id: null, script_name: expect.stringContaining('script'), version: 1 });
    expect(await runs.outputs(run_id)).toEqual(['kept\n']);
    const { body } = await runs.site.call(runs.site.owner, 'script', 'runs', { server_id: runs.servers[0] ?? 0 });
    expect(body.content[0]).toMatchObject({ id: run_id, states: { succeeded: 1 }, account: runs.site.owner.account });
  });
});
