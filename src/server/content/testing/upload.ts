import { createCanvas } from '@napi-rs/canvas';
import type { UploadedFile } from '../../../contract/content/file.ts';
import type { TestApp, TestUser } from '../../kit/testing/app.ts';

/** Uploads a picture of this size as a user, through the app. */
export async function uploadPicture({ app }: TestApp, as: TestUser, width = 60, height = 20): Promise<UploadedFile> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(createCanvas(width, height).toBuffer('image/png'))]), 'a.png');
  const encoded = new Response(form);
  const response = await app.inject({
    method: 'POST',
    url: '/api/file/add',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', authorization: `Bearer ${as.token}` },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return response.json();
}
