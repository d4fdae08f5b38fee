/** Lets so many pieces of work run at once; the others wait in their order. */
export function createSemaphore() {
  const waiting: (() => void)[] = [];
  let running = 0;
  let most = 1;

  function begin(): void {
    while (running < most) {
      const next = waiting.shift();
      if (!next) return;
      running += 1;
      next();
    }
  }

  return {
    /** From now on; what runs already is not broken off. */
    allow(number: number): void {
      most = number;
      begin();
    },
    async run<T>(work: () => Promise<T>): Promise<T> {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        begin();
      });
      try {
        return await work();
      } finally {
        running -= 1;
        begin();
      }
    },
  };
}
export type Semaphore = ReturnType<typeof createSemaphore>;
