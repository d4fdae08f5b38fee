import { rotationMode } from '../../../contract/enums.ts';
import { fittingRule, type RuleFacts } from '../../kit/visits/targeting.ts';
import type { Code, Target, Targeting } from '../model.ts';
import type { Leases } from './leases.ts';
import type { Lease, Quota } from './quota.ts';

/** A target for one visit, already taken from its lease; the quota to wait for; or null where no target has visits left. */
export type Taken = { target: Target; lease: Lease | undefined } | { wait: Quota } | null;
/** Or whose turn it is was asked of the supervisor. */
export type Choice = Taken | typeof asked;
export const asked = { asked: true } as const;

export interface Chooser {
  leases: Pick<Leases, 'take' | 'canAsk'>;
  /** Only looks where a visitor would go now: takes no turn; its `leases` give none. */
  isLook?: boolean;
  /** From 0 to below 1. */
  random: () => number;
  /** Whose turn it is among the targets, over all processes of the host, or undefined: it is asked for. Without it this process takes turns of its own. */
  turnOf?: ((code: Code, targets: readonly Target[]) => Target | undefined) | undefined;
  /** For who asks for the same visitors again and again, and remembers. */
  fittingOf?: typeof fittingTargets;
}

/**
 * Chooses the target of a visit by the code's rotation.
 * @param facts of the visitor, where the code has `targeting`
 * @param kept the target that he had before and keeps while it is usable for him
 */
export function chooseTarget(code: Code, now: number, chooser: Chooser, facts?: RuleFacts, kept?: Target): Choice {
  const { leases } = chooser;
  if (code.sole !== null) return tryTarget(code.sole, now, leases);
  const { targeting } = code;
  if (kept !== undefined && (targeting === null || isFor(kept, facts))) {
    const choice = tryTarget(kept, now, leases);
    if (choice !== null) return choice;
  }
  if (targeting !== null) return chooseFor(code, targeting, now, chooser, facts);
  if (code.rotation_mode !== rotationMode.round_robin) return rotate(code, code.usable, now, chooser);
  return chooser.turnOf === undefined ? chooseNext(code, now, chooser) : chooseByTurn(code, code.usable, now, chooser);
}

/** Whether a target serves a visitor: one of its rules fits him, or it has none. */
const isFor = ({ compiled }: Target, facts: RuleFacts | undefined): boolean =>
  compiled === null || (facts !== undefined && fittingRule(compiled, facts) >= 0);

/** Targets with a rule that fits the visitor go before; where none of them has visits left, those serve him that serve everybody. */
function chooseFor(code: Code, targeting: Targeting, now: number, chooser: Chooser, facts: RuleFacts | undefined): Choice {
  const { fittingOf = fittingTargets } = chooser;
  const fitting = facts === undefined ? none : fittingOf(targeting, facts);
  if (code.rotation_mode !== rotationMode.round_robin) {
    return rotate(code, fitting, now, chooser) ?? rotate(code, targeting.open, now, chooser);
  }
  return chooseByTurn(code, fitting, now, chooser) ?? chooseByTurn(code, targeting.open, now, chooser);
}

const none: readonly Target[] = [];

/** Targets with a rule that fits a visitor. */
export function fittingTargets({ ruled }: Targeting, facts: RuleFacts): readonly Target[] {
  const [sole] = ruled;
  if (ruled.length === 1 && sole !== undefined) return isFor(sole, facts) ? ruled : none;
  const fitting: Target[] = [];
  for (const target of ruled) if (isFor(target, facts)) fitting.push(target);
  return fitting.length === ruled.length ? ruled : fitting;
}

function rotate(code: Code, targets: readonly Target[], now: number, { leases, random }: Chooser): Taken {
  if (code.rotation_mode === rotationMode.random) return chooseByWeight(targets, now, leases, random);
  for (const target of targets) {
    const choice = tryTarget(target, now, leases);
    if (choice !== null) return choice;
  }
  return null;
}

/** The one whose turn is longest ago, by the supervisor where it deals the turns, else in this process. */
function chooseByTurn(code: Code, targets: readonly Target[], now: number, chooser: Chooser): Choice {
  const { leases, turnOf } = chooser;
  return turnOf ? chooseDealt(code, targets, now, leases, turnOf) : chooseLongestAgo(code, targets, now, chooser);
}

function chooseDealt(
  code: Code,
  targets: readonly Target[],
  now: number,
  leases: Chooser['leases'],
  turnOf: NonNullable<Chooser['turnOf']>,
): Choice {
  let left = targets.filter((target) => mayHaveVisits(target, now, leases));
  for (;;) {
    const [first] = left;
    if (first === undefined) return null;
    const target = left.length === 1 ? first : turnOf(code, left);
    if (target === undefined) return asked;
    const choice = tryTarget(target, now, leases);
    if (choice !== null) return choice;
    left = left.filter((one) => one !== target);
  }
}

/** A visit that has to wait chooses anew later, and it is still this target's turn. */
function chooseLongestAgo(code: Code, targets: readonly Target[], now: number, { leases, isLook }: Chooser): Taken {
  const inTurn = targets.length > 1 ? targets.toSorted((a, b) => a.turn - b.turn) : targets;
  for (const target of inTurn) {
    const choice = tryTarget(target, now, leases);
    if (choice === null) continue;
    if ('target' in choice && !isLook) target.turn = ++code.cursor;
    return choice;
  }
  return null;
}

/** The target after the last one, in the order of this process. */
function chooseNext(code: Code, now: number, { leases, isLook }: Chooser): Taken {
  const { usable } = code;
  for (let step = 0; step < usable.length; step += 1) {
    const position = (code.cursor + step) % usable.length;
    const target = usable[position];
    const choice = target === undefined ? null : tryTarget(target, now, leases);
    if (choice === null) continue;
    // A visit that has to wait chooses anew later, and it is still this target's turn.
    if ('target' in choice && !isLook) code.cursor = position + 1;
    return choice;
  }
  return null;
}

function chooseByWeight(targets: readonly Target[], now: number, leases: Chooser['leases'], random: () => number): Taken {
  let total = 0;
  for (const target of targets) if (mayHaveVisits(target, now, leases)) total += target.weight;
  let point = random() * total;
  for (const target of targets) {
    if (!mayHaveVisits(target, now, leases)) continue;
    point -= target.weight;
    if (point < 0) return tryTarget(target, now, leases);
  }
  return null;
}

export const isExpired = (target: Pick<Target, 'expires_at'>, now: number): boolean =>
  target.expires_at !== null && now >= target.expires_at;

function mayHaveVisits(target: Target, now: number, leases: Chooser['leases']): boolean {
  if (isExpired(target, now)) return false;
  return target.quota === null || target.quota.left > 0 || leases.canAsk(target.quota);
}

function tryTarget(target: Target, now: number, leases: Chooser['leases']): Taken {
  if (isExpired(target, now)) return null;
  const { quota } = target;
  if (quota === null) return { target, lease: undefined };
  const lease = leases.take(quota);
  if (lease !== undefined) return { target, lease };
  return leases.canAsk(quota) ? { wait: quota } : null;
}
