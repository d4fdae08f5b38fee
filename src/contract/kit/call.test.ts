import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { groups } from '../api.ts';
import { allNodeKeys } from '../permissions.ts';
import { type Call, call, type Group, publicAccess, type requireAny } from './call.ts';

type Options = Parameters<typeof call>[0];
type Without<K extends keyof Options> = Omit<Options, K> extends Options ? 'compiles' : 'does not compile';

// The compiler is what fails here: `npm run check` reads tests too.
describe('a call', () => {
  test('without access, input, output or a summary does not compile', () => {
    expectTypeOf<Without<'access'>>().toEqualTypeOf<'does not compile'>();
    expectTypeOf<Without<'input'>>().toEqualTypeOf<'does not compile'>();
    expectTypeOf<Without<'output'>>().toEqualTypeOf<'does not compile'>();
    expectTypeOf<Without<'summary'>>().toEqualTypeOf<'does not compile'>();
    // So that the claims above are about the keys, not about the way they are made.
    expectTypeOf<Without<'writes'>>().toEqualTypeOf<'compiles'>();
  });

  test('is open to holders of nodes that exist, and to one at least', () => {
    expectTypeOf<'qr_code_list.add'>().toExtend<Parameters<typeof requireAny>[number]>();
    expectTypeOf<'qr_code_list.surely_not'>().not.toExtend<Parameters<typeof requireAny>[number]>();
    expectTypeOf<[]>().not.toExtend<Parameters<typeof requireAny>>();
  });

  test('names who may make it, whatever group it is in, by nodes of the tree', () => {
    const known = new Set<string>(allNodeKeys);
    for (const group of Object.values(groups as Record<string, Group>))
      for (const [action, { access }] of Object.entries(group.calls as Record<string, Call>)) {
        expect([group.name, action, ['public', 'login', 'nodes'].includes(access.kind)]).toEqual([group.name, action, true]);
        if (access.kind !== 'nodes') continue;
        expect(access.nodes.length).toBeGreaterThan(0);
        for (const node of access.nodes) expect([group.name, action, node, known.has(node)]).toEqual([group.name, action, node, true]);
      }
  });

  test('takes no key that its input does not name', () => {
    const { input } = call({ summary: '', access: publicAccess, input: z.object({ a: z.string() }), output: z.object({}) });
    expect(input.safeParse({ a: '' }).success).toBe(true);
    expect(input.safeParse({ a: '', b: '' }).success).toBe(false);
    expect(input.safeParse(JSON.parse('{"a":"","__proto__":{"b":1}}')).success).toBe(false);
  });
});
