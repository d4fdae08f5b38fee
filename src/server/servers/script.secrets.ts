import { type ScriptParameter, secretMask } from '../../contract/system/script.ts';
import type { Vault } from '../kit/vault.ts';

export type Secrets = Record<string, string>;

/** The labels that secret values are sealed under. */
export const runSecretsLabel = (id: number): string => `script run secrets:${id}`;
export const scheduleSecretsLabel = (id: number): string => `script schedule secrets:${id}`;

/** Null where there are none. */
export const sealSecrets = (vault: Vault, secrets: Secrets, label: string): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : vault.seal(Buffer.from(JSON.stringify(secrets)), label);
export const openSecrets = (vault: Vault, sealed: Buffer | null, label: string): Secrets =>
  sealed ? (JSON.parse(vault.open(sealed, label).toString()) as Secrets) : {};

/** The secret values apart, and a mask in their places: what is stored and shown in the clear has no more. */
export function hideSecrets(parameters: readonly ScriptParameter[], values: Readonly<Record<string, string>>) {
  const names = new Set(parameters.filter(({ type }) => type === 'secret').map(({ name }) => name));
  const given = Object.entries(values).filter(([name, value]) => names.has(name) && value !== '');
  const masked = Object.fromEntries(given.map(([name]) => [name, secretMask]));
  return { shown: { ...values, ...masked }, secrets: Object.fromEntries(given.filter(([, value]) => value !== secretMask)) };
}

/** Values as a form sends them back: an empty secret, or its mask, is the one that is known already. */
export function withKnown(parameters: readonly ScriptParameter[], values: Readonly<Record<string, string>>, known: Secrets) {
  const kept = parameters.filter(({ name, type }) => type === 'secret' && ['', secretMask, undefined].includes(values[name]));
  return { ...values, ...Object.fromEntries(kept.map(({ name }) => [name, known[name] ?? ''])) };
}

/** Shorter lines than that would be found everywhere. */
const minMasked = 4;

/** Hides secret values in what a script prints, also where one comes in two parts. Each line of a value counts by itself. */
export function createMask(secrets: Secrets) {
  const words = [...new Set(Object.values(secrets).flatMap((value) => [value, ...value.split(/\r?\n/)]))]
    .filter((word) => word.length >= minMasked)
    .sort((one, other) => other.length - one.length);
  const beginnings = new Set(words.map((word) => word[0]));
  let held = '';

  /** Hides what is whole; answers from where on the text may be the beginning of a secret that is not, which more text decides. */
  function hide(text: string): { shown: string; openFrom: number } {
    let shown = '';
    for (let at = 0; at < text.length; ) {
      if (!beginnings.has(text[at])) {
        shown += text[at++];
        continue;
      }
      const rest = text.slice(at, at + (words[0]?.length ?? 0));
      if (words.some((word) => word.length > rest.length && word.startsWith(rest))) return { shown, openFrom: at };
      const found = words.find((word) => rest.startsWith(word));
      shown += found ? secretMask : text[at];
      at += found?.length ?? 1;
    }
    return { shown, openFrom: text.length };
  }

  return {
    /** What of the text, and of what was held back before, can be shown. */
    add(text: string): string {
      if (words.length === 0) return text;
      const all = held + text;
      const { shown, openFrom } = hide(all);
      held = all.slice(openFrom);
      return shown;
    },
    /** What was held back, and was no secret after all; a shorter secret may stand in it. */
    end: (): string => words.reduce((shown, word) => shown.replaceAll(word, secretMask), held),
  };
}
