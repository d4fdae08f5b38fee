import { type SQL, sql } from 'drizzle-orm';
import type { FilterDimension } from '../../../../contract/visits/historical-statistics.ts';

/** What dimensions are columns of: a dictionary that visits name by id, or something of the visit itself. */
export type Family = 'outcome' | 'target' | 'place' | 'device' | 'agent' | 'language' | 'referer' | 'host' | 'time';

export const familyOf: Record<FilterDimension, Family> = {
  outcome: 'outcome',
  target: 'target',
  carrier: 'place',
  country: 'place',
  region: 'place',
  city: 'place',
  source: 'device',
  app: 'device',
  system: 'device',
  brand: 'device',
  browser: 'device',
  model: 'agent',
  language: 'language',
  referer: 'referer',
  host: 'host',
  weekday: 'time',
  hour: 'time',
};

/** Dimensions of which a value may be one code's alone. */
export const namesCodes: readonly FilterDimension[] = ['target', 'host'];

/** A dimension's value, of the row of its family's dictionary (`named`), or of the moment `at` and its visit. */
export function valueSql(dimension: FilterDimension, { time_zone }: { time_zone: string }): SQL {
  const local = sql`at AT TIME ZONE ${time_zone}`;
  switch (dimension) {
    case 'app':
      return sql`CASE WHEN named.source IN ('browser', 'bot') THEN '' ELSE named.browser END`;
    case 'model':
      return sql`coalesce(nullif(named.model_name, ''), named.model)`;
    case 'language':
      return sql`split_part(split_part(coalesce(named.text, ''), ',', 1), ';', 1)`;
    case 'referer':
      return sql`coalesce(substring(named.text FROM '^[A-Za-z]+://([^/:?#]+)'), '')`;
    case 'host':
      return sql`coalesce(named.text, '')`;
    case 'outcome':
    case 'target':
      return sql`coalesce(id, 0)::text`;
    case 'weekday':
      return sql`extract(isodow FROM ${local})::integer::text`;
    case 'hour':
      return sql`extract(hour FROM ${local})::integer::text`;
    default:
      return sql`named.${sql.identifier(dimension)}`;
  }
}

/** The dictionary that a family's ids stand in; undefined where the id says it all. */
export const dictionaryOf: Partial<Record<Family, SQL>> = {
  place: sql`visit_place`,
  device: sql`visit_device`,
  agent: sql`visit_agent`,
  language: sql`visit_text`,
  referer: sql`visit_text`,
  host: sql`visit_text`,
};

/** 1 is Monday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
