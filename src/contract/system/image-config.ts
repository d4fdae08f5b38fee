import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** Kinds of storage: the disk of this installation, any server that speaks S3, Aliyun's OSS. */
export const uploadTypes = ['local', 's3', 'oss'] as const;
export type UploadType = (typeof uploadTypes)[number];
/** Kinds that can be added; there is one local disk, and it is there from the start. */
export const remoteUploadTypes = ['s3', 'oss'] as const;

/** `https://host[:port]` with an optional path, without user, query and fragment; empty stands for none. */
const address = line(300).refine((value) => value === '' || isWebAddress(value), 'invalid_url');

function isWebAddress(value: string): boolean {
  if (!/^https?:\/\/[^/\\]+(\/[^\\\s"'<>]*)?$/.test(value) || !URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return username === '' && password === '' && search === '' && hash === '';
}

const remoteFields = {
  /** Where the S3 calls go; empty: what the kind and the region stand for. */
  endpoint: address,
  region: line(60).regex(/^[a-z0-9-]*$/, 'invalid_format'),
  bucket: line(63).regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'invalid_bucket'),
  /** Stands before the name of every new object: `pictures/2026`. */
  save_path: line(200).regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)[\w.\-/]*$/, 'invalid_save_path'),
  /** Public address of the bucket; visitors' browsers load pictures from there. Empty: from this site. */
  domain: address,
  access_key_id: line(128),
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. */
  path_style: z.boolean(),
};

const access_key_secret = line(256);
const name = line(60).min(1, 'required');

export const imageConfigRow = z.object({
  id,
  name: z.string(),
  upload_type: z.enum(uploadTypes),
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  save_path: z.string(),
  domain: z.string(),
  access_key_id: z.string(),
  /** Whether a secret is kept; it is never sent. */
  has_secret: z.boolean(),
  path_style: z.boolean(),
  enabled: z.boolean(),
  /** Takes the new uploads. */
  active: z.boolean(),
  file_count: count,
  file_bytes: count,
  /** The last test of what is saved; null before the first one. */
  tested_at: time.nullable(),
  /** What the storage answered; null where the test went well. */
  test_error: z.string().nullable(),
  created_at: time,
  updated_at: time,
});
export type ImageConfig = z.infer<typeof imageConfigRow>;

/** The parts of a test, in their order. */
export const testSteps = ['write', 'read', 'remove'] as const;

export const imageConfig = group('image_config', {
  inquire: call({
    summary: 'Storages of uploaded pictures.',
    access: holders('image_config'),
    input: listInput(['id', 'name', 'upload_type', 'file_count', 'file_bytes', 'created_at', 'updated_at'], {
      search: z.string().max(100).optional(),
      upload_type: z.enum(uploadTypes).optional(),
      enabled: z.boolean().optional(),
    }),
    output: pageOf(imageConfigRow),
  }),
  add: call({
    summary: 'Add a storage. It takes uploads once it is chosen.',
    access: holders('image_config.add'),
    input: z.object({
      name,
      upload_type: z.enum(remoteUploadTypes),
      bucket: remoteFields.bucket,
      endpoint: remoteFields.endpoint.optional(),
      region: remoteFields.region.optional(),
      save_path: remoteFields.save_path.optional(),
      domain: remoteFields.domain.optional(),
      access_key_id: remoteFields.access_key_id.min(1, 'required'),
      access_key_secret: access_key_secret.min(1, 'required'),
      path_style: remoteFields.path_style.optional(),
    }),
    output: imageConfigRow,
    writes: true,
    secrets: ['access_key_secret'],
  }),
  update: call({
    summary: 'Change a storage. An empty secret leaves the one that is kept; the bucket of a storage that holds files stays.',
    access: holders('image_config.update'),
    input: z.object({
      id,
      name: name.optional(),
      bucket: remoteFields.bucket.optional(),
      endpoint: remoteFields.endpoint.optional(),
      region: remoteFields.region.optional(),
      save_path: remoteFields.save_path.optional(),
      domain: remoteFields.domain.optional(),
      access_key_id: remoteFields.access_key_id.min(1, 'required').optional(),
      access_key_secret: access_key_secret.nullable().optional(),
      path_style: remoteFields.path_style.optional(),
    }),
    output: imageConfigRow,
    writes: true,
    secrets: ['access_key_secret'],
  }),
  update_enabled: call({
    summary: 'Switch storages on or off. One that is off cannot be chosen; what it holds is still shown.',
    access: holders('image_config.update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  choose: call({
    summary: 'Send new uploads to this storage; what the others hold stays there.',
    access: holders('image_config.choose'),
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
  test: call({
    summary:
      'Write, read back and remove a small object: in a saved storage, in one as typed, or in a saved one with what was typed over it.',
    access: holders('image_config.test'),
    input: z.object({
      id: id.optional(),
      upload_type: z.enum(uploadTypes).optional(),
      bucket: remoteFields.bucket.optional(),
      endpoint: remoteFields.endpoint.optional(),
      region: remoteFields.region.optional(),
      save_path: remoteFields.save_path.optional(),
      access_key_id: remoteFields.access_key_id.optional(),
      access_key_secret: access_key_secret.nullable().optional(),
      path_style: remoteFields.path_style.optional(),
    }),
    output: z.object({
      /** The step that failed; null where all went well. */
      failed_step: z.enum(testSteps).nullable(),
      /** The storage's own words. */
      error: z.string().nullable(),
      milliseconds: count,
    }),
    limit: { max: 30, seconds: 60 },
    secrets: ['access_key_secret'],
  }),
  remove: call({
    summary: 'Remove storages that hold no files and take no uploads.',
    access: holders('image_config.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
export type StorageTest = z.infer<(typeof imageConfig)['calls']['test']['output']>;
