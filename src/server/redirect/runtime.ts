/**
 * How a redirect process is started. Its heap is bounded, so that garbage is collected before it is a multiple of what is held. Visits
 * live for a millisecond: a young generation that fits the processor's cache is faster than a large one, and V8 must not learn from a burst
 * of loading that they are allocated among old objects, where they wait for a full collection.
 */
export const redirectRuntime: { args: string[] } = {
  args: ['--max-semi-space-size=2', '--no-allocation-site-pretenuring', '--max-old-space-size=512'],
};
