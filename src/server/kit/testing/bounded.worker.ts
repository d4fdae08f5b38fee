import { serveTasks } from '../bounded/child.ts';
import type { BoundedProgram } from '../bounded/program.ts';

/** What a hostile file makes a program do. */
export type TestTask =
  | { act: 'echo'; content: unknown; milliseconds?: number }
  | { act: 'environment' | 'spin' | 'fill_heap' | 'fill_native' | 'throw' | 'exit' };
export type TestAnswer = { pid: number; content?: unknown };

export const testProgram: BoundedProgram<TestTask, TestAnswer> = { file: new URL(import.meta.url), heapMegabytes: 64 };

const held: unknown[] = [];

function perform(task: TestTask): TestAnswer | Promise<TestAnswer> {
  switch (task.act) {
    case 'echo': {
      const answer = { pid: process.pid, content: task.content };
      return new Promise((resolve) => setTimeout(() => resolve(answer), task.milliseconds ?? 0));
    }
    case 'environment':
      return { pid: process.pid, content: process.env };
    case 'spin':
      for (;;) Math.random();
    case 'fill_heap':
      for (;;) held.push(Array.from({ length: 1000 }, () => ({ value: Math.random() })));
    case 'fill_native':
      for (;;) held.push(Buffer.alloc(1_000_000, 1));
    case 'throw':
      throw new Error('a fault of the program');
    case 'exit':
      return process.exit(3);
  }
}

if (process.send && process.argv[1] === import.meta.filename) serveTasks(perform);
