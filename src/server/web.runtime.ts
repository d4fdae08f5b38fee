import { partEnvironment } from './worker.runtime.ts';

/**
 * How a web process is started. Without a limit V8 lets garbage grow with the machine's memory, and a flood of calls doubles what the
 * process holds; what people ask for needs a third of this.
 */
export const webRuntime: { args: string[]; env: Record<string, string> } = {
  args: ['--expose-gc', '--max-semi-space-size=8', '--max-old-space-size=384'],
  env: partEnvironment,
};
