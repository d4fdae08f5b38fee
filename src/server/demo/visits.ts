import { accessMode, type Outcome, outcomes, rotationMode, visitRestriction } from '../../contract/enums.ts';
import type { VisitRecord } from '../kit/visits/journal/record.ts';
import type { DemoCode } from './codes.ts';
import { crawlers, newUserAgent } from './devices.ts';
import { newAddress, type Town } from './networks.ts';
import { pick, randomSource } from './random.ts';
import { rhythms } from './rhythms.ts';

export type DemoVisitedCode = {
  code: DemoCode;
  live_code_id: number;
  town: Town;
  /** Milliseconds since 1970. */
  created_at: number;
  /** `remaining` goes down with every visit; null never runs out. */
  targets: { id: number; weight: number; remaining: number | null }[];
};

type Random = () => number;
type Visitor = { ip: string; user_agent: string };

const day = 86_400_000;
/** China has one time zone and no summer time. */
const chinaOffset = 8 * 3_600_000;
/** So many of a business's visitors may come back. */
const rememberedVisitors = 1500;
/** Visits by a visitor who opened the same code a little earlier, of all; and among how many of its last visitors one is sought. */
const repeated = { share: 0.17, among: 8 };

/** How busy a code is on a day, as a share of its average: its weekday, luck, growth over the months, campaigns that ebb away. */
function moodOf(code: DemoCode, dayStart: number, daysAgo: number, random: Random): number {
  const chinaDay = Math.floor((dayStart + chinaOffset) / day);
  // The first of January 1970 was a Thursday.
  const weekday = rhythms[code.rhythm].weekdays[(chinaDay + 4) % 7] ?? 1;
  const campaign = code.campaignDays ? 1.1 * 0.55 ** (chinaDay % code.campaignDays) : 0;
  return weekday * (0.85 + random() * 0.3) * (1.2 - daysAgo / 200) * (1 + campaign);
}

function momentsOf(code: DemoCode, dayStart: number, daysAgo: number, random: Random): number[] {
  const hours = rhythms[code.rhythm].hours.map((share, hour) => ({ share, hour }));
  return Array.from(
    { length: Math.round(code.daily * moodOf(code, dayStart, daysAgo, random)) },
    () => dayStart + pick(random, hours, ({ share }) => share).hour * 3_600_000 + Math.floor(random() * 3_600_000),
  );
}

/** The target that serves this visit by the code's rotation; what a threshold has left goes down with it. */
function serve({ code, targets }: DemoVisitedCode, turn: number, random: Random): number {
  const open = targets.filter(({ remaining }) => remaining === null || remaining > 0);
  if (open.length === 0) return 0;
  const byRotation = {
    [rotationMode.sequential]: () => open[0],
    [rotationMode.random]: () => pick(random, open, ({ weight }) => weight),
    [rotationMode.round_robin]: () => open[turn % open.length],
  };
  const chosen = byRotation[code.rotation_mode]();
  if (chosen && chosen.remaining !== null) chosen.remaining -= 1;
  return chosen?.id ?? 0;
}

/** What keeps a visitor from the targets, if anything does; in the order of the visit path. */
function refusalOf(code: DemoCode, { user_agent }: Visitor, random: Random): Outcome | undefined {
  if (code.open === false) return 'closed';
  // A link that a visitor passed on carries no ticket.
  if (code.access_mode === accessMode.scan_only && random() < 0.11) return 'not_scanned';
  if (code.restriction_visit === visitRestriction.messenger_only && !user_agent.includes('MicroMessenger')) return 'not_messenger';
  return undefined;
}

function newProgram(random: Random): Visitor {
  const [user_agent, network] = pick(random, crawlers, () => 1);
  return { user_agent, ip: `${network}.${1 + Math.floor(random() * 254)}` };
}

/** What every machine on the internet gets: requests for what isn't there. */
function newStray(random: Random): Pick<VisitRecord, 'path' | 'ip' | 'user_agent'> {
  const path = pick(random, ['/wp-login.php', '/sitemap.xml', '/index.php', '/tea-sprng'], () => 1);
  return { path, ...newProgram(random) };
}

/** Messengers and search engines look at links that were passed on: so many a day and code. */
const programsADay = 3;
/** What serves everybody without limit serves programs too. */
const isOpenToPrograms = ({ code, targets }: DemoVisitedCode): boolean =>
  code.open !== false &&
  code.access_mode !== accessMode.scan_only &&
  code.restriction_visit !== visitRestriction.messenger_only &&
  targets.every(({ remaining }) => remaining === null);

/** Of those who see a group's picture, so many press it long enough to join. */
const pressedShare = 0.63;

const outcomeNumber = (outcome: Outcome): number => outcomes.indexOf(outcome);

/** Ninety days of visits up to `now`, in the order of their times. */
export function* visitsOf(codes: readonly DemoVisitedCode[], now: number, host: string): Generator<VisitRecord> {
  const random = randomSource(20_260_101);
  const presses = randomSource(20_260_102);
  const programs = randomSource(20_260_103);
  const turns = new Map<number, number>();
  const known = new Map<Town, Visitor[]>();
  const latest = new Map<number, Visitor[]>();
  const today = Math.floor((now + chinaOffset) / day) * day - chinaOffset;
  const common = {
    lease_id: 0,
    short_code_id: 0,
    forward_id: 0,
    open_log: true,
    proof_failure: 0 as const,
    host,
    referer: '',
    language: 'zh-CN',
    note: '',
  };

  const someVisitor = ({ code, town }: DemoVisitedCode): Visitor => {
    const remembered = known.get(town) ?? [];
    known.set(town, remembered);
    const returning = random() < code.returningShare ? remembered[Math.floor(random() * remembered.length)] : undefined;
    if (returning) return returning;
    const visitor = { ip: newAddress(random, town, code.localShare), user_agent: newUserAgent(random) };
    remembered[remembered.length < rememberedVisitors ? remembered.length : Math.floor(random() * rememberedVisitors)] = visitor;
    return visitor;
  };
  const visitorOf = (visited: DemoVisitedCode): Visitor => {
    const last = latest.get(visited.live_code_id) ?? [];
    const again = random() < repeated.share ? last[Math.floor(random() * last.length)] : undefined;
    const visitor = again ?? someVisitor(visited);
    latest.set(visited.live_code_id, [visitor, ...last.slice(0, repeated.among - 1)]);
    return visitor;
  };

  for (let daysAgo = 90; daysAgo >= 0; daysAgo--) {
    const dayStart = today - daysAgo * day;
    const visits: { at: number; visited: DemoVisitedCode | undefined; program?: Visitor }[] = codes
      .flatMap((visited) => momentsOf(visited.code, dayStart, daysAgo, random).map((at) => ({ at, visited })))
      .filter(({ at, visited }) => at >= visited.created_at);
    const looks = codes.filter(isOpenToPrograms).flatMap((visited) =>
      Array.from({ length: Math.floor(programs() * 2 * programsADay) }, () => ({
        at: dayStart + Math.floor(programs() * day),
        visited,
        program: newProgram(programs),
      })).filter(({ at }) => at >= visited.created_at),
    );
    const strays: typeof visits = Array.from({ length: 5 + Math.floor(random() * 8) }, () => ({
      at: dayStart + Math.floor(random() * day),
      visited: undefined,
    }));
    const inOrder = [...visits, ...looks, ...strays].filter(({ at }) => at < now).sort((one, other) => one.at - other.at);
    for (const { at, visited, program } of inOrder) {
      if (!visited) {
        yield { ...common, at, live_code_id: 0, target_id: 0, outcome: outcomeNumber('not_found'), ...newStray(random) };
        continue;
      }
      const { code, live_code_id } = visited;
      const visitor = program ?? visitorOf(visited);
      const turn = turns.get(live_code_id) ?? 0;
      const refusal = program ? undefined : refusalOf(code, visitor, random);
      const target_id = refusal ? 0 : serve(visited, turn, program ? programs : random);
      if (target_id > 0) turns.set(live_code_id, turn + 1);
      const outcome = outcomeNumber(refusal ?? (target_id > 0 ? 'passed' : 'exhausted'));
      yield { ...common, at, live_code_id, target_id, outcome, path: `/${code.file_name}`, ...visitor };
      const isPicture = code.targets[visited.targets.findIndex(({ id }) => id === target_id)]?.kind === 'picture';
      if (isPicture && !program && presses() < pressedShare) {
        yield { ...common, at, live_code_id, target_id, outcome: outcomeNumber('pressed'), open_log: false, path: '/~press', ...visitor };
      }
    }
  }
}
