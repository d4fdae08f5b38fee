import type pg from 'pg';
import { outcomes } from '../../../contract/enums.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import type { DecodedRecord, VisitRecord } from '../../kit/visits/journal/record.ts';
import type { Agent } from '../facts/agent.ts';
import type { Place } from '../facts/place.ts';
import type { FactKind } from '../facts/versions.ts';
import { createDictionary, keySeparator } from './dictionary.ts';

/** Where places and agents are looked up; both answer for any text. */
export type FactSources = {
  placeOf: (ip: string) => Place;
  agentOf: (userAgent: string) => Agent;
  /** Reads what administrators changed; called before the first batch, and when a batch finds that something was changed. */
  renew?: (client: pg.ClientBase, changed: readonly FactKind[]) => Promise<void>;
};

/** The facts of a batch, by position of the record. Ids are 0 where no row needs them, texts' also where the text is empty. */
export type Facts = {
  ip: string[];
  place_id: Int32Array;
  agent_id: Int32Array;
  device_id: Int32Array;
  host_id: Int32Array;
  path_id: Int32Array;
  referer_id: Int32Array;
  language_id: Int32Array;
};

const [passed, program] = [outcomes.indexOf('passed'), outcomes.indexOf('program')];

/** Gives passed visits of programs their own outcome in journals of before the visit path did. */
export function markPrograms(records: readonly DecodedRecord[], agentOf: FactSources['agentOf']): void {
  for (const { record } of records) {
    if (record.outcome === passed && agentOf(record.user_agent).source === 'bot') record.outcome = program;
  }
}

/** A visit that counts in the statistics of its code. */
export const isCounted = ({ outcome, live_code_id, short_code_id }: VisitRecord): boolean =>
  outcome === passed && (live_code_id > 0 || short_code_id > 0);

/** The alias that a visit which counts came by (`live_code_key`); 0 where it came by its code's own key. */
export const aliasIn = ({ outcome, note }: VisitRecord): number => (outcome === passed && /^\d{1,15}$/.test(note) ? Number(note) : 0);

export type Lookup = (client: pg.ClientBase, records: readonly VisitRecord[]) => Promise<Facts>;

/** The address of a record that holds none, which no sound writer makes. */
const noAddress = '0.0.0.0';

/**
 * Looks facts up and remembers their ids. After a lost connection a new one is needed: a crashed server may have lost entries that were
 * never used, and then gives their numbers to others.
 */
export function createLookup({ placeOf, agentOf }: FactSources): Lookup {
  const idOf = (row: Record<string, unknown>) => Number(row.id);
  const overflow = { key: '', newPerHour: 1_000_000 };
  const texts = createDictionary({
    table: 'visit_text',
    columns: [['text', 'text']],
    keyColumns: 1,
    entryOf: idOf,
    limit: 60_000,
    overflow,
  });
  const places = createDictionary({
    table: 'visit_place',
    columns: (['country', 'region', 'city', 'carrier'] as const).map((name) => [name, 'text'] as const),
    keyColumns: 4,
    entryOf: idOf,
    limit: 20_000,
  });
  const devices = createDictionary({
    table: 'visit_device',
    columns: (['source', 'system', 'brand', 'browser'] as const).map((name) => [name, 'text'] as const),
    keyColumns: 4,
    entryOf: idOf,
    limit: 20_000,
  });
  const agents = createDictionary({
    table: 'visit_agent',
    columns: [
      ['user_agent', 'text'],
      ['device_id', 'integer'],
      ['system_version', 'text'],
      ['model', 'text'],
      ['model_name', 'text'],
    ],
    keyColumns: 1,
    only: 'NOT retired',
    entryOf: (row) => ({ id: Number(row.id), device_id: Number(row.device_id) }),
    limit: 40_000,
    overflow,
  });
  const placeKeys = new WeakMap<Place, string>();

  /** Places are shared objects: the key of each is put together once. */
  function placeKeyOf(ip: string): string {
    const place = placeOf(ip);
    let key = placeKeys.get(place);
    if (key === undefined) {
      key = [place.country, place.region, place.city, place.carrier].join(keySeparator);
      placeKeys.set(place, key);
    }
    return key;
  }

  async function agentsOf(client: pg.ClientBase, userAgents: ReadonlySet<string>) {
    const described = new Map<string, Agent>();
    for (const userAgent of userAgents) if (!agents.get(userAgent)) described.set(userAgent, agentOf(userAgent));
    const deviceKeyOf = ({ source, system, brand, browser }: Agent) => [source, system, brand, browser].join(keySeparator);
    const deviceIds = await devices.resolve(client, new Set([...described.values()].map(deviceKeyOf)), (key) => key.split(keySeparator));
    return agents.resolve(client, userAgents, (userAgent) => {
      const agent = described.get(userAgent);
      const deviceId = agent && deviceIds.get(deviceKeyOf(agent));
      // Only where the other lane made us forget it meanwhile; the batch is tried again.
      if (deviceId === undefined) throw new Error('a user agent was forgotten while its batch was prepared');
      return [userAgent, deviceId, agent?.system_version, agent?.model, agent?.model_name];
    });
  }

  return async (client, records) => {
    const ips: string[] = [];
    const recordPlaces: string[] = [];
    const wanted = { place: new Set<string>(), agent: new Set(['']), text: new Set(['']) };
    for (const record of records) {
      const ip = canonicalIp(record.ip) ?? noAddress;
      const isNeeded = record.open_log || isCounted(record);
      const placeKey = isNeeded ? placeKeyOf(ip) : '';
      ips.push(ip);
      recordPlaces.push(placeKey);
      if (!isNeeded) continue;
      wanted.place.add(placeKey);
      wanted.agent.add(record.user_agent);
      if (record.open_log) wanted.text.add(record.host).add(record.path).add(record.referer).add(record.language);
    }
    const placeIds = await places.resolve(client, wanted.place, (key) => key.split(keySeparator));
    const agentEntries = await agentsOf(client, wanted.agent);
    const textIds = await texts.resolve(client, wanted.text, (text) => [text]);

    const numbers = (of: (record: VisitRecord, index: number) => number | undefined) =>
      Int32Array.from(records, (record, index) => of(record, index) ?? 0);
    return {
      ip: ips,
      place_id: numbers((_, index) => placeIds.get(recordPlaces[index] ?? '')),
      agent_id: numbers((record) => agentEntries.get(record.user_agent)?.id),
      device_id: numbers((record) => agentEntries.get(record.user_agent)?.device_id),
      host_id: numbers((record) => textIds.get(record.host)),
      path_id: numbers((record) => textIds.get(record.path)),
      referer_id: numbers((record) => (record.referer === '' ? 0 : textIds.get(record.referer))),
      language_id: numbers((record) => (record.language === '' ? 0 : textIds.get(record.language))),
    };
  };
}
