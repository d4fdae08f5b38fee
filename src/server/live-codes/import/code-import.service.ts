import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { writeXlsx } from 'hucre/xlsx';
import { type codeImport, type ImportFile, type ImportPlan, maxImportBytes } from '../../../contract/codes/code-import.ts';
import { userKey } from '../../kit/bounded/tasks.ts';
import { createAdmission } from '../../kit/calls/admission.ts';
import type { Context, ServerKit, Service } from '../../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../../kit/calls/errors.ts';
import { createRequestAuthenticator } from '../../kit/calls/mount.ts';
import { type ReceivedFile, receiveFile } from '../../kit/calls/multipart.ts';
import { startOperation } from '../../kit/jobs/operations.ts';
import { translate } from '../../kit/messages/messages.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { csvLine, csvMark } from '../../kit/rows/csv.ts';
import { checkImport } from './import.check.ts';
import { guessColumns } from './import.fields.ts';
import { readTable } from './import.reader.ts';
import { findImport, type ImportHead, removeOldImports } from './import.run.ts';

/** Files that a user may have waiting at once; the oldest makes room. */
const maxFiles = 5;

async function requireImport({ id, columns }: ImportPlan, { db, scope }: Context): Promise<ImportHead> {
  const stored = await findImport(db, id, scope.owner_id);
  if (!stored) throw notFound();
  const given = columns.filter((column) => column !== null);
  if (new Set(given).size < given.length) throw invalidField('columns', 'repeated');
  if (columns.length !== stored.header.length) throw invalidField('columns', 'invalid');
  return stored;
}

async function start(plan: ImportPlan, context: Context): Promise<{ operation_id: number }> {
  const { db, actor, language } = context;
  const stored = await requireImport(plan, context);
  const { rowCount } = await db.execute(
    sql`UPDATE import_file SET plan = ${JSON.stringify(plan)}::jsonb WHERE id = ${stored.id}::uuid AND plan IS NULL`,
  );
  if (rowCount === 0) throw new AppError(409, 'import.started');
  context.audit({ after: { rows: stored.row_number } });
  return { operation_id: await startOperation(db, { kind: 'code_import', input: { id: stored.id }, actor, language }) };
}

const templateColumns = ['file_name', 'name', 'group', 'remark', 'rotation_mode', 'entry_domain', 'expires_at'] as const;

async function template(format: 'csv' | 'xlsx', { language }: Context): Promise<{ name: string; content: string }> {
  const target = (number: number) =>
    ['target', 'target_name', 'target_threshold'].map((key) => translate(language, `code_import.${key}`, { number }));
  const header = [...templateColumns.map((field) => translate(language, `code_import.field.${field}`)), ...target(1), ...target(2)];
  const word = (key: string) => translate(language, `code_import.example.${key}`);
  const examples = [
    [
      'spring-2026',
      word('name'),
      word('group'),
      word('remark'),
      translate(language, 'qr_code_list.rotation.1'),
      '',
      '2026-12-31 23:59',
      'https://example.com/a',
      word('target'),
      '200',
      'https://example.com/b',
      '',
      '',
    ],
    ['', word('second'), '', '', '', '', '', 'https://example.com/c', '', '', '', '', ''],
  ];
  const name = `${translate(language, 'code_import.template_name')}.${format}`;
  if (format === 'csv') return { name, content: Buffer.from(csvMark + [header, ...examples].map(csvLine).join('')).toString('base64') };
  const book = await writeXlsx({ sheets: [{ name: 'codes', rows: [header, ...examples] }] });
  return { name, content: Buffer.from(book).toString('base64') };
}

export const codeImportService: Service<typeof codeImport> = {
  // A person who changes the plan asks anew before the last answer has come.
  check: (plan, context) =>
    checks.admit(context.actor.user_id, 0, async () => checkImport(plan, await requireImport(plan, context), context)),
  start,
  template: ({ format }, context) => template(format, context),
};

const checks = createAdmission({ maxOfUser: 2, max: 4, maxBytes: 0 });
/** A person imports one file at a time. */
const admission = createAdmission({ maxOfUser: 1, max: 6, maxBytes: 40_000_000 });

/** `POST /api/code_import/file`: takes a table of live codes and says what stands in it. */
export function mountImports(app: FastifyInstance, kit: ServerKit): void {
  const authenticate = createRequestAuthenticator(kit, ['qr_code_list.import']);
  app.post('/api/code_import/file', { config: { rateLimit: { max: 30, timeWindow: 60_000 } } }, async (request): Promise<ImportFile> => {
    const actor = await authenticate(request);
    if (!actor.nodes.has('qr_code_list.import')) throw new AppError(403, 'forbidden');
    const receiving = { user_id: actor.user_id, maxBytes: maxImportBytes, tooLarge: new AppError(413, 'import.too_large') };
    return receiveFile(request, admission, receiving, (received) => storeTable(kit.db, actor.user_id, received));
  });
}

async function storeTable(db: Database, owner_id: number, { bytes, filename = '', signal }: ReceivedFile): Promise<ImportFile> {
  const { format, encoding, header, rows, row_number, sample } = await readTable(bytes, userKey(owner_id), signal);
  const name = filename.slice(0, 200).toWellFormed().replaceAll('\u0000', '');
  await removeOldImports(db);
  const { rows: stored } = await db.execute<{ id: string }>(sql`
    WITH stored AS (
      INSERT INTO import_file (owner_id, name, format, encoding, header, row_number)
      VALUES (${owner_id}, ${name}, ${format}, ${encoding}, ${sql.param(header)}, ${row_number}) RETURNING id
    ), filled AS (
      INSERT INTO import_row (import_id, number, texts)
      SELECT stored.id, line.number, line.texts
      FROM stored, jsonb_array_elements(convert_from(${sql.param(rows)}::bytea, 'UTF8')::jsonb) WITH ORDINALITY AS line(texts, number)
    )
    SELECT id FROM stored`);
  await db.execute(sql`DELETE FROM import_file WHERE plan IS NULL AND id IN (
    SELECT id FROM import_file WHERE owner_id = ${owner_id} AND plan IS NULL ORDER BY created_at DESC OFFSET ${maxFiles})`);
  return { id: stored[0]?.id ?? '', name, format, encoding, header, ...guessColumns(header), row_number, sample };
}
