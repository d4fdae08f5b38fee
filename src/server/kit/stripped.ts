/** For every process of ours: it reads the sources without their types, as they were laid down before the start, which spares it the stripper's memory. */
export const strippedSources = ['--import', new URL('../../../scripts/lib/load-stripped.mjs', import.meta.url).href];
