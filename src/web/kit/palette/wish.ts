export type Act = 'open' | 'close' | 'check';
/** Words for each act, and those around the name of what is meant ("all codes on"), in the user's language and in English. */
type ActWords = Record<Act | 'around', readonly string[]>;
type ParsedCommand = { act: Act | null; search: string };

const hostLike = /[^\s/@"'“”：:，。、]*[^\s/@"'“”：:，。、.]\.[^\s/@"'“”：:，。、.\u3000-\u9fff]+/u;
const isWestern = (word: string) => /^[\p{Script=Latin}\p{M}]+$/u.test(word);

/** A word of a script with spaces counts only when it stands alone: "close" isn't in "disclosed". */
const finds = (text: string, word: string): boolean =>
  isWestern(word) ? text.split(/[^\p{L}\p{M}]+/u).includes(word) : word !== '' && text.includes(word);

/**
 * What a typed text asks for: "disable all codes on a.com" closes, and looks for a.com. A link is looked for whole; without a word of an act
 * the text itself is.
 */
export function parseCommand(typed: string, words: ActWords): ParsedCommand {
  const text = typed.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return { act: null, search: text };
  const lower = text.toLowerCase();
  const act = (['close', 'open', 'check'] as const).find((one) => words[one].some((word) => finds(lower, word))) ?? null;
  if (act === null) return { act, search: text };
  const host = hostLike.exec(lower.replace(/[\u4e00-\u9fff]+/gu, ' '))?.[0] ?? hostLike.exec(lower)?.[0];
  const named = withoutWords(lower, words[act]);
  return { act, search: host ?? (withoutWords(named, words.around) || named) };
}

function withoutWords(text: string, words: readonly string[]): string {
  let rest = ` ${text} `;
  for (const word of words) rest = isWestern(word) ? rest.replaceAll(` ${word} `, ' ') : rest.replaceAll(word, ' ');
  return rest.trim().replace(/\s+/g, ' ');
}

/** Whether every word of the text stands in one of these, whatever its case. */
export function matches(text: string, candidates: readonly string[]): boolean {
  const hay = candidates.map((candidate) => candidate.toLowerCase());
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.some((candidate) => candidate.includes(word)));
}
