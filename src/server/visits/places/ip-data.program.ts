import type { BoundedProgram } from '../../kit/bounded/program.ts';
import type { PlaceFileFault } from '../facts/place-table.ts';

/** A file that was uploaded, and where what becomes of it is written. */
export type IpDataTask = { path: string; packed: string; family: 4 | 6; now: number };
export type IpDataAnswer =
  | { fault: PlaceFileFault }
  | { sha256: string; structure: 2 | 3; made_at: string; segments: number; places: number; samples: IpDataSample[] };
export type IpDataSample = {
  ip: string;
  country: string;
  region: string;
  city: string;
  carrier: 'mobile' | 'unicom' | 'telecom' | 'other';
};

export const ipDataProgram: BoundedProgram<IpDataTask, IpDataAnswer> = {
  file: new URL('./ip-data.worker.ts', import.meta.url),
  heapMegabytes: 256,
};
