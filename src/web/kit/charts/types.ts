/** One line of a chart. `name` is a message key or text; `at` is ISO 8601 in UTC, the start of its step. */
export type Series = {
  key: string;
  name: string;
  points: readonly { at: string; value: number }[];
  /** Position in the palette; default its position in the list. */
  color?: number;
  /** Drawn thin and dashed throughout: a comparison, not the matter itself. */
  isFaint?: boolean;
};

export type Step = 'minute' | 'hour' | 'day' | 'week' | 'month';

/** What happened at a moment, drawn as a line across the steps; `at` is the start of the step that it fell in. */
export type Mark = { at: string; label: string /** A click on it leads on: it is drawn larger. */; isOpenable?: boolean };

/** One part of a breakdown. */
export type Part = { key: string; label: string; value: number };
