import type { Clickhouse } from './server.ts';

/** What statements about the table are written with: on a cluster, rows lie in a table of each server, behind one that knows them all. */
export type Layout = { database: string; cluster: string | undefined };

const onCluster = ({ cluster }: Layout): string => (cluster ? ` ON CLUSTER ${cluster}` : '');
/** The table that rows are removed from: a distributed one has none of its own. */
export const tableOfRows = (layout: Layout): string => `${layout.database}.${layout.cluster ? 'visit_local' : 'visit'}${onCluster(layout)}`;

/**
 * The columns of `visit` in PostgreSQL; what is null there is 0 here. Names stay in PostgreSQL: ids of a dictionary are looked up before a
 * question is sent, and named after it was answered, so that what administrators rename is renamed here.
 */
const columns = `id UInt64, at DateTime64(3, 'UTC') CODEC(DoubleDelta, ZSTD), live_code_id UInt64, short_code_id UInt64, target_id UInt64,
  forward_id UInt64, ip IPv6, host_id UInt32, path_id UInt32, referer_id UInt32, language_id UInt32, agent_id UInt32, place_id UInt32,
  outcome UInt8, unique_ip Bool, first_visit Bool`;
const order = 'PARTITION BY toYYYYMM(at) ORDER BY (live_code_id, at)';
/** The copy that is sent here, and how many pieces of it were begun. */
const piece = 'tag String, pieces UInt64';
/** A batch that is sent once more is known by its token for so many inserts, of a cluster for so many days. */
const known = { inserts: 100_000, days: 365 };

/** The changes of the schema in their order, each as statements; one that was released is never edited. Each may be made again. */
export const changes: readonly ((layout: Layout) => string[])[] = [
  (layout) => {
    const { database, cluster } = layout;
    if (!cluster)
      return [
        `CREATE TABLE IF NOT EXISTS ${database}.visit (${columns}) ENGINE = MergeTree ${order}
          SETTINGS non_replicated_deduplication_window = ${known.inserts}`,
        `CREATE TABLE IF NOT EXISTS ${database}.visit_piece (${piece}) ENGINE = ReplacingMergeTree(pieces) ORDER BY tag`,
      ];
    return [
      `CREATE TABLE IF NOT EXISTS ${database}.visit_local${onCluster(layout)} (${columns})
        ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ${order}
        SETTINGS replicated_deduplication_window = ${known.inserts}, replicated_deduplication_window_seconds = ${known.days * 86_400}`,
      // An address's visits to a code lie together, so that each server counts addresses by itself.
      `CREATE TABLE IF NOT EXISTS ${database}.visit${onCluster(layout)} AS ${database}.visit_local
        ENGINE = Distributed(${cluster}, ${database}, visit_local, cityHash64(live_code_id, ip))`,
      `CREATE TABLE IF NOT EXISTS ${database}.visit_piece${onCluster(layout)} (${piece})
        ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/{table}', '{shard}-{replica}', pieces) ORDER BY tag`,
    ];
  },
];

/** Makes the database and the changes that it lacks. Answers up to which they are made. */
export async function migrateClickhouse(clickhouse: Clickhouse, layout: Layout, from: number): Promise<number> {
  if (from === 0) await clickhouse.administer(`CREATE DATABASE IF NOT EXISTS ${layout.database}${onCluster(layout)}`);
  for (const change of changes.slice(from)) for (const statement of change(layout)) await clickhouse.run(statement);
  return changes.length;
}

/** Removes the copy there, so that another one can begin. */
export async function dropClickhouse(clickhouse: Clickhouse, layout: Layout): Promise<void> {
  const tables = ['visit', 'visit_piece', ...(layout.cluster ? ['visit_local'] : [])];
  for (const table of tables) await clickhouse.administer(`DROP TABLE IF EXISTS ${layout.database}.${table}${onCluster(layout)} SYNC`);
}
