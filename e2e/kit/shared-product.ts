import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Product, type StartedProduct, startProduct } from './product.ts';

/** Where a worker asks for the product that all of them share. */
const addressKey = 'LIVECODE_E2E_PRODUCT';

/** The global setup of journeys: one product with demo data, started when the first journey asks for it. */
export default async function setup(): Promise<() => Promise<void>> {
  let product: Promise<StartedProduct> | undefined;
  const server = createServer(async (_request, response) => {
    product ??= startProduct({ LIVECODE_DEMO: '1', LIVECODE_TRON_PORT: 'free' });
    try {
      response.end(JSON.stringify(await product));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[addressKey] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return async () => {
    server.close();
    await (await product)?.stop();
  };
}

/** The product that all journeys share, each with users, codes and hosts of its own. */
export async function sharedProduct(): Promise<Product> {
  const answer = await fetch(process.env[addressKey] ?? '');
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Product;
}
