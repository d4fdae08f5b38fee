import { rotationMode } from '../../contract/enums.ts';
import type { Lease, Leases, Quota } from './leases.ts';
import type { Code, Target } from './model.ts';

/** A target for one visit, already taken from its lease; the quota to wait for; or null where no target has visits left. */
export type Choice = { target: Target; lease: Lease | undefined } | { wait: Quota } | null;

export interface Chooser {
  leases: Leases;
  /** From 0 to below 1. */
  random: () => number;
}

/** Chooses the target of a visit by the code's rotation. */
export function chooseTarget(code: Code, now: number, { leases, random }: Chooser): Choice {
  if (code.sole !== null) return tryTarget(code.sole, now, leases);
  const { usable } = code;
  switch (code.rotation_mode) {
    case rotationMode.random:
      return chooseByWeight(usable, now, leases, random);
    case rotationMode.round_robin:
      return chooseNext(code, now, leases);
    default:
      for (const target of usable) {
        const choice = tryTarget(target, now, leases);
        if (choice !== null) return choice;
      }
      return null;
  }
}

/** The target after the last one, in the order of this process: each process takes turns of its own, so that over all they are even. */
function chooseNext(code: Code, now: number, leases: Leases): Choice {
  const { usable } = code;
  for (let step = 0; step < usable.length; step += 1) {
    const position = (code.cursor + step) % usable.length;
    const target = usable[position];
    const choice = target === undefined ? null : tryTarget(target, now, leases);
    if (choice === null) continue;
    // A visit that has to wait chooses anew later, and it is still this target's turn.
    if ('target' in choice) code.cursor = position + 1;
    return choice;
  }
  return null;
}

function chooseByWeight(targets: readonly Target[], now: number, leases: Leases, random: () => number): Choice {
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

const isExpired = (target: Target, now: number): boolean => target.expires_at !== null && now >= target.expires_at;

function mayHaveVisits(target: Target, now: number, leases: Leases): boolean {
  if (isExpired(target, now)) return false;
  return target.quota === null || target.quota.left > 0 || leases.canAsk(target.quota, now);
}

function tryTarget(target: Target, now: number, leases: Leases): Choice {
  if (isExpired(target, now)) return null;
  const { quota } = target;
  if (quota === null) return { target, lease: undefined };
  const lease = leases.take(quota, now);
  if (lease !== undefined) return { target, lease };
  return leases.canAsk(quota, now) ? { wait: quota } : null;
}
