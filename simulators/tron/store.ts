import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNetwork, type Network, type Submitted } from './network.ts';

/** Blocks that a file may be behind: after a start the chain goes on above everything that anybody can have seen. */
const headEvery = 20;

type Line =
  | { at: number }
  | { block: number; transactions: Submitted[] }
  | { head: number; timestamp: number }
  | { head: number; back: number };

const linesIn = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line ? [JSON.parse(line) as Line] : [];
      } catch {
        // The last line of a process that was killed.
        return [];
      }
    });

/**
 * A network whose blocks outlive its process: each line of the file is a block with something in it, and is executed again at the next
 * start. While it is off its time stands still. Without a folder nothing is kept.
 */
export function openNetwork(folder: string | undefined, now: number): Network {
  if (!folder) return createNetwork(now);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'chain.jsonl');
  const write = (line: Line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify({ at: now })}\n`, { mode: 0o600 });
  const [first, ...lines] = linesIn(file);
  if (!first || !('at' in first)) throw new Error(`${file} does not begin as a chain does`);
  const network = createNetwork(first.at);
  let head = 0;
  for (const line of lines) {
    if ('back' in line) {
      network.chain.skip(line.head - network.chain.head());
      network.reorganise(line.back, false);
    } else if ('head' in line) {
      if (line.head > network.chain.head()) network.chain.resume(line.head, line.timestamp);
      head = line.head;
    } else if ('block' in line) {
      network.chain.skip(line.block - 1 - network.chain.head());
      for (const transaction of line.transactions) network.submit(transaction);
      network.makeBlock();
      head = line.block;
    }
  }
  const resumed = Math.max(head, network.chain.head()) + headEvery + 1;
  network.chain.resume(resumed, Math.max(now, network.chain.timestampOf(resumed)));
  write({ head: resumed, timestamp: network.chain.timestampOf(resumed) });
  let written = resumed;
  network.on({
    takenBack: (back) => write({ head: network.chain.head(), back }),
    made(block) {
      const transactions = network.chain.transactionsOf(block).flatMap(({ raw, signature }) => (raw ? [{ raw, signature }] : []));
      if (transactions.length > 0) write({ block, transactions });
      else if (block >= written + headEvery) write({ head: block, timestamp: network.chain.timestampOf(block) });
      else return;
      written = block;
    },
  });
  return network;
}
