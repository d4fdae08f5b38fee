import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Where a name that a package exports is made. */
type Origin = { path: string; name: string };

const importLine = /^import\s+([^'";]+?)\s+from\s+["']([^"']+)["'];?$/gm;
const exportFromLine = /^export\s+\{([^}]+)\}\s+from\s+["']([^"']+)["'];?$/gm;
const exportLine = /^export\s+\{([^}]+)\}\s*;?$/gm;
const defaultLine = /^export\s+default\s+(\w+)\s*;?$/gm;

/** `a as b, c` as pairs of the name there and the name here. */
const namesOf = (list: string): [string, string][] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [there = '', here = there] = part.split(/\s+as\s+/);
      return [there, here];
    });

/** What an import takes: `Default, { a as b }`. */
function takenBy(clause: string): [string, string][] {
  const [, first = '', list = ''] = /^(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\})?$/.exec(clause.trim().replaceAll(/\s+/g, ' ')) ?? [];
  return [...(first ? [['default', first] as [string, string]] : []), ...namesOf(list)];
}

/** The names that the entry of a package only hands on, and where they are made. */
export function originsOf(entry: string): Map<string, Origin> {
  const made = new Map<string, Origin>();
  for (const [, clause = '', path = ''] of entry.matchAll(importLine))
    for (const [there, here] of takenBy(clause)) if (path.startsWith('.')) made.set(here, { path, name: there });
  const origins = new Map<string, Origin>();
  for (const [, list = '', path = ''] of entry.matchAll(exportFromLine))
    for (const [there, here] of namesOf(list)) if (path.startsWith('.')) origins.set(here, { path, name: there });
  const hand = (there: string, here: string) => {
    const origin = made.get(there);
    if (origin) origins.set(here, origin);
  };
  for (const [, list = ''] of entry.matchAll(exportLine)) for (const [there, here] of namesOf(list)) hand(there, here);
  for (const [, name = ''] of entry.matchAll(defaultLine)) hand(name, 'default');
  return origins;
}

const library = /^@rc-component\/[\w-]+$/;

/**
 * Takes what antd uses of its libraries from the files that make it. Chunks are cut along imports: through the entry of a library every
 * page that needs one context of a form would load all of the form.
 */
export function directImports(): Plugin {
  const known = new Map<string, Map<string, Origin>>();
  return {
    name: 'direct-imports',
    apply: 'build',
    async transform(code, id) {
      if (!/node_modules[\\/](antd|@rc-component)[\\/].*\.js$/.test(id) || !code.includes('@rc-component/')) return null;
      const entries = new Map<string, string>();
      for (const [, , source = ''] of code.matchAll(importLine)) {
        const entry = library.test(source) ? await this.resolve(source, id) : null;
        if (!entry) continue;
        entries.set(source, entry.id);
        if (!known.has(entry.id)) known.set(entry.id, originsOf(readFileSync(entry.id, 'utf8')));
      }
      const direct = code.replace(importLine, (line: string, clause: string, source: string) => {
        const entry = entries.get(source);
        const origins = entry === undefined ? undefined : known.get(entry);
        const taken = takenBy(clause);
        if (entry === undefined || !origins || taken.length === 0 || taken.some(([name]) => !origins.has(name))) return line;
        return taken
          .map(([there, here]) => {
            const { path, name } = origins.get(there) as Origin;
            const file = JSON.stringify(join(dirname(entry), path));
            return name === 'default' ? `import ${here} from ${file};` : `import { ${name} as ${here} } from ${file};`;
          })
          .join('\n');
      });
      return { code: direct, map: null };
    },
  };
}
