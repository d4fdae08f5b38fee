import type { Product } from './product.ts';

type Head = { block_header: { raw_data: { number: number; timestamp: number } } };

const networkOf = ({ tronPort }: Product) => `http://127.0.0.1:${tronPort}`;
const read = async <T>(product: Product, path: string): Promise<T> =>
  (await (await fetch(`${networkOf(product)}/wallet/${path}`)).json()) as T;
const headOf = async (product: Product) => (await read<Head>(product, 'getnowblock')).block_header.raw_data;

/** What somebody does on the page of the test network. */
const act = (product: Product, fields: Record<string, string>) =>
  fetch(`${networkOf(product)}/control`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

export const sendUsdt = (product: Product, to: string, amount: number) => act(product, { act: 'usdt', to, amount: String(amount) });
export const sendTrx = (product: Product, to: string, amount: number) => act(product, { act: 'trx', to, amount: String(amount) });
/** Payments count once 19 blocks stand above theirs. */
export const makeBlocks = (product: Product, count: number) => act(product, { act: 'blocks', count: String(count) });

/** The hash of the last transaction of the network. */
export async function lastHash(product: Product): Promise<string> {
  const { number: head } = await headOf(product);
  for (let number = head; number > head - 40; number -= 1) {
    const [info] = await read<{ id: string }[]>(product, `gettransactioninfobyblocknum?num=${number}`);
    if (info) return info.id;
  }
  throw new Error('no block has a transaction');
}

/** By how many minutes the chain's clock, which goes on with each block that a test made, is ahead of this machine's. */
export const minutesAhead = async (product: Product): Promise<number> =>
  Math.max(0, Math.ceil(((await headOf(product)).timestamp - Date.now()) / 60_000));
