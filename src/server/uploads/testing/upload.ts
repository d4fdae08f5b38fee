import { createCanvas } from '@napi-rs/canvas';
import type { TestApp, TestUser } from '../../kit/testing/app.ts';

export function drawnPicture(width = 120, height = 80): Buffer {
  const canvas = createCanvas(width, height);
  const draw = canvas.getContext('2d');
  draw.fillStyle = '#1f6feb';
  draw.fillRect(10, 10, width / 2, height / 2);
  return canvas.toBuffer('image/png');
}

type Uploaded = {
  status: number;
  body: { id: number; url: string; size: number; width: number; height: number; code?: string; message?: string };
};

export async function uploadPicture({ app }: TestApp, as: TestUser, bytes: Buffer = drawnPicture()): Promise<Uploaded> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', authorization: `Bearer ${as.token}` };
  const payload = Buffer.from(await encoded.arrayBuffer());
  const response = await app.inject({ method: 'POST', url: '/api/file/add', headers, payload });
  return { status: response.statusCode, body: response.json() };
}
