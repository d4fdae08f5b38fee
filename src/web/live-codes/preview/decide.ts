import type { Target } from '../../../contract/codes/live-code.ts';
import { accessMode, rotationMode, visitRestriction } from '../../../contract/enums.ts';
import type { CodeValues, TargetValues } from '../edit/values.ts';

/** Who opens the code in the preview: by scanning or by a forwarded link, in the messenger or in a browser. */
export const visitors = ['scan_messenger', 'scan_browser', 'link_messenger', 'link_browser'] as const;
export type Visitor = (typeof visitors)[number];

export type Refusal = 'closed' | 'not_scanned' | 'not_messenger' | 'exhausted';

/** What a visitor gets to see. */
export type Sight =
  | { kind: 'refusal'; refusal: Refusal }
  | { kind: 'fallback'; url: string }
  | { kind: 'target'; target: TargetValues; index: number };

/** The targets that exist already, by id, as the server last counted them. */
export type LiveTargets = ReadonlyMap<number, Pick<Target, 'threshold' | 'remaining'>>;

export type Preview = { values: CodeValues; live: LiveTargets; now: number };

const isPast = (time: string | null, now: number) => time !== null && Date.parse(time) <= now;

/** Visits left of a target once the form is saved; null is endless. A changed threshold adds the difference to what is left. */
export function visitsLeft(target: TargetValues, live: LiveTargets): number | null {
  if (target.threshold === null) return null;
  const present = target.id === undefined ? undefined : live.get(target.id);
  if (!present || present.threshold === null || present.remaining === null) return target.threshold;
  return Math.max(0, present.remaining + target.threshold - present.threshold);
}

/** Whether rotation would choose this target now. */
export const isServing = (target: TargetValues, { live, now }: Omit<Preview, 'values'>): boolean =>
  target.enabled && !isPast(target.expires_at, now) && visitsLeft(target, live) !== 0;

/** The target that serves next; in a random rotation the likeliest one. */
function nextTarget(preview: Preview): { target: TargetValues; index: number } | undefined {
  const { targets, rotation_mode } = preview.values;
  const serving = targets.map((target, index) => ({ target, index })).filter(({ target }) => isServing(target, preview));
  // Of the visitor in the preview nothing is known: targets with rules serve him only where the others don't.
  const open = serving.filter(({ target }) => target.rules === null);
  const candidates = open.length > 0 ? open : serving;
  if (rotation_mode !== rotationMode.random) return candidates[0];
  return candidates.toSorted((one, other) => (other.target.weight ?? 1) - (one.target.weight ?? 1))[0];
}

/** The decision of a visit in the order of the visit path. `chosen` looks at one target whatever the rotation would take. */
export function sightOf(preview: Preview, visitor: Visitor, chosen: string | null): Sight {
  const { values, now } = preview;
  if (!values.open || isPast(values.expires_at, now)) return { kind: 'refusal', refusal: 'closed' };
  const [arrival, client] = visitor.split('_');
  if (values.access_mode === accessMode.scan_only && arrival === 'link') return { kind: 'refusal', refusal: 'not_scanned' };
  if (values.restriction_visit === visitRestriction.messenger_only && client === 'browser')
    return { kind: 'refusal', refusal: 'not_messenger' };
  const index = values.targets.findIndex((target) => target.key === chosen);
  const target = values.targets[index];
  const next = target ? { target, index } : nextTarget(preview);
  if (next) return { kind: 'target', ...next };
  return values.fallback_url ? { kind: 'fallback', url: values.fallback_url } : { kind: 'refusal', refusal: 'exhausted' };
}
