import { ruleSystemOf } from '../../kit/visits/systems.ts';
import { createRuleClock, type RuleFacts, type RuleNeeds } from '../../kit/visits/targeting.ts';
import type { OpenedPlaces, PlaceReader } from '../../visits/places.public.ts';
import { createLruCache } from '../memory/lru-cache.ts';
import type { Site } from '../memory/site.ts';
import { isMessenger } from '../requests.ts';

/** What of a visit tells who comes. */
export interface Visitor {
  at: number;
  ip: string;
  user_agent: string;
  /** The first tag of what it accepts. */
  language: string;
}

/** Looks up what rules ask of visitors; nothing is read or worked out for codes without rules. */
export interface Visitors {
  /** Undefined while the address files, which few installations need here, are read for the first time. Read it at once: it is filled anew. */
  factsOf(visitor: Visitor, needs: RuleNeeds, site: Site): RuleFacts | undefined;
  /** Calls when the address files are there, or can't be read; then places are unknown. */
  whenReady(done: () => void): void;
  /** Places may have changed: they are read anew aside where they were read before, and exchanged when that is done. */
  renew(): void;
}

/** Real user agents are shorter; what is longer is judged by its beginning. */
const agentCharacters = 1024;
const rememberedAgents = 4000;
/** After so long what could not be read of the database is tried again. */
const againMilliseconds = 5_000;

type Agent = Pick<RuleFacts, 'system' | 'is_messenger'>;

export function createVisitors(openPlaces: () => Promise<OpenedPlaces>, onError: (error: unknown) => void): Visitors {
  const agents = createLruCache<Agent>(rememberedAgents);
  let places: PlaceReader | null | undefined;
  let waiters: (() => void)[] = [];
  let zone = '';
  let tag = '';
  let clock = createRuleClock('UTC');
  const facts: RuleFacts = {
    country: '',
    region: '',
    carrier: null,
    system: 'other',
    is_messenger: false,
    language: '',
    hour: 0,
    weekday: 1,
    day: '',
  };

  let isReading = false;
  let isOutdated = false;

  const read = async (): Promise<void> => {
    isReading = true;
    do {
      isOutdated = false;
      try {
        const { reader, fault } = await openPlaces();
        places = reader;
        if (fault !== undefined) throw new Error(`places are those of the built-in lists: ${fault}`);
      } catch (error) {
        places ??= null;
        onError(error);
        setTimeout(renew, againMilliseconds).unref();
      }
    } while (isOutdated);
    isReading = false;
    const waiting = waiters;
    waiters = [];
    for (const done of waiting) done();
  };
  const renew = (): void => {
    if (isReading) isOutdated = true;
    else if (places !== undefined) void read();
  };

  const agentOf = (userAgent: string): Agent => {
    const text = userAgent.length > agentCharacters ? userAgent.slice(0, agentCharacters) : userAgent;
    const known = agents.get(text);
    if (known !== undefined) return known;
    const agent = { system: ruleSystemOf(text), is_messenger: isMessenger(text) };
    agents.set(text, agent);
    return agent;
  };

  return {
    factsOf(visitor, needs, site) {
      if (needs.place) {
        if (places === undefined) return undefined;
        const place = places?.lookup(visitor.ip);
        facts.country = place?.country ?? '';
        facts.region = place?.region ?? '';
        facts.carrier = place?.carrier ?? null;
      }
      if (needs.agent) {
        const { system, is_messenger } = agentOf(visitor.user_agent);
        facts.system = system;
        facts.is_messenger = is_messenger;
      }
      if (tag !== visitor.language) {
        tag = visitor.language;
        facts.language = tag.toLowerCase();
      }
      if (zone !== site.settings.time_zone) {
        zone = site.settings.time_zone;
        clock = createRuleClock(zone);
      }
      const { hour, weekday, day } = clock(visitor.at);
      facts.hour = hour;
      facts.weekday = weekday;
      facts.day = day;
      return facts;
    },
    whenReady(done) {
      waiters.push(done);
      if (!isReading) void read();
    },
    renew,
  };
}
