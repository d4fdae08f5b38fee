import type { Config } from '../config.ts';
import type { ChildPlan } from './children.ts';
import type { SuccessorPlan } from './successor.ts';

/** What a supervisor starts, and how. */
export interface Parts {
  /** Answer visits, with or without the database. */
  visits: ChildPlan[];
  /** Are started when the data is prepared, and asked for then. */
  others: () => ChildPlan[];
  /** Migrates and seeds. Returns the first administrator's generated password, at the first start only. */
  prepareData: (config: Config, databaseUrl: string) => Promise<string | undefined>;
  /** Folders whose changed sources start the children anew; undefined outside development. */
  watched: string[] | undefined;
  /** Undefined where nothing exchanges the program while it runs. */
  successor?: SuccessorPlan | undefined;
  log: (line: string) => void;
  /** How long a part may take to stop. */
  graceMilliseconds?: number;
}

/** How long a part may take to stop, where nothing else is said. */
export const usualGrace = 10_000;
