import pg from 'pg';
import type { StoredCode, StoredTarget } from '../model.ts';

type CodeInput = Partial<Omit<StoredCode, 'id' | 'targets' | 'expires_at'>> & { expires_at?: Date | null };
type TargetInput = Partial<Pick<StoredTarget, 'kind' | 'name' | 'weight' | 'rules' | 'any_picture'>> & {
  content?: string | null;
  file_id?: number;
  threshold?: number;
  enabled?: boolean;
  expires_at?: Date;
};

/** Writes rows as the back office does, for tests that need exactly these. */
export interface Records {
  client: pg.Client;
  /** The first user. */
  owner_id: number;
  addUser(account: string): Promise<number>;
  addDomain(host: string, type?: 1 | 2 | 3, holderId?: number | null): Promise<number>;
  /** A code of the first user with its targets; one endless URL target unless others are given. Answers the ids. */
  addCode(fileName: string, code?: CodeInput, targets?: TargetInput[]): Promise<{ id: number; targets: number[] }>;
  close(): Promise<void>;
}

export async function openRecords(url: string): Promise<Records> {
  const client = new pg.Client({ connectionString: url });
  // A test that stops the server does not want to hear of it here.
  client.on('error', () => {});
  await client.connect();
  const insert = async (table: string, row: object): Promise<number> => {
    const columns = Object.keys(row);
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const { rows } = await client.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) RETURNING id`, Object.values(row));
    return Number(rows[0].id);
  };
  const addUser = async (account: string) => {
    const { rows } = await client.query(
      `WITH made AS (INSERT INTO role (name, kind) VALUES ('visit test', 'customer') ON CONFLICT (name) DO NOTHING RETURNING id)
       SELECT id FROM made UNION ALL SELECT id FROM role WHERE name = 'visit test'`,
    );
    return insert('user_account', { account, password_hash: 'none', role_id: rows[0].id, invitation_code: `invite-${account}` });
  };
  const firstUser = await addUser(`owner-${Math.random().toString(36).slice(2)}`);
  return {
    client,
    owner_id: firstUser,
    addUser,
    addDomain: (host, type = 1, holder_id = null) => insert('domain', { host, type, holder_id }),
    async addCode(file_name, { js_config_ids = [], ...code } = {}, targets = [{}]) {
      const id = await insert('live_code', { owner_id: firstUser, name: file_name, file_name, ...code });
      await client.query(
        'INSERT INTO live_code_js_config (live_code_id, js_config_id, position) SELECT $1, * FROM unnest($2::bigint[]) WITH ORDINALITY',
        [id, js_config_ids],
      );
      const ids: number[] = [];
      for (const [place, target] of targets.entries()) {
        const content = `https://target.example/${file_name}/${place}`;
        const sort = targets.length - place;
        const rules = target.rules ? JSON.stringify(target.rules) : null;
        const row = { live_code_id: id, kind: 'url', content, sort, ...target, rules };
        const target_id = await insert('live_code_target', row);
        ids.push(target_id);
        if (target.threshold !== undefined) {
          await client.query('INSERT INTO target_quota (target_id, remaining) VALUES ($1, $2)', [target_id, target.threshold]);
        }
      }
      return { id, targets: ids };
    },
    close: () => client.end(),
  };
}
