import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type TestTask, testProgram } from '../testing/bounded.worker.ts';
import { eventually } from '../testing/eventually.ts';
import { createBoundedTasks, idleBytes } from './tasks.ts';

type Options = { key?: string; costBytes?: number; timeoutMilliseconds?: number };

const run = (
  tasks: ReturnType<typeof createBoundedTasks>,
  task: TestTask,
  { key = 'user:1', costBytes = 20_000_000, timeoutMilliseconds = 10_000 }: Options = {},
) => tasks.run(testProgram, { key, costBytes, timeoutMilliseconds }, task);

const echo = (content: unknown, milliseconds?: number): TestTask => ({ act: 'echo', content, ...(milliseconds && { milliseconds }) });

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a task', () => {
  // However long the machine lets them wait: what they take is the question here.
  const tasks = createBoundedTasks({ waitFactor: 600 });

  test('is answered with what its program makes of it, bytes included', async () => {
    const content = { text: '中文', bytes: Buffer.from([0, 1, 255]) };
    const answer = await run(tasks, echo(content));
    expect(answer).toMatchObject({ content: { text: '中文' } });
    expect([...(answer.content as { bytes: Uint8Array }).bytes]).toEqual([0, 1, 255]);
    expect(answer.pid).not.toBe(process.pid);
  });

  test('sees nothing of the environment, which holds secrets', async () => {
    expect((await run(tasks, { act: 'environment' })).content).toEqual({});
  });

  test.each([
    ['takes too long', { act: 'spin' }, { timeoutMilliseconds: 1000 }, 'time'],
    ['fills its heap', { act: 'fill_heap' }, { costBytes: 500_000_000 }, 'memory'],
    ['takes memory beside its heap', { act: 'fill_native' }, {}, 'memory'],
    ['fails', { act: 'throw' }, {}, 'crash'],
    ['ends its process', { act: 'exit' }, {}, 'crash'],
  ] as const)('that %s fails alone, and the next is answered', async (_name, task, options, reason) => {
    const other = run(tasks, echo('other', 100), { key: 'user:2' });
    await expect(run(tasks, task, options)).rejects.toMatchObject({ reason });
    expect((await other).content).toBe('other');
    expect((await run(tasks, echo('next'))).content).toBe('next');
  });

  test('whose process is killed from outside fails, and the next is answered', async () => {
    const { pid } = await run(tasks, echo(1));
    const failing = run(tasks, echo(2, 5000));
    process.kill(pid, 'SIGKILL');
    await expect(failing).rejects.toMatchObject({ name: 'Error' });
    expect((await run(tasks, echo(3))).content).toBe(3);
  });
});

test('a task that the machine has no time for is not told to ask too much', { tags: 'full' }, async () => {
  const failing = run(createBoundedTasks(), echo(1, 600_000), { timeoutMilliseconds: 300 });
  await expect(failing).rejects.toMatchObject({ reason: 'busy', isTooMuch: false });
});

describe('a task whose caller has left', () => {
  test('is ended, and one that waits does not begin', async () => {
    const tasks = createBoundedTasks({ maxRunning: 1 });
    await run(tasks, echo(0));
    const [running, waiting] = [new AbortController(), new AbortController()];
    const options = { costBytes: 20_000_000, timeoutMilliseconds: 60_000 };
    const first = tasks.run(testProgram, { key: 'user:1', ...options, signal: running.signal }, { act: 'spin' });
    const second = tasks.run(testProgram, { key: 'user:2', ...options, signal: waiting.signal }, echo(2));
    const third = run(tasks, echo(3), { key: 'user:3' });
    waiting.abort();
    await expect(second).rejects.toMatchObject({ reason: 'left' });
    running.abort();
    await expect(first).rejects.toMatchObject({ reason: 'left' });
    expect((await third).content).toBe(3);
  });
});

test('whoever sent what asked too much is held back, longer each time, and nobody else', async () => {
  const tasks = createBoundedTasks();
  tasks.holdBack('greedy');
  await expect(run(tasks, echo(1), { key: 'greedy' })).rejects.toMatchObject({ status: 429, details: { retryAfterSeconds: 10 } });
  tasks.holdBack('greedy');
  await expect(run(tasks, echo(1), { key: 'greedy' })).rejects.toMatchObject({ details: { retryAfterSeconds: 20 } });
  expect((await run(tasks, echo(2), { key: 'modest' })).content).toBe(2);
});

test('a process serves one task after the other, and ends when nothing comes', async () => {
  const tasks = createBoundedTasks({ idleMilliseconds: 150 });
  const { pid } = await run(tasks, echo(1));
  expect((await run(tasks, echo(2))).pid).toBe(pid);
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect((await run(tasks, echo(3))).pid).not.toBe(pid);
});

describe('where many wait', () => {
  test('users are served in turn', async () => {
    const tasks = createBoundedTasks({ maxRunning: 2 });
    // How long a process takes to start says nothing about turns.
    await Promise.all([run(tasks, echo(1), { key: 'x' }), run(tasks, echo(2), { key: 'y' })]);
    const order: string[] = [];
    const ask = async (key: string) => {
      await run(tasks, echo(key, 20), { key });
      order.push(key);
    };
    const greedy = Array.from({ length: 10 }, () => ask('greedy'));
    const modest = ['a', 'b', 'c'].map((key) => ask(key));
    await Promise.all([...greedy, ...modest]);
    // Whoever came later waits for a few of the greedy one's tasks, not for all of them.
    expect(order.slice(0, 8)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    expect(order).toHaveLength(13);
  });

  test('those beyond the limit are refused at once, with the time to come back', async () => {
    const tasks = createBoundedTasks({ maxRunning: 1, maxWaiting: 3, maxWaitingOfKey: 2 });
    const answers = [1, 2, 3, 4].map((number) => run(tasks, echo(number, 100), { key: 'greedy' }));
    const others = ['a', 'b'].map((key) => run(tasks, echo(key), { key }));
    const settled = await Promise.allSettled([...answers, ...others]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected']);
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const error of refused) expect(error).toMatchObject({ status: 429, code: 'busy', details: { retryAfterSeconds: 5 } });
  });

  test('tasks that together exceed the memory run one after the other, and small ones do not overtake them', async () => {
    const tasks = createBoundedTasks({ maxRunning: 2, budgetBytes: 2 * idleBytes + 100_000_000 });
    const order: string[] = [];
    const ask = async (key: string, costBytes: number, milliseconds: number) => {
      await run(tasks, echo(key, milliseconds), { key, costBytes });
      order.push(key);
    };
    await Promise.all([ask('first', 80_000_000, 200), ask('large', 90_000_000, 10), ask('small', 1_000_000, 1)]);
    expect(order[0]).toBe('first');
    expect(order).toHaveLength(3);
  });

  test('idle processes make room for one that needs their memory', async () => {
    const tasks = createBoundedTasks({ maxRunning: 2, budgetBytes: 3 * idleBytes });
    const both = await Promise.all(['a', 'b'].map((key) => run(tasks, echo(key, 50), { key, costBytes: 10_000_000 })));
    await run(tasks, echo('large'), { key: 'c', costBytes: 190_000_000 });
    expect(both.filter(({ pid }) => isAlive(pid))).toHaveLength(1);
  });
});

test.runIf(process.platform === 'linux')('a task runs below those that answer people', async () => {
  const { pid } = await run(createBoundedTasks(), echo(1));
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  expect(Number(fields[16])).toBeGreaterThan(0);
});
