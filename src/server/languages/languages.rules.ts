import { maximumImportTexts, maximumText, type TextFault } from '../../contract/system/language-list.ts';

const gap = /\{\{\s*(\w+)\s*\}\}/g;
const gapsOf = (text: string): Set<string> => new Set([...text.matchAll(gap)].map(([, name = '']) => name));
/** Control characters but tab and line break. */
export const controlsIn = /[^\P{Cc}\t\n]/gu;
const hasControls = (text: string): boolean => text.search(controlsIn) >= 0;
/** Braces that make no gap, and the form by which one text would call another in. */
const malformed = /\{\{|\}\}|\$t\(/;

/** What is wrong with a text in the place of a built-in one; undefined where it fits. */
export function textFault(builtIn: string | undefined, text: unknown): TextFault | undefined {
  if (builtIn === undefined) return 'unknown_key';
  if (typeof text !== 'string') return 'not_text';
  if (text.trim() === '') return 'empty';
  if (text.length > maximumText) return 'too_long';
  if (hasControls(text) || !text.isWellFormed()) return 'invalid_characters';
  if (malformed.test(text.replace(gap, ''))) return 'malformed_gap';
  const [asked, given] = [gapsOf(builtIn), gapsOf(text)];
  if (!given.isSubsetOf(asked)) return 'unknown_gap';
  return asked.isSubsetOf(given) ? undefined : 'missing_gap';
}

const deepest = 8;

/**
 * The texts of a file by their whole keys, nested or flat; a key that comes twice counts the last time. What is no text stays what it is,
 * so that it can be named. Undefined where the file is no JSON object, or has too many texts.
 */
export function readTexts(json: string): Map<string, unknown> | undefined {
  let parsed: unknown;
  try {
    // Editors of some systems put a mark before the text.
    parsed = JSON.parse(json.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return undefined;
  const texts = new Map<string, unknown>();
  const isWhole = collect(parsed, '', deepest, texts);
  return isWhole ? texts : undefined;
}

function collect(tree: object, prefix: string, depth: number, into: Map<string, unknown>): boolean {
  return Object.entries(tree).every(([name, value]) => {
    if (into.size >= maximumImportTexts) return false;
    const key = (prefix + name).slice(0, 200);
    const isTree = value !== null && typeof value === 'object' && !Array.isArray(value);
    if (isTree && depth > 1) return collect(value, `${key}.`, depth - 1, into);
    into.set(key, value);
    return true;
  });
}
