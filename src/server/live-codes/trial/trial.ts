import { and, or, sql } from 'drizzle-orm';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import type { JudgedVisitor, TrialDraft, TrialVisitor, trialCalls } from '../../../contract/codes/qr-code-trial.ts';
import { maxTrialRuns } from '../../../contract/codes/qr-code-trial.ts';
import { type Outcome, outcomes } from '../../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Settings } from '../../../contract/settings.ts';
import { graceMilliseconds } from '../../../contract/settings.visits.ts';
import type { Context } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { createRuleClock, plainPlace, type RuleFacts } from '../../kit/visits/targeting.ts';
import {
  type Owner,
  openTrial,
  type StoredCode,
  type StoredTarget,
  type Trial,
  type TrialVisitor as Visitor,
} from '../../redirect/trial.public.ts';
import { file } from '../../uploads/uploads.table.ts';
import { currentPlaces } from '../../visits/current-places.public.ts';
import { readDetails } from '../live-codes.public.ts';

type TestInput = ParsedInputOf<typeof trialCalls.test_visit>;
type TestOutput = OutputOf<typeof trialCalls.test_visit>;
type SimulateInput = ParsedInputOf<typeof trialCalls.simulate>;
type SimulateOutput = OutputOf<typeof trialCalls.simulate>;

const defaultVisits = 1000;
/** Other calls are answered in between. */
const visitsPerTurn = 500;

/** The target's place in the list that was tried, and what the answer calls it. */
type SimulatedTarget = { target_id: number | null; name: string };
type Opened = { trial: Trial; targets: SimulatedTarget[]; positions: Map<number, number>; settings: Settings };

/** The code as it is stored, or as a form holds it. What is drafted and what is stored is judged by the same rules. */
async function open({ id, draft }: Pick<TestInput, 'id' | 'draft'>, context: Context): Promise<Opened> {
  if (id === undefined && draft === undefined) throw invalidField('draft', 'required');
  const stored = id === undefined ? undefined : await readDetails(id, context);
  const settings = await context.settings();
  const owner = await readOwner(stored?.owner_id ?? context.scope.owner_id, context.db);
  const tried =
    draft === undefined
      ? (stored?.targets ?? []).map((target) => ({ ...target, is_shown: target.picture_url !== null }))
      : await drafted(draft, stored, context);
  // A target that isn't stored yet has a number of its own, which no stored one has.
  const targets = tried.map((target, index) => ({ ...target, id: target.id ?? -1 - index }));
  const trial = openTrial({
    code: codeOf(draft, stored, targets.map(storedTarget)),
    owner,
    disabled: new Set(targets.filter(({ enabled }) => enabled === false).map((target) => target.id)),
    jump_schemes: settings.jump_schemes,
    grace_milliseconds: graceMilliseconds(settings),
  });
  return {
    trial,
    targets: tried.map(({ id: target_id = null, name = '' }) => ({ target_id, name })),
    positions: new Map(targets.map((target, index) => [target.id, index])),
    settings,
  };
}

async function readOwner(id: number, db: Database): Promise<Owner> {
  const { rows } = await db.execute<Omit<Owner, 'id'>>(sql`
    SELECT disabled AS is_disabled, frozen_at IS NOT NULL AS is_frozen, (extract(epoch FROM member_expires_at) * 1000)::float8 AS member_expires_at, all_codes_open
    FROM user_account WHERE id = ${id}`);
  const [owner] = rows;
  if (!owner) throw new Error(`the user ${id} is gone`);
  return { id, ...owner };
}

type Draft = TrialDraft['targets'][number] & { is_shown: boolean };

/** Drafted targets, with what stored ones have left. */
async function drafted(draft: TrialDraft, stored: LiveCodeDetails | undefined, { db, scope }: Context): Promise<Draft[]> {
  const known = new Map(stored?.targets.map((target) => [target.id, target]));
  const files = draft.targets.flatMap(({ kind, content = '' }) =>
    kind === 'picture' && /^[1-9]\d{0,14}$/.test(content) ? Number(content) : [],
  );
  const usable = or(
    scope.changes(file.owner_id),
    isOneOf(
      file.id,
      [...known.values()].flatMap(({ kind, content }) => (kind === 'picture' ? Number(content) : [])),
    ),
  );
  const found =
    files.length === 0
      ? []
      : await db
          .select({ id: file.id })
          .from(file)
          .where(and(isOneOf(file.id, files), scope.all ? undefined : usable));
  const shown = new Set(found.map(({ id }) => String(id)));
  return draft.targets.map((target, index) => {
    const before = target.id === undefined ? undefined : known.get(target.id);
    if (target.id !== undefined && before === undefined) throw invalidField(`draft.targets.${index}.id`, 'unknown_target');
    const remaining = target.remaining === undefined ? remainingOf(target.threshold, before) : target.remaining;
    return { ...target, remaining, is_shown: shown.has(target.content ?? '') };
  });
}

/** As saving would leave it: a changed threshold adds the difference. */
function remainingOf(threshold: number | null | undefined, before: LiveCodeDetails['targets'][number] | undefined): number | null {
  if (threshold === undefined) return before?.remaining ?? null;
  if (threshold === null || before?.threshold == null) return threshold;
  return Math.max(0, (before.remaining ?? 0) + threshold - before.threshold);
}

function storedTarget({
  id,
  kind = 'url',
  content = '',
  name = '',
  weight = 1,
  threshold,
  remaining,
  expires_at,
  rules,
  is_shown,
}: Draft & { id: number }): StoredTarget {
  const left = remaining ?? threshold ?? null;
  return {
    id,
    kind,
    content,
    picture: is_shown ? content : null,
    any_picture: false,
    name,
    weight,
    is_limited: left !== null,
    generation: null,
    remaining: left,
    expires_at: expires_at ? Date.parse(expires_at) : null,
    rules: rules ?? null,
  };
}

function codeOf(draft: TrialDraft | undefined, stored: LiveCodeDetails | undefined, targets: StoredTarget[]): StoredCode {
  const expires_at = draft?.expires_at === undefined ? stored?.expires_at : draft.expires_at;
  const fallback_url = draft?.fallback_url === undefined ? stored?.fallback_url : draft.fallback_url;
  return {
    id: stored?.id ?? 0,
    file_name: stored?.file_name ?? '',
    owner_id: stored?.owner_id ?? 0,
    entry_domain_id: null,
    landing_domain_id: null,
    open: draft?.open ?? stored?.open ?? true,
    rotation_mode: draft?.rotation_mode ?? stored?.rotation_mode ?? 1,
    jump_type: 1,
    access_mode: stored?.access_mode ?? 1,
    restriction_visit: draft?.restriction_visit ?? stored?.restriction_visit ?? 1,
    open_log: false,
    fallback_url: fallback_url ?? null,
    page_title: '',
    page_text: '',
    page_style: 'card',
    page_color: null,
    expires_at: expires_at ? Date.parse(expires_at) : null,
    removed: stored?.removed ?? false,
    is_frozen: stored?.frozen != null,
    same_target: false,
    js_config_ids: [],
    targets,
  };
}

/** The visitor with what his address tells. */
async function meet(
  visitor: TrialVisitor,
  path: string,
  clock: ReturnType<typeof createRuleClock>,
  { db, now }: Context,
): Promise<Visitor> {
  const ip = visitor.ip ? canonicalIp(visitor.ip) : null;
  if (visitor.ip && ip === null) throw invalidField(`${path}.ip`, 'invalid_ip');
  const place = ip === null ? undefined : (await currentPlaces(db)).lookup(ip);
  const blocked =
    ip === null
      ? []
      : (
          await db.execute(
            sql`SELECT FROM visit_blacklist WHERE network >>= ${ip}::inet AND (expires_at IS NULL OR expires_at > ${now.toISOString()}) LIMIT 1`,
          )
        ).rows;
  const at = visitor.at === undefined ? now.getTime() : Date.parse(visitor.at);
  const facts: RuleFacts = {
    country: visitor.country ?? place?.country ?? '',
    region: visitor.region === undefined ? (place?.region ?? '') : plainPlace(visitor.region),
    carrier: visitor.carrier ?? place?.carrier ?? null,
    system: visitor.system ?? 'other',
    is_messenger: visitor.messenger ?? false,
    language: firstTag(visitor).toLowerCase(),
    ...clock(at),
  };
  return { facts, at, is_blocked: blocked.length > 0 };
}

const firstTag = ({ language = '' }: TrialVisitor): string => /^[a-z0-9-]+/i.exec(language)?.[0] ?? '';

const shownFacts = ({ is_messenger, ...facts }: RuleFacts): JudgedVisitor => ({ ...facts, messenger: is_messenger });

export async function testVisit(input: TestInput, context: Context): Promise<TestOutput> {
  const { trial, targets, positions, settings } = await open(input, context);
  const visitor = await meet(input.visitor, 'visitor', createRuleClock(settings.time_zone), context);
  // Explained first: the visit itself may take the last one.
  const explained = trial.explain(visitor);
  const tried = trial.visit(visitor);
  const chosen = tried.outcome === 'passed' ? (positions.get(tried.target.id) ?? null) : null;
  return {
    outcome: tried.outcome,
    target: chosen,
    fallback_url: tried.outcome === 'exhausted' ? trial.code.fallback : null,
    visitor: { ...shownFacts(visitor.facts), language: firstTag(input.visitor) },
    targets: explained.map((one, index) => ({
      index,
      ...(targets[index] ?? { target_id: null, name: '' }),
      ...one,
      verdict: index === chosen ? 'chosen' : one.verdict,
    })),
  };
}

export async function simulate(input: SimulateInput, context: Context): Promise<SimulateOutput> {
  const { trial, targets, positions, settings } = await open(input, context);
  const mix = input.visitors ?? [{ share: 1, visitor: {} }];
  const clock = createRuleClock(settings.time_zone);
  const visitors: { until: number; visitor: Visitor }[] = [];
  let total = 0;
  for (const [index, { share, visitor }] of mix.entries()) {
    total += share;
    visitors.push({ until: total, visitor: await meet(visitor, `visitors.${index}.visitor`, clock, context) });
  }
  const visits = input.visits ?? defaultVisits;
  const tally = createTally(targets, trial, positions);
  for (let number = 1; number <= visits; number += 1) {
    const point = Math.random() * total;
    const coming = visitors.find(({ until }) => point < until)?.visitor;
    if (coming) tally.add(number, trial.visit(coming));
    if (number % visitsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { visits, ...tally.sums() };
}

function createTally(named: readonly SimulatedTarget[], trial: Trial, positions: ReadonlyMap<number, number>) {
  const idOf = new Map([...positions].map(([id, index]) => [index, id]));
  const targets: SimulateOutput['targets'] = named.map((target, index) => ({
    index,
    ...target,
    visits: 0,
    first_visit: null,
    last_visit: null,
    used_up_at: null,
    remaining: null,
  }));
  const counts = new Map<Outcome, number>();
  const runs: SimulateOutput['runs'] = [];
  let isCut = false;

  const run = (number: number, target: number | null, outcome: Outcome): void => {
    const last = runs.at(-1);
    if (isCut) return;
    if (last && last.target === target && last.outcome === outcome) last.visits += 1;
    else if (runs.length < maxTrialRuns) runs.push({ target, outcome, from: number, visits: 1 });
    else isCut = true;
  };

  return {
    add(number: number, tried: ReturnType<Trial['visit']>): void {
      counts.set(tried.outcome, (counts.get(tried.outcome) ?? 0) + 1);
      const position = tried.outcome === 'passed' ? (positions.get(tried.target.id) ?? null) : null;
      run(number, position, tried.outcome);
      const target = targets[position ?? -1];
      if (!target || tried.outcome !== 'passed') return;
      target.visits += 1;
      target.first_visit ??= number;
      target.last_visit = number;
      if (trial.remaining(tried.target.id) === 0) target.used_up_at = number;
    },
    sums: () => ({
      outcomes: outcomes.flatMap((outcome) => ({ outcome, visits: counts.get(outcome) ?? 0 })).filter((sum) => sum.visits > 0),
      targets: targets.map((target) => ({ ...target, remaining: trial.remaining(idOf.get(target.index) ?? 0) })),
      runs,
      is_cut: isCut,
    }),
  };
}
