import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { done, id, ids, line, time, timestamps } from '../kit/fields.ts';
import { statisticsScreens } from './statistics.ts';

/** So many a user may have, and so many characters each. */
export const maxNotes = 1000;
export const maxNoteCharacters = 200;

const fields = {
  text: line(maxNoteCharacters).min(1, 'required'),
  /** Beyond these years PostgreSQL and calendars spell moments in another way. */
  at: time.refine((at) => at >= '2000' && at < '2200', 'invalid_format'),
  /** Null: all codes of the user. */
  live_code_id: id.nullable(),
};

const note = z.object({ id, ...fields, ...timestamps });

const access = requireAny(...statisticsScreens);

/** What an owner writes beside his figures at a moment; `historical_statistics/annotations` shows it. */
export const visitNote = group('visit_note', {
  add: call({
    summary: 'Write a remark at a moment of the own figures, about one live code or all of them.',
    access,
    input: z.object({ ...fields, live_code_id: fields.live_code_id.optional() }),
    output: note,
    writes: true,
  }),
  update: call({
    summary: 'Change a remark of the own.',
    access,
    input: z.object({ id, ...z.object(fields).partial().shape }),
    output: note,
    writes: true,
  }),
  remove: call({ summary: 'Remove remarks of the own.', access, input: z.object({ ids }), output: done, writes: true }),
});
