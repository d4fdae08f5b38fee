import { rotationMode } from '../../../contract/enums.ts';
import { isServing, type Preview, visitsLeft } from '../preview/decide.ts';
import type { TargetValues } from './values.ts';

/** A message key with the figures of its text; `kind` says whether it only explains or points at something unintended. */
type RotationNote = { kind: 'info' | 'warning'; key: string; values: Record<string, string | number> };

const note = (key: string, values: Record<string, string | number> = {}, kind: RotationNote['kind'] = 'info'): RotationNote => ({
  kind,
  key: `set_qr_code.rotation_note.${key}`,
  values,
});

type Numbered = { target: TargetValues; number: number; left: number | null };

function sequentialNote(serving: readonly Numbered[]): RotationNote {
  const endless = serving.findIndex(({ left }) => left === null);
  const unreached = endless >= 0 ? serving[endless + 1] : undefined;
  const stopper = serving[endless];
  if (unreached && stopper) return note('unreached', { number: stopper.number, next: unreached.number }, 'warning');
  const [first, second] = serving;
  if (!first) return note('none', {}, 'warning');
  if (!second) return first.left === null ? note('single') : note('single_limited', { left: first.left }, 'warning');
  const last = serving.at(-1);
  const values = { number: first.number, left: first.left ?? 0, next: second.number };
  return last && last.left === null ? note('sequential', values) : note('sequential_ends', values, 'warning');
}

/** One sentence that says what the rotation does with the targets as they stand. */
export function rotationNote(preview: Preview): RotationNote {
  const { values, live } = preview;
  const serving = values.targets.flatMap((target, index) =>
    isServing(target, preview) ? [{ target, number: index + 1, left: visitsLeft(target, live) }] : [],
  );
  if (serving.length === 0) return note('none', {}, 'warning');
  const ruled = serving.filter(({ target }) => target.rules !== null).length;
  if (ruled === serving.length) return note('ruled_only', {}, 'warning');
  if (ruled > 0) return note('ruled', { targets: ruled });
  if (values.rotation_mode === rotationMode.sequential) return sequentialNote(serving);
  if (serving.length === 1) return sequentialNote(serving);
  return values.rotation_mode === rotationMode.random
    ? note('random', { targets: serving.length })
    : note('round_robin', { targets: serving.length });
}

/** The share of visits, 0–1, that a random rotation gives a target among those that serve; undefined for one that doesn't. */
export function randomShare(target: TargetValues, preview: Preview): number | undefined {
  if (!isServing(target, preview)) return undefined;
  const weights = preview.values.targets.filter((other) => isServing(other, preview)).map((other) => other.weight ?? 1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum > 0 ? (target.weight ?? 1) / sum : undefined;
}
