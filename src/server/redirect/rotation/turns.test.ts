import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotationMode } from '../../../contract/enums.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { ask, destinationOf, startProcess, type TestProcess } from '../testing/process.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { positionReader, readSigningKey } from '../testing/visit-records.ts';
import { createSharedTurns } from './shared-turns.ts';
import { createTurns } from './turns.ts';

const round_robin = { rotation_mode: rotationMode.round_robin, fallback_url: 'https://fallback.example/' };

describe('turns that are dealt', () => {
  const question = (code: number, targets: number[], id = 1) => ({ turns: [{ id, code, targets }] });
  const deal = (turns: ReturnType<typeof createTurns>, code: number, targets: number[]) =>
    turns.answer(question(code, targets))?.turns[0]?.targets;

  it('go to each target after the others, also where some are left out for a while or are new', () => {
    const turns = createTurns(() => 0);
    expect([1, 2, 3, 4].map(() => deal(turns, 5, [7, 8, 9]))).toEqual([[7], [8], [9], [7]]);
    expect(deal(turns, 5, [7, 9])).toEqual([9]);
    expect(deal(turns, 5, [7, 8, 9])).toEqual([8]);
    expect(deal(turns, 5, [7, 8, 9, 10])).toEqual([10]);
    expect(deal(turns, 6, [7, 8])).toEqual([7]);
  });

  it('stay where somebody only looked', () => {
    const turns = createTurns(() => 0);
    const look = () => turns.answer({ turns: [{ id: 1, code: 5, targets: [7, 8], look: true }] })?.turns[0]?.targets;
    expect([look(), look(), deal(turns, 5, [7, 8]), look(), look(), deal(turns, 5, [7, 8])]).toEqual([[7], [7], [7], [8], [8], [8]]);
  });

  it('are as many as wait, and none for who asks ahead for a code that is not busy', () => {
    const turns = createTurns(() => 0);
    const dealt = (visits: number) => turns.answer({ turns: [{ id: 1, code: 5, targets: [7, 8, 9], visits }] })?.turns[0]?.targets;
    expect([dealt(4), dealt(0), dealt(3)]).toEqual([[7, 8, 9, 7], [], [8, 9, 7]]);
  });

  it('come in blocks for a code of more than 1,000 visits a second, and one by one when it is quiet again', () => {
    let now = 0;
    const turns = createTurns(() => now);
    const sizes: number[] = [];
    const counts = new Map<number, number>();
    for (; now < 1000; now += 0.5) {
      const dealt = deal(turns, 5, [1, 2, 3]) ?? [];
      sizes.push(dealt.length);
      for (const target of dealt) counts.set(target, (counts.get(target) ?? 0) + 1);
    }
    expect(sizes.slice(0, 200)).toEqual(Array(200).fill(1));
    expect(Math.max(...sizes)).toBeGreaterThan(8);
    const even = [...counts.values()];
    expect(Math.max(...even) - Math.min(...even)).toBeLessThanOrEqual(1);
    now += 1000;
    expect(deal(turns, 5, [1, 2, 3])).toHaveLength(1);
  });

  it('are asked for in one message a round, and given up where nobody answers, without asking again at once', async () => {
    const sent: { id: number; code: number; targets: number[] }[][] = [];
    const turns = createSharedTurns(({ turns: questions }) => void sent.push(questions));
    const heard: number[] = [];
    for (const code of [1, 2, 3]) expect(turns.next(code, [7, 8], (target) => heard.push(target))).toBeUndefined();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.map(({ code }) => code)).toEqual([1, 2, 3]);
    turns.hear({ turns: [{ id: sent[0]?.[1]?.id, targets: [8, 7] }] });
    expect(heard).toEqual([8]);
    expect(turns.next(2, [7, 8], () => {})).toBe(7);
    await expect.poll(() => heard).toEqual([8, 0, 0]);
    expect(turns.next(1, [7, 8], () => {})).toBe(0);
    turns.hear({ turns: [{ id: sent[0]?.[0]?.id, targets: [8] }] });
    expect(heard).toEqual([8, 0, 0]);
  });
});

describe('turns of one code that many wait for', () => {
  type Question = { id: number; code: number; targets: number[]; visits?: number };
  /** A process, the questions that it sent, and the visits that were told whose turn it is. */
  function openProcess() {
    const sent: Question[] = [];
    const turns = createSharedTurns(({ turns: questions }) => void sent.push(...questions));
    const heard: [visit: string, target: number][] = [];
    const next = (visit: string) => turns.next(1, [7, 8], (target) => void heard.push([visit, target]));
    const question = async (number: number): Promise<Question> => {
      await expect.poll(() => sent.length).toBe(number);
      return sent[number - 1] as Question;
    };
    return { sent, heard, next, question, answer: (id: number, targets: number[]) => turns.hear({ turns: [{ id, targets }] }) };
  }

  it('are asked for by one question, and served in the order in which visits came', async () => {
    const { sent, heard, next, question, answer } = openProcess();
    for (const visit of ['a', 'b']) expect(next(visit)).toBeUndefined();
    const first = await question(1);
    expect(first.visits).toBe(2);
    expect(next('c')).toBeUndefined();
    answer(first.id, [7, 8]);
    expect(heard).toEqual([
      ['a', 7],
      ['b', 8],
    ]);
    const second = await question(2);
    expect(second.visits).toBe(1);
    answer(second.id, [7]);
    expect(heard.at(-1)).toEqual(['c', 7]);
    expect(sent).toHaveLength(2);
  });

  it('are there before a block is used up', async () => {
    const { heard, next, question, answer } = openProcess();
    next('a');
    answer((await question(1)).id, [7, 8, 7, 8, 7]);
    expect([next('b'), next('c')]).toEqual([8, 7]);
    expect(next('d')).toBe(8);
    const ahead = await question(2);
    expect(ahead.visits).toBe(0);
    answer(ahead.id, [8, 7]);
    expect([next('e'), next('f'), next('g')]).toEqual([7, 8, 7]);
    expect(heard).toEqual([['a', 7]]);
  });

  it('are asked for one by one again once none are dealt ahead, whatever is left of a block', async () => {
    const { next, question, answer } = openProcess();
    next('a');
    answer((await question(1)).id, [7, 8, 7, 8, 7]);
    expect([next('b'), next('c'), next('d')]).toEqual([8, 7, 8]);
    answer((await question(2)).id, []);
    expect(next('e')).toBeUndefined();
    expect((await question(3)).visits).toBe(1);
  });
});

describe.each([2, 4])('a round-robin code, with %i processes on one port', (number) => {
  let database: TestDatabase;
  let records: Records;
  let dataDir: string;
  let port: number;
  let processes: TestProcess[];

  beforeAll(async () => {
    database = await createTestDatabase();
    records = await openRecords(database.url);
    await records.addDomain('entry.example');
    dataDir = makeTestFolder();
    port = await freePort();
    const turns = createTurns();
    const slots = Array.from({ length: number }, (_, slot) => String(slot));
    processes = await Promise.all(
      slots.map((slot) => startProcess({ databaseUrl: database.url, dataDir, port, slot, processes: number, turns })),
    );
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await records.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Where visits one after another are sent, each over a connection of its own, and how many processes answered them. */
  async function visit(path: string, visits: number) {
    const positionOf = positionReader({ dataDir, signingKey: await readSigningKey(records.client) });
    const order: string[] = [];
    const sources = new Set<string>();
    for (let one = 0; one < visits; one += 1) {
      const answer = await ask(port, path);
      order.push((destinationOf(answer) ?? '').split('/').at(-1) ?? '');
      sources.add(String(positionOf(String(answer.headers['x-visit-id']))?.source));
    }
    return { order, sources };
  }

  it('sends 45 visits one after another to the next target each', async () => {
    await records.addCode(
      'strict',
      round_robin,
      Array.from({ length: 4 }, () => ({})),
    );
    const { order, sources } = await visit('/strict', 45);
    expect(order).toEqual(Array.from({ length: 45 }, (_, index) => String(index % 4)));
    expect(sources.size).toBeGreaterThan(1);
  });

  it('goes on in turn whoever looks between: robots see the next target and leave it', async () => {
    await records.addCode('looked', round_robin, [{}, {}, {}]);
    for (let round = 0; round < 9; round += 1) {
      const next = `https://target.example/looked/${round % 3}`;
      for (const agent of ['curl/8.5.0', 'Mozilla/5.0 (compatible; bingbot/2.0)']) {
        expect(destinationOf(await ask(port, '/looked', { headers: { 'user-agent': agent } }))).toBe(next);
      }
      expect((await ask(port, '/looked', { method: 'HEAD' })).status).toBe(200);
      expect(destinationOf(await ask(port, '/looked'))).toBe(next);
    }
  });

  it('never repeats a target while another has visits left, also behind one that runs out', async () => {
    await records.addCode('limited', round_robin, [{ threshold: 3 }, {}, {}]);
    const { order } = await visit('/limited', 24);
    const limited = order.filter((target) => target === '0').length;
    expect(limited).toBeGreaterThan(0);
    expect(limited).toBeLessThanOrEqual(3);
    const repeated = order.flatMap((target, index) => (target === order[index - 1] ? index : []));
    expect(repeated).toEqual([]);
  });

  it('is even to a block under the load of 64 clients', async () => {
    await records.addCode(
      'busy',
      round_robin,
      Array.from({ length: 5 }, () => ({})),
    );
    const counts = new Map<string, number>();
    let left = 3000;
    const client = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (; left > 0; ) {
        left -= 1;
        const to = destinationOf(await ask(port, '/busy', { agent })) ?? '';
        counts.set(to, (counts.get(to) ?? 0) + 1);
      }
      agent.destroy();
    };
    await Promise.all(Array.from({ length: 64 }, client));
    expect([...counts.values()].reduce((sum, one) => sum + one, 0)).toBe(3000);
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(64);
  });
});

describe('processes whose supervisor says nothing', () => {
  it('answer all the same, each in turns of its own', async () => {
    const database = await createTestDatabase();
    const records = await openRecords(database.url);
    await records.addDomain('entry.example');
    const dataDir = makeTestFolder();
    const port = await freePort();
    const alone = await startProcess({ databaseUrl: database.url, dataDir, port });
    await records.addCode('alone', round_robin, [{}, {}, {}]);
    const order: string[] = [];
    for (let one = 0; one < 9; one += 1) order.push((destinationOf(await ask(port, '/alone')) ?? '').split('/').at(-1) ?? '');
    expect(order).toEqual(['0', '1', '2', '0', '1', '2', '0', '1', '2']);
    await alone.stop();
    await records.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
