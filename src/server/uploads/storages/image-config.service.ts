import { randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { imageConfig, StorageTest, testSteps } from '../../../contract/system/image-config.ts';
import { recordAct } from '../../kit/calls/audit.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../../kit/calls/errors.ts';
import { contains, equals, isOneOf } from '../../kit/rows/list.ts';
import { rowsOf } from '../../kit/rows/rows.ts';
import type { Vault } from '../../kit/vault.ts';
import type { Bucket, Storage } from './bucket.ts';
import { objectKey, type Storages, secretLabel } from './storage.ts';
import { storageFault } from './storage-fault.ts';
import { storageById } from './storages.reads.ts';
import { image_config } from './storages.table.ts';

const ownFiles = (of: string) => sql.raw(`(SELECT ${of} FROM file WHERE file.storage_id = image_config.id)`);

const fields = {
  id: image_config.id,
  name: image_config.name,
  upload_type: image_config.upload_type,
  endpoint: image_config.endpoint,
  region: image_config.region,
  bucket: image_config.bucket,
  save_path: image_config.save_path,
  domain: image_config.domain,
  access_key_id: image_config.access_key_id,
  has_secret: sql<boolean>`${image_config.access_key_secret} IS NOT NULL`,
  path_style: image_config.path_style,
  enabled: image_config.enabled,
  active: image_config.active,
  file_count: sql<number>`${ownFiles('count(*)')}`.mapWith(Number),
  file_bytes: sql<number>`${ownFiles('coalesce(sum(size), 0)')}`.mapWith(Number),
  tested_at: image_config.tested_at,
  test_error: image_config.test_error,
  created_at: image_config.created_at,
  updated_at: image_config.updated_at,
};

/** What the fields have to say together: without an address the region tells where the bucket is. */
function checkPlace({ upload_type, endpoint, region }: Pick<Bucket, 'endpoint' | 'region'> & { upload_type: string }): void {
  if (upload_type !== 'local' && endpoint === '' && region === '') throw invalidField('region', 'endpoint_or_region');
}

const rows = rowsOf(image_config, {
  fields,
  unique: { image_config_name_key: 'name' },
  async check(input, _context, before) {
    checkPlace({ upload_type: 's3', endpoint: '', region: '', ...before, ...input });
    return undefined;
  },
});

const sealSecret = (vault: Vault, id: number, secret: string): Buffer => vault.seal(Buffer.from(secret), secretLabel(id));

/** Writes, reads back and removes one small object of a random name. */
async function tryOut(open: () => Promise<Storage>, save_path: string): Promise<Omit<StorageTest, 'milliseconds'>> {
  const key = objectKey(save_path, `livecode-test-${randomBytes(8).toString('hex')}.txt`);
  const bytes = Buffer.from(`livecode ${key}`);
  let failed_step: (typeof testSteps)[number] = 'write';
  try {
    const storage = await open();
    await storage.put(key, bytes, 'text/plain');
    failed_step = 'read';
    try {
      if (!(await storage.get(key)).equals(bytes)) throw new Error('what was read is not what was written');
    } catch (error) {
      // The first fault is the one to tell, whether or not the object can be removed.
      await storage.remove(key).catch(() => {});
      throw error;
    }
    failed_step = 'remove';
    await storage.remove(key);
    return { failed_step: null, error: null };
  } catch (error) {
    return { failed_step, error: storageFault(error) };
  }
}

type TestInput = Parameters<Service<typeof imageConfig>['test']>[0];

/** The bucket that a test is about: the saved one with what was typed over it. */
async function bucketOf({ id, ...typed }: TestInput, { db, vault }: Context): Promise<{ open: Bucket | 'saved'; save_path: string }> {
  const saved = id === undefined ? undefined : await storageById(db, id);
  if (id !== undefined && !saved) throw notFound();
  if (saved && (saved.upload_type === 'local' || Object.keys(typed).length === 0)) return { open: 'saved', save_path: saved.save_path };
  const upload_type = saved?.upload_type ?? typed.upload_type;
  if (upload_type === undefined || upload_type === 'local') throw invalidField('upload_type', 'required');
  const kept = saved?.access_key_secret ? vault.open(saved.access_key_secret, secretLabel(saved.id)).toString() : '';
  const bucket: Bucket = {
    upload_type,
    endpoint: typed.endpoint ?? saved?.endpoint ?? '',
    region: typed.region ?? saved?.region ?? '',
    bucket: typed.bucket ?? saved?.bucket ?? '',
    access_key_id: typed.access_key_id ?? saved?.access_key_id ?? '',
    access_key_secret: typed.access_key_secret || kept,
    path_style: typed.path_style ?? saved?.path_style ?? false,
  };
  for (const field of ['bucket', 'access_key_id', 'access_key_secret'] as const)
    if (bucket[field] === '') throw invalidField(field, 'required');
  checkPlace(bucket);
  return { open: bucket, save_path: typed.save_path ?? saved?.save_path ?? '' };
}

/** The storages of uploads: kept with sealed secrets, tried out, chosen. */
export const createImageConfigService = (storages: Storages): Service<typeof imageConfig> => ({
  inquire: ({ search, upload_type, enabled, ...input }, context) => {
    const { name, bucket, endpoint, domain } = image_config;
    const searched = contains([name, bucket, endpoint, domain], search);
    return rows.page(input, context, and(searched, equals(image_config.upload_type, upload_type), equals(image_config.enabled, enabled)));
  },

  async add({ access_key_secret, ...input }, context) {
    const { id } = await rows.add(input, context);
    // The secret is sealed for this storage alone, which has its id only now.
    const sealed = sealSecret(context.vault, id, access_key_secret);
    await context.db.update(image_config).set({ access_key_secret: sealed }).where(eq(image_config.id, id));
    const after = await rows.read(id, context);
    context.audit({ after });
    return after;
  },

  async update({ id, access_key_secret, ...input }, context) {
    await rows.lock([id], context);
    const { upload_type, bucket, file_count } = await rows.read(id, context);
    const changesMore = Boolean(access_key_secret) || Object.keys(input).some((field) => field !== 'name');
    if (upload_type === 'local' && changesMore) throw new AppError(409, 'image_config.local_disk');
    // Its files would be looked for in the other bucket.
    if (input.bucket !== undefined && input.bucket !== bucket && file_count > 0) throw invalidField('bucket', 'holds_files');
    const secret = access_key_secret ? { access_key_secret: sealSecret(context.vault, id, access_key_secret) } : {};
    // What an earlier test said is no longer about this storage.
    return rows.change({ id, ...input, ...secret, tested_at: null, test_error: null }, context);
  },

  async update_enabled({ ids, enabled }, context) {
    const chosen = (await rows.lock(ids, context)).find(({ active }) => active);
    if (!enabled && chosen) throw new AppError(409, 'image_config.is_active', { params: { name: chosen.name } });
    return rows.setEnabled({ ids, enabled }, context);
  },

  async choose({ id }, { db, audit }) {
    const all = await db.select().from(image_config).orderBy(image_config.id).for('update');
    const wanted = all.find((storage) => storage.id === id);
    if (!wanted) throw notFound();
    if (!wanted.enabled) throw new AppError(409, 'image_config.is_disabled', { params: { name: wanted.name } });
    if (wanted.active) return { affected: 0 };
    // One after the other: never two at a time, not even within a statement.
    await db.update(image_config).set({ active: false }).where(eq(image_config.active, true));
    await db.update(image_config).set({ active: true }).where(eq(image_config.id, id));
    const former = all.find(({ active }) => active);
    audit({ before: { active: former?.name ?? null }, after: { active: wanted.name } });
    return { affected: 1 };
  },

  async test(input, context) {
    const { open, save_path } = await bucketOf(input, context);
    const { db, now } = context;
    const startedAt = performance.now();
    const saved = open === 'saved' && input.id !== undefined ? await storageById(db, input.id) : undefined;
    const result = await tryOut(async () => {
      if (open !== 'saved') return storages.openBucket(open);
      if (!saved) throw notFound();
      return storages.of(saved);
    }, save_path);
    const milliseconds = Math.round(performance.now() - startedAt);
    if (saved) {
      const tested = { tested_at: now.toISOString(), test_error: result.error };
      // Not where an administrator changed the storage meanwhile: the result would be about another one.
      await db
        .update(image_config)
        .set(tested)
        .where(sql`${image_config.id} = ${saved.id} AND date_trunc('milliseconds', ${image_config.updated_at}) = ${saved.updated_at}`);
    }
    const { access_key_secret: _secret, ...content } = input;
    await recordAct(db, context, { type: 'image_config/test', content, changes: { after: result } });
    return { ...result, milliseconds };
  },

  async remove({ ids }, context) {
    await rows.lock(ids, context);
    const removed = await context.db.select(fields).from(image_config).where(isOneOf(image_config.id, ids));
    for (const { upload_type, active, name, file_count } of removed) {
      if (upload_type === 'local') throw new AppError(409, 'image_config.local_disk');
      if (active) throw new AppError(409, 'image_config.is_active', { params: { name } });
      if (file_count > 0) throw new AppError(409, 'image_config.in_use', { params: { name, count: file_count } });
    }
    return rows.remove({ ids }, context);
  },
});
