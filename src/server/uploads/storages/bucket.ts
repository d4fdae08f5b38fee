import type { UploadType } from '../../../contract/system/image-config.ts';

/** Where objects are kept. Every method throws the storage's own error, and ends within the deadline. */
export type Storage = {
  put: (key: string, bytes: Buffer, content_type: string) => Promise<void>;
  get: (key: string) => Promise<Buffer>;
  /** An object that isn't there counts as removed. */
  remove: (key: string) => Promise<void>;
};

/** What a bucket is reached with; the secret is readable. */
export type Bucket = {
  upload_type: Exclude<UploadType, 'local'>;
  endpoint: string;
  region: string;
  bucket: string;
  access_key_id: string;
  access_key_secret: string;
  path_style: boolean;
};
