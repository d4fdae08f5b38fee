/** One language's messages by their whole keys, `common.shell.menu`. */
export type Messages = Record<string, string>;

/** Joins the keys of a nested message file; whatever isn't a text or an object becomes an empty text, which is a fault. */
export function flatten(tree: unknown, prefix: string): Messages {
  if (typeof tree === 'string') return { [prefix]: tree };
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) return { [prefix]: '' };
  return Object.assign({}, ...Object.entries(tree).map(([key, value]) => flatten(value, `${prefix}.${key}`)));
}

const gapsOf = (text: string) => [...text.matchAll(/\{\{\s*([^}]*?)\s*\}\}/g)].map((match) => match[1] ?? '').sort();

/** The message of which a key is a form for some numbers, as i18next names them: `labels_one` of `labels`. */
export const pluralBase = (key: string): string | undefined => /^(.+)_(?:zero|one|two|few|many)$/.exec(key)?.[1];

/** A form that only languages have which need it; what stands in all of them is a message of its own. */
function checkPlurals(key: string, base: string, catalogues: Record<string, Messages>): string[] {
  return Object.entries(catalogues).flatMap(([language, { [key]: form, [base]: whole }]) => {
    if (form === undefined) return [];
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    if (!pluralCategories.some((category) => key === `${base}_${category}`)) return [`${language}: ${key} is a form that it does not have`];
    const foreign = gapsOf(form).filter((gap) => !gapsOf(whole ?? '').includes(gap));
    return foreign.length > 0 ? [`${language}: ${key} has gaps that ${base} lacks (${foreign.join(', ')})`] : [];
  });
}

/** Faults of the message files among themselves: missing and empty texts, gaps that differ, gaps that the server cannot fill. */
export function checkCatalogues(catalogues: Record<string, Messages>): string[] {
  const faults: string[] = [];
  const languages = Object.keys(catalogues);
  const keys = [...new Set(Object.values(catalogues).flatMap((messages) => Object.keys(messages)))].sort();
  for (const key of keys) {
    const base = pluralBase(key);
    if (base !== undefined && keys.includes(base) && languages.some((language) => catalogues[language]?.[key] === undefined)) {
      faults.push(...checkPlurals(key, base, catalogues));
      continue;
    }
    for (const language of languages) {
      const text = catalogues[language]?.[key];
      if (text === undefined) faults.push(`${language}: ${key} is missing`);
      else if (text.trim() === '') faults.push(`${language}: ${key} is empty`);
      else
        for (const gap of gapsOf(text))
          if (!/^\w+$/.test(gap)) faults.push(`${language}: ${key} has a gap that isn't a plain name: ${gap}`);
    }
    const present = languages.filter((language) => catalogues[language]?.[key] !== undefined);
    const gaps = present.map((language) => [...new Set(gapsOf(catalogues[language]?.[key] ?? ''))].join(', '));
    const other = gaps.findIndex((list) => list !== gaps[0]);
    if (other > 0) faults.push(`${key}: ${present[0]} has the gaps (${gaps[0]}), ${present[other]} has (${gaps[other]})`);
  }
  return faults;
}

/** The keys that a key with variable parts may stand for, by the fixed texts around them. */
export function patternOf(template: readonly string[]): RegExp {
  const escaped = template.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('[a-z0-9_.-]+')}$`, 'i');
}
