import { sql } from 'drizzle-orm';
import { bigint, customType, text } from 'drizzle-orm/pg-core';
import { amountOf, millionthsOf } from '../../../contract/money/amounts.ts';
import { canonicalCidr } from '../network/ip.ts';

/** The generated id of a table, as every table has it. */
export const idColumn = () => bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity();
/** A column that holds another row's id. */
export const reference = (name: string) => bigint(name, { mode: 'number' });
/** A moment, ISO 8601 in UTC in TypeScript as on the wire, so that no layer maps it. */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
});
/** When a row was made, and when it was last changed. */
export const timestamps = () => ({
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});
/** When, why and by whom an administrator froze a row. */
export const freezing = () => ({
  frozen_at: moment('frozen_at'),
  frozen_reason: text('frozen_reason').notNull().default(''),
  frozen_by: reference('frozen_by'),
});
/** A truth that the specification spells 1 for false and 2 for true. */
export const noOrYes = customType<{ data: 1 | 2; driverData: boolean }>({
  dataType: () => 'boolean',
  toDriver: (value) => value === 2,
  fromDriver: (value) => (value ? 2 : 1),
});
/** A truth that the specification spells 1 for shown and 2 for hidden. */
export const shownOrHidden = customType<{ data: 1 | 2; driverData: boolean }>({
  dataType: () => 'boolean',
  toDriver: (value) => value === 1,
  fromDriver: (value) => (value ? 1 : 2),
});
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** An address or network. PostgreSQL writes a single address with its `/32`; everywhere else it has none. */
export const network = customType<{ data: string; driverData: string }>({
  dataType: () => 'cidr',
  fromDriver: (value) => canonicalCidr(value) ?? value,
});
/** USDT as on the wire, with six decimals; the database holds millionths. */
export const usdt = customType<{ data: string; driverData: string | number }>({
  dataType: () => 'bigint',
  toDriver: (value) => millionthsOf(value).toString(),
  fromDriver: (value) => amountOf(BigInt(value)),
});
