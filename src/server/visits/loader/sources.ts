import { outcomes } from '../../../contract/enums.ts';
import { proofFailures, type VisitRecord } from '../../kit/visits/journal/record.ts';

export type SourceKind = 'unknown_host' | 'referer' | 'forged' | 'replayed';

/** Visits of one address that came from one place they were not meant to come from, in one batch. */
export type SourceGroup = {
  kind: SourceKind;
  /** The unknown host or the one that referred; empty where neither is the matter, or where the batch has too many. */
  host: string;
  /** 0 where the visit reached none, or where the batch has too many. */
  live_code_id: number;
  short_code_id: number;
  /** Null where the batch has too many. */
  ip: string | null;
  visits: number;
  first_at: number;
  last_at: number;
};

const noCode = { live_code_id: 0, short_code_id: 0 };
const unknownHost = outcomes.indexOf('unknown_host');
/** What a page of ours told, which refers to itself. */
const told: ReadonlySet<number> = new Set([outcomes.indexOf('pressed'), outcomes.indexOf('reported')]);
/** Different ones of one batch that are told apart, of each kind and code; only an attacker has more. */
const groupsPerCode = 300;

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})(:\d{1,5})?$/;
const refererPattern = /^https?:\/\/(?:[^/?#@]*@)?([^/?#@]+)/i;

/** A host as it is listed, in lower case and without port, or the empty text where it isn't written like one. */
function plainHost(text: string): string {
  const [, name = ''] = hostPattern.exec(text.trim().toLowerCase()) ?? [];
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The host of the page that referred; empty where there was none. */
export const refererHost = (referer: string): string => plainHost(refererPattern.exec(referer)?.[1] ?? '');

function sourceOf(record: VisitRecord): { kind: SourceKind; host: string } | undefined {
  if (record.outcome === unknownHost) return { kind: 'unknown_host', host: plainHost(record.host) };
  if ((record.live_code_id === 0 && record.short_code_id === 0) || told.has(record.outcome)) return undefined;
  if (record.proof_failure === proofFailures.forged) return { kind: 'forged', host: refererHost(record.referer) };
  if (record.proof_failure === proofFailures.replayed) return { kind: 'replayed', host: refererHost(record.referer) };
  const host = record.referer === '' ? '' : refererHost(record.referer);
  return host === '' || host === plainHost(record.host) ? undefined : { kind: 'referer', host };
}

/** Gathers the visits of a batch that came from where they were not meant to. Most visits cost it two comparisons. */
export function createSourceGroups() {
  const groups = new Map<string, SourceGroup>();
  const counts = new Map<string, number>();
  return {
    /** @param ip in canonical spelling */
    add(record: VisitRecord, ip: string, at: number): void {
      const source = sourceOf(record);
      if (source === undefined) return;
      const { kind, host } = source;
      const { live_code_id, short_code_id } = kind === 'unknown_host' ? noCode : record;
      const code = `${kind} ${live_code_id} ${short_code_id}`;
      const key = `${code} ${host} ${ip}`;
      const count = counts.get(code) ?? 0;
      const isApart = groups.has(key) || count < groupsPerCode;
      const group = groups.get(isApart ? key : code);
      if (group === undefined) {
        counts.set(code, count + 1);
        // The code stays, so that its owner is known.
        groups.set(isApart ? key : code, {
          kind,
          live_code_id,
          short_code_id,
          visits: 1,
          first_at: at,
          last_at: at,
          ...(isApart ? { host, ip } : { host: '', ip: null }),
        });
      } else {
        group.visits += 1;
        group.first_at = Math.min(group.first_at, at);
        group.last_at = Math.max(group.last_at, at);
      }
    },
    all: (): SourceGroup[] => [...groups.values()],
  };
}

/** What a host may be registered as: itself, or a wildcard above it. */
export function registeredNames(host: string): string[] {
  const names = [host];
  for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) names.push(`*${host.slice(dot)}`);
  return names;
}
