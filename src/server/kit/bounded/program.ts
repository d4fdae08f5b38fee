/** A program that reads what strangers sent, in processes of its own; `runBounded` starts it. */
export type BoundedProgram<Input, Output> = {
  /** A module that calls `serveTasks`. */
  file: URL;
  /** What its JavaScript may hold. Memory of native libraries counts in the process alone. */
  heapMegabytes: number;
  /** Only for the compiler: what its tasks take and give. */
  readonly types?: { input: Input; output: Output };
};

export type TaskMessage = { input: unknown; maxBytes: number; timeoutMilliseconds: number };

/** The signal by which a process ends that has used up its time: one that nothing else sends. */
export const timeLimitSignal = 'SIGVTALRM';

/** `resident` is what the process holds after the task, in bytes. */
export type TaskAnswer = { resident: number } & ({ output: unknown } | { failure: string });
