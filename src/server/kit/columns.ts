import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** The generated id of a table, as every table has it. */
export const idColumn = () => bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
/** A column that holds another row's id. */
export const reference = (name: string) => bigint(name, { mode: 'number' });
/** A moment; a `Date` inside, ISO 8601 on the wire. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
