import { parentPort } from 'node:worker_threads';
import { readPlaceTables } from './place.ts';

// The tables are handed over, not copied: only the few thousand names of places are.
const tables = readPlaceTables();
const buffers = [tables.ipv4, tables.ipv6].flatMap(({ starts, index, ids }) =>
  [starts, index, ids].map(({ buffer }) => buffer as ArrayBuffer),
);
parentPort?.postMessage(tables, buffers);
