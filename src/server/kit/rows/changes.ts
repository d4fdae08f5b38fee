type Fields = Record<string, unknown>;

/** The fields that differ between two states of a row, for the audit row of a change. Fields that only one of them has count as changed. */
export function changesBetween(before: Fields, after: Fields): { before: Fields; after: Fields } {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  const only = (state: Fields) => Object.fromEntries(changed.filter((field) => field in state).map((field) => [field, state[field]]));
  return { before: only(before), after: only(after) };
}
