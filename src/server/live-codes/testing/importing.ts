import { expect } from 'vitest';
import type { ImportFile, ImportPlan } from '../../../contract/codes/code-import.ts';
import { exportKinds } from '../../jobs/exports.ts';
import { startOperations } from '../../jobs/operations.runner.ts';
import { createTestApp } from '../../kit/testing/app.ts';
import { eventually } from '../../kit/testing/eventually.ts';
import { startOnBus } from '../../kit/testing/on-bus.ts';
import { codeImportKind } from '../import/import.run.ts';
import { codeExport } from '../list/export.ts';

export type Importing = Awaited<ReturnType<typeof createImporting>>;

const log = { info: () => {}, warn: () => {}, error: () => {} };

export const planOf = ({ id, columns }: ImportFile, changes: Partial<ImportPlan> = {}): ImportPlan => ({
  id,
  columns,
  existing: 'skip',
  odd_keys: 'refuse',
  ...changes,
});

/** The real app with a worker that imports and exports codes, and a customer who does. */
export async function createImporting() {
  const test_app = await createTestApp({ trustedProxies: ['127.0.0.1'] });
  const owner = await test_app.makeUser('customer');
  const { pool, url, dataDir } = test_app;
  const kinds = [codeImportKind, ...exportKinds([codeExport])];
  const worker = startOnBus(url, (bus) => startOperations({ pool, bus, dataDir, kinds, log }));
  let uploads = 0;

  async function upload(content: string | Uint8Array, { as = owner, name = 'codes.csv' } = {}) {
    const boundary = 'xxBoundaryxx';
    const payload = Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
      Buffer.from(content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    uploads += 1;
    const headers = {
      authorization: `Bearer ${as.token}`,
      // From many addresses: one may upload only so often.
      'x-forwarded-for': `198.51.100.${uploads}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    };
    const response = await test_app.app.inject({ method: 'POST', url: '/api/code_import/file', headers, payload });
    return { status: response.statusCode, body: response.json() as ImportFile & { code?: string } };
  }

  async function ended(id: number, as = owner) {
    return eventually(
      async () => {
        const { body } = await test_app.call(as, 'async_operations', 'inquire', { ids: [id] });
        const [row] = body.content;
        expect(row?.status).not.toBe(1);
        return row;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  async function download(id: number, as = owner): Promise<string> {
    const { body } = await test_app.call(as, 'async_operations', 'link', { id });
    return (await test_app.app.inject({ url: body.url })).rawPayload.toString('utf8');
  }

  async function importAll(content: string | Uint8Array, changes: Partial<ImportPlan> = {}, as = owner) {
    const { body } = await upload(content, { as });
    const started = await test_app.call(as, 'code_import', 'start', planOf(body, changes));
    expect(started.status).toBe(200);
    return ended(started.body.operation_id, as);
  }

  async function codeOf(file_name: string, as = owner) {
    const { body } = await test_app.call(as, 'qr_code_list', 'inquire', { search: file_name });
    const found = body.content.find((code) => code.file_name === file_name);
    return found && (await test_app.call(as, 'qr_code_list', 'details', { id: found.id })).body;
  }

  async function close(): Promise<void> {
    await worker.stop();
    await test_app.close();
  }

  return { test_app, owner, upload, ended, download, importAll, codeOf, close };
}
