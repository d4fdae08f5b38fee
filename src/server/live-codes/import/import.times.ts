const clocks = new Map<string, Intl.DateTimeFormat>();

/** `2026-01-31 23:59:00` in the time zone. */
export function localTime(moment: string | number, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, clock);
  return clock.format(new Date(moment));
}

/** The moment of a time as tables have it: with a zone of its own, or in the site's; undefined where it is none. */
export function momentOf(text: string, timeZone: string): string | undefined {
  const local = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
  if (!local) {
    const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isFinite(moment) ? new Date(moment).toISOString() : undefined;
  }
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = local.slice(1).map((part) => Number(part ?? 0));
  const wanted = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(wanted).getUTCDate() === day && hour < 24 && minute < 60 && second < 60 && month <= 12;
  if (!isReal || year < 2000 || year > 2199) return undefined;
  // The zone's offset at the moment itself: asked at a first guess, and again at what that gives.
  const offsetAt = (moment: number) => Date.parse(`${localTime(moment, timeZone).replace(' ', 'T')}Z`) - moment;
  const guess = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(guess)).toISOString();
}
