import { type AnyColumn, type Column, ilike, or, type SQL, sql } from 'drizzle-orm';
import { canonicalCidr, canonicalIp, createCidrSet } from './ip.ts';

export type NetworkLine<S extends string> = { line: string; network: string | null; state?: S | 'invalid' | 'repeated' };

/**
 * What each line of a list of addresses and networks asks for. A line that is none, stands there already or is refused has its state;
 * those without one are to be stored. `refused` is asked once for each network, in its canonical spelling.
 */
export function readNetworkLines<S extends string>(
  lines: readonly string[],
  refused: (network: string) => S | undefined,
): { read: NetworkLine<S>[]; wanted: string[] } {
  const seen = new Set<string>();
  const wanted: string[] = [];
  const read = lines.map((line): NetworkLine<S> => {
    const network = canonicalCidr(line.trim());
    if (network === null) return { line, network, state: 'invalid' };
    if (seen.has(network)) return { line, network, state: 'repeated' };
    seen.add(network);
    const state = refused(network);
    if (state !== undefined) return { line, network, state };
    wanted.push(network);
    return { line, network };
  });
  return { read, wanted };
}

/** An address finds the networks that cover it; other text is looked for in network and remark, whatever its case. */
export function networkSearch(columns: { network: AnyColumn; remark: AnyColumn }, text: string | undefined): SQL | undefined {
  const wanted = text?.trim();
  if (!wanted) return undefined;
  const ip = canonicalIp(wanted);
  if (ip !== null) return sql`${columns.network} >>= ${ip}::inet`;
  const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  return or(ilike(columns.remark as Column, pattern), sql`${columns.network}::text ILIKE ${pattern}`);
}

/** Two networks, or addresses, that have an address in common: one of them holds the first address of the other. */
export function overlap(one: string, other: string): boolean {
  const firstOf = (network: string): string => network.split('/')[0] ?? '';
  return createCidrSet([one]).has(firstOf(other)) || createCidrSet([other]).has(firstOf(one));
}
