/**
 * For parts that wait most of the time. glibc keeps what was freed, in an arena for each of up to eight threads a core: with these it gives
 * large parts back, which costs a call of the system now and then.
 */
export const partEnvironment: Record<string, string> = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * How a worker is started. Exports and seals make much garbage that is old at once: with little room for young objects a million rows pass
 * through 200 MB. Names are looked up on threads, of which libuv gives look-ups half: with its usual four, two names whose servers never
 * answer would hold up every request that goes out.
 */
export const workerRuntime: { args: string[]; env: Record<string, string> } = {
  args: ['--expose-gc', '--max-semi-space-size=4', '--max-old-space-size=256'],
  env: { ...partEnvironment, UV_THREADPOOL_SIZE: '32' },
};
