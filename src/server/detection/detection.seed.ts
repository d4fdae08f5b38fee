// not messages: the names of rows that operators change as they like.
import type { Database } from '../kit/postgres/database.ts';
import { detector } from './detection.table.ts';

/**
 * What a first start asks with: the messenger's gateway, and whether a domain resolves and answers at all. Nothing is sent to anybody
 * until a domain is registered that can be reached from outside. Certificates are left to those whose visitors come by https.
 */
export async function seedDetectors(db: Database): Promise<void> {
  await db
    .insert(detector)
    .values([
      { name: '微信网关', kind: 'gateway', config: { kind: 'gateway', url: '', warning_is_blocked: true }, sort: 40 },
      { name: '域名解析', kind: 'dns', config: { kind: 'dns' }, sort: 30 },
      { name: '网页访问', kind: 'http', config: { kind: 'http', path: '/healthz', statuses: '200-399' }, sort: 20 },
      { name: 'HTTPS 证书', kind: 'tls', config: { kind: 'tls', port: 443 }, sort: 10, enabled: false },
    ])
    .onConflictDoNothing();
}
