import type { Domain } from '../model.ts';
import { createLruCache } from './lru-cache.ts';

/** The enabled domains, found by what a browser sends as Host. */
export interface Hosts {
  find(hostHeader: string): Domain | undefined;
  byId(id: number): Domain | undefined;
  all(): readonly Domain[];
}

const rememberedHosts = 4096;
const unknown = Symbol('unknown host');

/** An exact name goes before a wildcard, a nearer wildcard before a farther one, and a name with the port before one without. */
export function createHosts(domains: readonly Domain[]): Hosts {
  const exact = new Map<string, Domain>();
  const wild = new Map<string, Domain>();
  const ids = new Map<number, Domain>();
  for (const domain of domains) {
    ids.set(domain.id, domain);
    if (domain.host.startsWith('*.')) wild.set(domain.host.slice(2), domain);
    else exact.set(domain.host, domain);
  }
  const remembered = createLruCache<Domain | typeof unknown>(rememberedHosts);

  const findName = (name: string): Domain | undefined => {
    const found = exact.get(name);
    if (found || wild.size === 0) return found;
    for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
      const above = wild.get(name.slice(dot + 1));
      if (above) return above;
    }
    return undefined;
  };

  return {
    find(hostHeader) {
      const known = remembered.get(hostHeader);
      if (known !== undefined) return known === unknown ? undefined : known;
      const { name, port } = splitHost(hostHeader);
      const found = (port && findName(`${name}:${port}`)) || findName(name);
      remembered.set(hostHeader, found || unknown);
      return found || undefined;
    },
    byId: (id) => ids.get(id),
    all: () => domains,
  };
}

/** `Example.com.:8080` → `example.com` and `8080`; the brackets of an IPv6 address stay. */
function splitHost(header: string): { name: string; port: string } {
  const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(header.trim().toLowerCase()) ?? [];
  return { name: name.endsWith('.') ? name.slice(0, -1) : name, port };
}
