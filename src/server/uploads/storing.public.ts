import { mkdir } from 'node:fs/promises';
import type { UploadedFile } from '../../contract/content/file.ts';
import { userKey } from '../kit/bounded/tasks.ts';
import type { Log } from '../kit/calls/context.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { uploadsFolder } from '../kit/visits/visit-paths.ts';
import { type Picture, reencode } from './pictures/pictures.ts';
import { findQr, type QrFinding } from './pictures/qr-reader.ts';
import { createRemotePictures } from './pictures/remote-pictures.ts';
import { createStorages } from './storages/storage.ts';
import { storePicture } from './storing.ts';

type Means = { db: Database; dataDir: string; vault: Vault; network: GuardedNetwork; log: Log };
/** A picture that may be kept, and what its QR code says. */
export type SeenPicture = { picture: Picture; finding: QrFinding };

export type PictureTaker = ReturnType<typeof openPictureTaker>;

/** Takes pictures that come another way than by an upload, as an upload takes them. */
export function openPictureTaker({ db, dataDir, vault, network, log }: Means) {
  const storages = createStorages({ dataDir, vault, network });
  const pictures = createRemotePictures({ db, dataDir, storages, log });
  return {
    /** @throws AppError 400 `upload.*`, 429 `busy`, 503 `unavailable` */
    async see(bytes: Buffer, owner_id: number, signal: AbortSignal): Promise<SeenPicture> {
      const picture = await reencode(bytes, userKey(owner_id), { signal });
      return { picture, finding: await findQr(picture.bytes, userKey(owner_id)) };
    },
    /** @throws AppError 502 `upload.storage_failed`, 503 `unavailable` */
    async keep({ picture, finding }: SeenPicture, owner_id: number, title: string): Promise<UploadedFile> {
      await mkdir(uploadsFolder(dataDir), { recursive: true });
      return storePicture({ db, storages, pictures }, { owner_id, title, picture, finding, log });
    },
    close: storages.close,
  };
}
