/** A repeatable random number source (mulberry32), so that the demo looks the same everywhere. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of the choices, each as likely as its share of the sum of all. */
export function pick<T>(random: () => number, choices: readonly T[], share: (choice: T, index: number) => number): T {
  let rest = random() * choices.reduce((sum, choice, index) => sum + share(choice, index), 0);
  for (const [index, choice] of choices.entries()) {
    rest -= share(choice, index);
    if (rest < 0) return choice;
  }
  return choices[choices.length - 1] as T;
}
