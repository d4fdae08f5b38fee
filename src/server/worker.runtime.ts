import { join } from 'node:path';

/** The compile cache keeps the sources stripped of their types, which spares the stripper's memory. */
export const compileCache = (dataDir: string): { NODE_COMPILE_CACHE: string } => ({ NODE_COMPILE_CACHE: join(dataDir, 'compile-cache') });

/**
 * For parts that wait most of the time. glibc keeps what was freed, in an arena for each of up to eight threads a core: with these it gives
 * large parts back, which costs a call of the system now and then.
 */
export const partEnvironment = (dataDir: string): Record<string, string> => ({
  ...compileCache(dataDir),
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
});

/**
 * How a worker is started. Exports and seals make much garbage that is old at once: with little room for young objects a million rows pass
 * through 200 MB. Names are looked up on threads, of which libuv gives look-ups half: with its usual four, two names whose servers never
 * answer would hold up every request that goes out.
 */
export const workerRuntime = (dataDir: string): { args: string[]; env: Record<string, string> } => ({
  args: ['--expose-gc', '--max-semi-space-size=4', '--max-old-space-size=256'],
  env: { ...partEnvironment(dataDir), UV_THREADPOOL_SIZE: '32' },
});
