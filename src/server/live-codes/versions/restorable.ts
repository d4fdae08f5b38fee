import { sql } from 'drizzle-orm';
import type { LeftOut } from '../../../contract/codes/code-version.ts';
import { domainType } from '../../../contract/enums.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { reservedFileNames } from '../../kit/visits/visit-paths.ts';
import { urlFault } from '../live-codes.rules.ts';
import { settingsOver } from '../live-codes.settings.ts';
import type { StoredCode } from '../live-codes.snippets.ts';
import { type Fields, fileOf, type KeptTarget } from './history.ts';

type Patch = { code: StoredCode; fields: Fields };
/** What a field may be set to, undefined where it stays as it is; and what was wrong, if anything. */
export type Restorable = { value?: Fields[string]; reason?: LeftOut['reason'] };

const numbersOf = (patches: readonly Patch[], field: string): number[] => [
  ...new Set(patches.flatMap(({ fields }) => [fields[field]].flat()).filter((value) => typeof value === 'number')),
];
const list = (ids: readonly number[]) => sql`${sql.param([...ids])}::bigint[]`;

/**
 * Looks up everything that these patches, and these targets, lead to. The rows stay locked against going away until the transaction ends.
 * @returns the verdict on each field, and on a target
 */
export async function findRestorable(patches: readonly Patch[], db: Database, targets: readonly KeptTarget[] = []) {
  const { jump_schemes } = await settingsOver(db);
  const names = patches.flatMap(({ fields }) => (typeof fields.file_name === 'string' ? [fields.file_name] : []));
  const rowsOf = async <R extends Record<string, unknown>>(ids: readonly unknown[], query: ReturnType<typeof sql>) =>
    ids.length === 0 ? [] : (await db.execute<R>(query)).rows;
  const domainIds = [...numbersOf(patches, 'entry_domain_id'), ...numbersOf(patches, 'landing_domain_id')];
  const domains = await rowsOf<{ id: number; type: number; holder_id: number | null }>(
    domainIds,
    sql`SELECT id, type, holder_id FROM domain WHERE id = ANY(${list(domainIds)}) AND enabled FOR SHARE`,
  );
  const groupIds = numbersOf(patches, 'group_id');
  const groups = await rowsOf<{ id: number; owner_id: number | null }>(
    groupIds,
    sql`SELECT id, owner_id FROM code_group WHERE id = ANY(${list(groupIds)}) FOR KEY SHARE`,
  );
  const snippetIds = numbersOf(patches, 'js_config_ids');
  const snippets = await rowsOf<{ id: number; owner_id: number }>(
    snippetIds,
    sql`SELECT id, owner_id FROM js_config WHERE id = ANY(${list(snippetIds)}) FOR KEY SHARE`,
  );
  const taken = await rowsOf<{ id: number; file_name: string }>(
    names,
    // An alias is taken, also by its own code.
    sql`SELECT CASE WHEN own THEN live_code_id ELSE 0 END AS id, key AS file_name FROM live_code_key WHERE key = ANY(${sql.param(names)}::text[])`,
  );
  const fileIds = targets.flatMap((target) => fileOf(target) ?? []);
  const files = await rowsOf<{ id: number }>(fileIds, sql`SELECT id FROM file WHERE id = ANY(${list(fileIds)}) FOR KEY SHARE`);
  const isUsable = (id: unknown, type: number, owner_id: number): boolean =>
    domains.some((domain) => domain.id === id && domain.type === type && (domain.holder_id === null || domain.holder_id === owner_id));

  function verdict(code: StoredCode, fields: Fields, field: string, value: Fields[string]): Restorable {
    const owner_id = typeof fields.owner_id === 'number' ? fields.owner_id : code.owner_id;
    if (field === 'file_name') {
      if (taken.some((other) => other.file_name === value && other.id !== code.id)) return { reason: 'taken' };
      return reservedFileNames.includes(String(value)) ? { reason: 'reserved' } : { value };
    }
    if (field === 'js_config_ids') {
      const usable = [value].flat().filter((id) => snippets.some((snippet) => snippet.id === id && snippet.owner_id === owner_id));
      return { value: usable, ...(usable.length < [value].flat().length ? { reason: 'unknown_snippet' } : {}) };
    }
    if (value === null) return { value };
    if (field === 'entry_domain_id') return isUsable(value, domainType.entry, owner_id) ? { value } : { reason: 'unknown_domain' };
    if (field === 'landing_domain_id') return isUsable(value, domainType.landing, owner_id) ? { value } : { reason: 'unknown_domain' };
    if (field === 'group_id')
      return groups.some((group) => group.id === value && group.owner_id === owner_id) ? { value } : { reason: 'unknown_group' };
    if (field === 'fallback_url') {
      const fault = urlFault(String(value), jump_schemes);
      return fault ? { reason: fault } : { value };
    }
    return { value };
  }

  function targetFault(target: KeptTarget): LeftOut['reason'] | undefined {
    if (target.kind === 'picture') return files.some(({ id }) => id === fileOf(target)) ? undefined : 'unknown_file';
    return target.kind === 'url' ? urlFault(target.content, jump_schemes) : undefined;
  }
  return Object.assign(verdict, { targetFault });
}
