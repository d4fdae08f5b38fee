import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';
import { type Outcome, outcomes } from '../../../contract/enums.ts';
import { readBatch } from '../../kit/visits/journal/reader.ts';
import type { VisitRecord } from '../../kit/visits/journal/record.ts';
import { journalFolder, listSegments, segmentName } from '../../kit/visits/journal/segment.ts';
import { createVisitIdReader, type VisitPosition } from '../../kit/visits/visit-id.ts';

type Site = { dataDir: string; signingKey: Buffer };

export async function readSigningKey(client: pg.Client): Promise<Buffer> {
  const { rows } = await client.query<{ value: Buffer }>(`SELECT value FROM secret WHERE key = 'visit_signing'`);
  return rows[0]?.value ?? Buffer.alloc(0);
}

/** Where the records of visits lie, by the ids that their answers told. */
export function positionReader({ dataDir, signingKey }: Site): (id: string) => VisitPosition | undefined {
  return createVisitIdReader(
    signingKey,
    listSegments(journalFolder(dataDir)).map(({ source }) => source),
  );
}

/** The record that an answer's `x-visit-id` names, with its outcome's name. */
export async function recordOf(headers: IncomingHttpHeaders, site: Site): Promise<VisitRecord & { named: Outcome | undefined }> {
  const at = positionReader(site)(String(headers['x-visit-id']));
  const segment = at && listSegments(journalFolder(site.dataDir)).find(({ name }) => name === segmentName(at.source, at.number));
  const { records = [] } = segment ? await readBatch(segment.path, at.offset, { isFinal: false }) : {};
  const [found] = records;
  if (!found || found.offset !== at?.offset) throw new Error(`no record for ${headers['x-visit-id']}`);
  return { ...found.record, named: outcomes[found.record.outcome] };
}
