/** The beginning of a text, at most so long, that never ends in half a surrogate pair: PostgreSQL stores none. */
export const truncate = (text: string, most: number): string => text.slice(0, most).replace(/\p{Cs}$/u, '');
