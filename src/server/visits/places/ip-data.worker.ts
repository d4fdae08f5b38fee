import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { serveTasks } from '../../kit/bounded/child.ts';
import { ipv4Number, readIpv6 } from '../../kit/network/ip.ts';
import { packTable } from '../facts/place-storage.ts';
import { PlaceFileError, type PlaceTable, placeIn } from '../facts/place-table.ts';
import { checkXdb } from '../facts/xdb-check.ts';
import type { IpDataAnswer, IpDataSample, IpDataTask } from './ip-data.program.ts';

/** Addresses of public name servers and carriers, of which people know where they are. */
const wellKnown = {
  4: ['114.114.114.114', '223.5.5.5', '120.196.165.24', '61.135.169.121', '168.95.1.1', '8.8.8.8'],
  6: ['2409:8a00::1', '240e:390::1', '2408:8000::1', '2402:4e00::1', '2001:4860:4860::8888'],
};

function samplesOf(table: PlaceTable, family: 4 | 6): IpDataSample[] {
  const words = new Uint32Array(4);
  return wellKnown[family].map((ip) => {
    if (family === 4) words[0] = ipv4Number(ip);
    else readIpv6(ip, words);
    const { country, region, city, carrier } = placeIn(table, words);
    return { ip, country, region, city, carrier };
  });
}

serveTasks<IpDataTask, IpDataAnswer>(({ path, packed, family, now }) => {
  try {
    const { table, structure, made_at, segments } = checkXdb(readFileSync(path), family, now);
    const bytes = packTable(table);
    writeFileSync(packed, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { sha256, structure, made_at, segments, places: table.places.length - 1, samples: samplesOf(table, family) };
  } catch (error) {
    if (error instanceof PlaceFileError) return { fault: error.reason };
    throw error;
  }
});
