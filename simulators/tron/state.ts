/** Balances of the chain, each under a name, with what they were before each block: a reorganisation takes blocks back. */
export type State = ReturnType<typeof createState>;

export const trxOf = (address: string): string => `trx ${address}`;
export const tokensOf = (contract: string, address: string): string => `token ${contract} ${address}`;
/** Whether a contract's owner has put the address on its blacklist. */
export const listedOf = (contract: string, address: string): string => `listed ${contract} ${address}`;
/** Sun staked for energy, energy that others delegated, and what of both is used. */
export const stakeOf = (address: string, part: 'staked' | 'lent' | 'used'): string => `energy ${part} ${address}`;
export const bandwidthOf = (address: string, day: number): string => `bandwidth ${address} ${day}`;

export function createState() {
  const values = new Map<string, bigint>();
  let journal: [string, bigint | undefined][] = [];
  return {
    read: (name: string): bigint => values.get(name) ?? 0n,
    has: (name: string): boolean => values.has(name),
    write(name: string, value: bigint): void {
      journal.push([name, values.get(name)]);
      values.set(name, value);
    },
    /** What was written since the last call, to be taken back with `undo`. */
    cut(): [string, bigint | undefined][] {
      const written = journal;
      journal = [];
      return written;
    },
    /** Where the journal of the block that is being made stands. */
    mark: (): number => journal.length,
    undoTo(mark: number): void {
      this.undo(journal.splice(mark));
    },
    undo(written: readonly [string, bigint | undefined][]): void {
      for (const [name, before] of written.toReversed()) {
        if (before === undefined) values.delete(name);
        else values.set(name, before);
      }
    },
  };
}
