import type { SQL } from 'drizzle-orm';
import type { VisitFilters } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import type { SiteClock } from '../../../kit/visits/site-clock.ts';
import type { RecentSpan, RecentVisits } from '../recent-visits.ts';
import type { CodeCondition, Span } from '../spans.ts';
import type { Hidden } from '../visible.ts';
import type { Family } from './dimensions.ts';

export type Sums = { visits: number; ips: number; new_ips: number; refused: number; programs: number; own: number };

/** Which visits are counted. The span begins at the start of a day of the site, or lies within one; it may end at any moment. */
export type Question = {
  codes: CodeCondition;
  /** Of which of these codes figures of their own may be told; sums count the others, too. Undefined: of all. */
  open?: SQL | undefined;
  span: Span;
  hidden: Hidden;
  filters: VisitFilters;
  clock: SiteClock;
  time_zone: string;
  store: VisitStore;
  /** Targets that are gone count: who asks leaves them out. */
  withGone?: boolean | undefined;
  /** Who asks is told what is being made ready, and asks again, rather than wait for long. */
  isAskedAgain?: boolean | undefined;
};

/** Several questions that differ in filters that they leave out, and what each counts; what is `isApart` may be told outside of PostgreSQL. */
export type Counting = { question: Question; family: Family; isApart?: boolean };
/** Subqueries by position; in the place of some, sums `apart`, by id, of what was counted outside of PostgreSQL. */
export type Countings = { fitting?: SQL; found: SQL[]; apart?: readonly (Map<number, number> | undefined)[] };

export type StepSums = { step: number } & Sums;
/** `areWhole` where no visit of those that are asked for went without a row. */
export type Figures = { steps: StepSums[]; areWhole: boolean };

/** Answers what only rows of visits know. What counts by hour know is asked of PostgreSQL in any case. */
export type VisitStore = {
  /** The visits that fit, as a subquery with the columns id (of the family's dictionary), at (their hour) and visits. */
  counted: (db: Database, question: Question, family: Family) => Promise<SQL>;
  /** The same for several countings; their subqueries may read from `fitting`, which stands before them. */
  countedTogether: (db: Database, question: Question, countings: readonly Counting[]) => Promise<Countings>;
  /** What counts of places and devices know, where this store knows all of it, and sooner. */
  ofCounts?: (db: Database, question: Question, countings: readonly Counting[]) => Promise<Countings | undefined>;
  /** What `sumsOfCodes` tells of the question's span, without filters, where this store knows it sooner. */
  sumsOfCodes?: (db: Database, question: Question) => Promise<SQL | undefined>;
  /** The figures by step, from 1 on; steps without visits may be left out. Addresses count where the first visit of the day stands that fits. */
  figures: (db: Database, question: Question, starts: readonly number[]) => Promise<Figures>;
  /** The last minutes, of whose hours the question is, where this store knows them sooner. */
  recent?: (db: Database, question: Question, span: RecentSpan) => Promise<RecentVisits | undefined>;
  /** The visits of each target, also of those that are gone, and who tells returning visitors of some of them; where this store knows it sooner. */
  targets?: (db: Database, question: Question) => Promise<{ visits: Map<number, number>; returning: VisitStore['returning'] } | undefined>;
  /** First visits of a day by target, and those of addresses that had been here on another day. */
  returning: (
    db: Database,
    question: Question,
    target_ids: readonly number[],
  ) => Promise<{ target_id: number; all: number; returning: number }[]>;
};
