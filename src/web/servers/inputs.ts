type Values = Record<string, unknown>;

/** What was typed: a field that was left empty says nothing. */
export const typedOnly = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ''));
