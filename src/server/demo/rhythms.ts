/** When people scan: `hours` from 0 to 23 o'clock and `weekdays` from Sunday to Saturday, as shares of the average. */
export type Rhythm = { hours: readonly number[]; weekdays: readonly number[] };

export const rhythms = {
  /** Posters in lifts and shop windows: on the way to work, at noon, on the way home. */
  street: {
    hours: [6, 3, 2, 1, 1, 4, 14, 38, 62, 54, 50, 58, 76, 62, 48, 50, 54, 66, 84, 90, 82, 64, 38, 16],
    weekdays: [0.86, 1.04, 0.98, 1, 1.02, 1.12, 0.98],
  },
  /** Groups, stories, parents: read on the sofa. */
  evening: {
    hours: [14, 6, 3, 2, 1, 3, 10, 22, 30, 32, 34, 40, 58, 48, 34, 34, 38, 46, 58, 82, 100, 104, 80, 40],
    weekdays: [1.12, 0.94, 0.94, 0.96, 0.96, 1.02, 1.08],
  },
  /** Handed out where children are picked up: afternoons, and the whole weekend. */
  lessons: {
    hours: [4, 2, 1, 1, 1, 2, 8, 24, 40, 58, 62, 52, 46, 48, 60, 72, 92, 96, 80, 88, 84, 60, 28, 10],
    weekdays: [1.42, 0.8, 0.8, 0.84, 0.84, 1, 1.5],
  },
  /** Tables of a café that is open from seven to ten. */
  tables: {
    hours: [0, 0, 0, 0, 0, 0, 0, 26, 72, 62, 48, 54, 88, 82, 76, 84, 70, 48, 46, 52, 44, 24, 0, 0],
    weekdays: [1.26, 0.84, 0.84, 0.88, 0.94, 1.14, 1.36],
  },
  /** Questions to a shop: office hours, some in the evening. */
  service: {
    hours: [8, 4, 2, 1, 1, 2, 6, 18, 46, 78, 84, 72, 52, 62, 80, 82, 74, 60, 48, 56, 58, 46, 26, 12],
    weekdays: [0.72, 1.2, 1.12, 1.08, 1.06, 1.04, 0.78],
  },
} as const satisfies Record<string, Rhythm>;
export type RhythmName = keyof typeof rhythms;
