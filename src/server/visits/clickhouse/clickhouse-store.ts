import type { SQL } from 'drizzle-orm';
import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import type { FilterDimension, VisitFilters } from '../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { ofOwner, ofProgram, passed } from '../statistics/visible.ts';
import type { Family } from '../statistics/workbench/dimensions.ts';
import type { Question, VisitStore } from '../statistics/workbench/store.ts';
import { codeConditions, filterCondition, within } from './ids.ts';
import { relationOf } from './relation.ts';
import { type Clickhouse, quoted } from './server.ts';

const hourSeconds = 3_600;
/** What asks for longer is asked of PostgreSQL instead. */
const questionMilliseconds = 60_000;

const positionsOf = (names: readonly string[]): number[] =>
  names.map((name) => outcomes.indexOf(name as (typeof outcomes)[number])).filter((position) => position >= 0);
const isAsked = ({ outcome }: VisitFilters): string => (outcome ? within('outcome', positionsOf(outcome)) : `outcome = ${passed}`);
const isRefused = `NOT ${within('outcome', positionsOf(grantedOutcomes))}`;

const momentOf = (milliseconds: number): string => `fromUnixTimestamp64Milli(toInt64(${Math.trunc(milliseconds)}), 'UTC')`;

/** What the clock of the site says is asked of the moment itself. */
function clockCondition(dimension: 'hour' | 'weekday', { filters, time_zone }: Question): string {
  const numbers = (filters[dimension] ?? []).map(Number).filter((number) => Number.isSafeInteger(number));
  const zone = quoted(time_zone);
  return within(dimension === 'hour' ? `toHour(toTimeZone(at, ${zone}))` : `toDayOfWeek(toTimeZone(at, ${zone}))`, numbers);
}

/** The visits that fit the filters, whatever their outcome, behind FROM. */
async function rowsThatFit(db: Database, clickhouse: Clickhouse, question: Question): Promise<string> {
  const { codes, span, filters } = question;
  const conditions = [
    `at >= ${momentOf(span.from)}`,
    `at < ${momentOf(span.to)}`,
    ...(codes ? [] : [`(short_code_id = 0 OR outcome NOT IN (${passed}, ${ofProgram}, ${ofOwner}))`]),
    ...(await codeConditions(db, question)),
  ];
  for (const dimension of Object.keys(filters) as FilterDimension[]) {
    if (dimension === 'outcome' || filters[dimension] === undefined) continue;
    const isOfClock = dimension === 'hour' || dimension === 'weekday';
    conditions.push(isOfClock ? clockCondition(dimension, question) : await filterCondition(db, dimension, question));
  }
  return `${clickhouse.database}.visit WHERE ${conditions.join(' AND ')}`;
}

const idOf: Record<Exclude<Family, 'time'>, string> = {
  outcome: 'outcome',
  target: 'target_id',
  place: 'place_id',
  // Which device a user agent is, PostgreSQL knows.
  device: 'agent_id',
  agent: 'agent_id',
  language: 'language_id',
  referer: 'referer_id',
  host: 'host_id',
};

const numbersOf = (column: unknown[] | undefined): number[] => (column ?? []).map(Number);

async function countedBy(db: Database, clickhouse: Clickhouse, question: Question, family: Family): Promise<SQL> {
  const { span, clock, filters } = question;
  const offset = (clock.hourOf(span.to - 1) / 1000) % hourSeconds;
  const hour = `intDiv(toUnixTimestamp(at) - ${offset}, ${hourSeconds}) * ${hourSeconds} + ${offset}`;
  const asked = family === 'outcome' ? '' : ` AND ${isAsked(filters)}`;
  const [keys, visits] = await clickhouse.columns(
    `SELECT ${family === 'time' ? hour : idOf[family]} AS key, count() AS visits FROM ${await rowsThatFit(db, clickhouse, question)}${asked} GROUP BY key`,
    questionMilliseconds,
  );
  return relationOf(family, [numbersOf(keys), numbersOf(visits)]);
}

/** The copy of the rows in ClickHouse: the same answers, in the time that columns take. */
export const clickhouseStore = (clickhouse: Clickhouse): VisitStore => ({
  counted: (db, question, family) => countedBy(db, clickhouse, question, family),

  countedTogether: async (db, _question, countings) => {
    const found: SQL[] = [];
    for (const { question, family } of countings) found.push(await countedBy(db, clickhouse, question, family));
    return { found };
  },

  figures: async (db, question, starts) => {
    const rows = await rowsThatFit(db, clickhouse, question);
    const asked = isAsked(question.filters);
    const steps = `[${starts.map((start) => Math.trunc(start / 1000)).join(',')}]`;
    const [step = [], ...sums] = await clickhouse.columns(
      `SELECT roundDown(toUnixTimestamp(at), ${steps}) AS step, countIf(${asked}), countIf(first_visit AND ${asked}), countIf(${isRefused}),
        countIf(outcome = ${ofProgram}), countIf(outcome = ${ofOwner}) FROM ${rows} GROUP BY step`,
      questionMilliseconds,
    );
    const [firstStep = [], ips = []] = await clickhouse.columns(
      `SELECT roundDown(toUnixTimestamp(first), ${steps}) AS step, count() FROM (
        SELECT min(at) AS first FROM ${rows} AND ${asked} GROUP BY live_code_id, ip, toDate(toTimeZone(at, ${quoted(question.time_zone)}))
      ) GROUP BY step`,
      questionMilliseconds,
    );
    const ipsOf = new Map(firstStep.map((start, index) => [start, Number(ips[index])]));
    const positions = new Map(starts.map((start, index) => [Math.trunc(start / 1000), index + 1]));
    const found = step.map((start, index) => {
      const [visits = 0, new_ips = 0, refused = 0, programs = 0, own = 0] = sums.map((column) => Number(column[index]));
      return { step: positions.get(Number(start)) ?? 0, visits, ips: ipsOf.get(start) ?? 0, new_ips, refused, programs, own };
    });
    return { steps: found, areWhole: false };
  },

  returning: async (db, question, target_ids) => {
    const [ids = [], all = [], returning = []] = await clickhouse.columns(
      `SELECT target_id, count(), countIf(NOT first_visit) FROM ${await rowsThatFit(db, clickhouse, question)}
        AND outcome = ${passed} AND unique_ip AND ${within('target_id', target_ids)} GROUP BY target_id`,
      questionMilliseconds,
    );
    return ids.map((id, index) => ({ target_id: Number(id), all: Number(all[index]), returning: Number(returning[index]) }));
  },
});
