import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type CheckedIpData, type IpFamily, maxIpDataBytes } from '../../../contract/visits/ip-data.ts';
import { TaskFault } from '../../kit/bounded/processes.ts';
import { boundedTasks, userKey } from '../../kit/bounded/tasks.ts';
import { createAdmission } from '../../kit/calls/admission.ts';
import type { ServerKit } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { createRequestAuthenticator } from '../../kit/calls/mount.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { currentPlaces } from '../current-places.public.ts';
import { type IpDataAnswer, ipDataProgram } from './ip-data.program.ts';
import { readUploaded } from './ip-data.reads.ts';

/** Files are large, and nobody uploads several at once. */
const admission = createAdmission({ maxOfUser: 1, max: 2, maxBytes: 2 * maxIpDataBytes });
const partBytes = 1_000_000;
const timeoutMilliseconds = 60_000;
/** Beside the file itself: its segments in tables twice, once as they are read and once as they are kept, and the texts of its places. */
const costBytesOf = (size: number): number => 80_000_000 + 4 * size;
/** What was uploaded and is not used goes with the next upload after so long. */
const unusedHours = 1;

type Received = { path: string; packed: string; name: string; bytes: number };

/** `POST /api/ip_data/file?family=4`: takes an xdb file, looks at it in a process of its own, and keeps it to be used. */
export function mountIpData(app: FastifyInstance, kit: ServerKit, dataDir: string): void {
  const authenticate = createRequestAuthenticator(kit, ['ip_data.update']);
  const folder = join(dataDir, 'tmp');
  app.post<{ Querystring: { family?: string } }>(
    '/api/ip_data/file',
    { config: { rateLimit: { max: 20, timeWindow: 60_000 } } },
    async (request): Promise<CheckedIpData> => {
      const actor = await authenticate(request);
      if (!actor.nodes.has('ip_data.update')) throw new AppError(403, 'forbidden');
      if (!request.isMultipart()) throw new AppError(415, 'input.not_multipart');
      const family = Number(request.query.family);
      if (family !== 4 && family !== 6) throw new AppError(400, 'input.invalid', { fields: { family: 'invalid' } });
      await mkdir(folder, { recursive: true });
      const path = join(folder, `ip-data-${randomUUID()}`);
      const files = { path, packed: `${path}.packed` };
      return admission.admit(actor.user_id, maxIpDataBytes, async () => {
        try {
          const received = { ...files, ...(await receive(request, path)) };
          return await keep(kit, actor.user_id, family, received);
        } finally {
          await Promise.all([rm(files.path, { force: true }), rm(files.packed, { force: true })]);
        }
      });
    },
  );
}

/** Writes the upload to the disk as it comes: no process holds all of it. */
async function receive(request: FastifyRequest, path: string): Promise<{ name: string; bytes: number }> {
  const part = await request.file({ limits: { fileSize: maxIpDataBytes } });
  if (part?.fieldname !== 'file') throw new AppError(400, 'input.invalid', { fields: { file: 'required' } });
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(part.file, target);
  if (part.file.truncated) throw new AppError(413, 'ip_data.too_large', { params: { megabytes: maxIpDataBytes / 1_000_000 } });
  const name = (part.filename ?? '').replace(/^.*[\\/]/s, '').replaceAll('\u0000', '');
  return { name: name.slice(0, 200).toWellFormed(), bytes: target.bytesWritten };
}

async function keep({ db, now }: ServerKit, user_id: number, family: IpFamily, received: Received): Promise<CheckedIpData> {
  const answer = await look(user_id, family, received, now());
  const id = await transact(db, (tx) => store(tx, { ...answer, ...received, family, user_id }));
  const file = await readUploaded(db, id);
  if (!file) throw new AppError(409, 'ip_data.gone');
  const { lookup } = await currentPlaces(db);
  const samples = answer.samples.map(({ ip, ...next }) => ({ ip, now: lookup(ip), next }));
  return { file, samples };
}

type Sound = Exclude<IpDataAnswer, { fault: string }>;

/** @throws AppError 400 `ip_data.*` of a file that is not what it should be */
async function look(user_id: number, family: IpFamily, { path, packed, bytes }: Received, now: Date): Promise<Sound> {
  const task = { key: userKey(user_id), costBytes: costBytesOf(bytes), timeoutMilliseconds };
  const answer = await boundedTasks
    .run(ipDataProgram, task, { path, packed, family, now: now.getTime() })
    .catch((error: unknown): never => {
      if (!(error instanceof TaskFault)) throw error;
      throw error.isTooMuch ? new AppError(400, 'ip_data.damaged') : new AppError(503, 'unavailable');
    });
  if ('fault' in answer) throw new AppError(400, `ip_data.${answer.fault}`, { params: { family } });
  return answer;
}

async function store(db: Database, made: Sound & Received & { family: IpFamily; user_id: number }): Promise<number> {
  await db.execute(sql`DELETE FROM ip_data WHERE created_at < now() - make_interval(hours => ${unusedHours})
    AND NOT EXISTS (SELECT FROM ip_data_use WHERE used_id = ip_data.id OR former_id = ip_data.id)`);
  const { family, name, bytes, structure, made_at, segments, places, sha256, user_id } = made;
  const { rows } = await db.execute<{ id: number }>(sql`
    INSERT INTO ip_data (family, name, bytes, structure, made_at, segments, places, sha256, uploaded_by)
    VALUES (${family}, ${name}, ${bytes}, ${structure}, ${made_at}, ${segments}, ${places}, ${sha256}, ${user_id}) RETURNING id`);
  const id = Number(rows[0]?.id);
  const file = await open(made.packed);
  try {
    for (let part = 0; ; part += 1) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(partBytes), 0, partBytes, part * partBytes);
      if (bytesRead === 0) return id;
      await db.execute(
        sql`INSERT INTO ip_data_part (ip_data_id, part, content) VALUES (${id}, ${part}, ${sql.param(buffer.subarray(0, bytesRead))})`,
      );
    }
  } finally {
    await file.close();
  }
}
