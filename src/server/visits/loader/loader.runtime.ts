/**
 * How a loader is started. A batch makes much garbage that is old at once: with little room for young objects, and a bound that makes the
 * old ones be collected, catching up after an outage takes no more memory than going along.
 */
export const loaderRuntime = { args: ['--expose-gc', '--max-semi-space-size=4', '--max-old-space-size=160'] } as const;
