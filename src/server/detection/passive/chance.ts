/** Visits, and how many of them came from the messenger. */
export type Share = { visits: number; messenger: number };

/** Fewer visits tell nothing. */
const least = { now: 8, usual: 200 };
/** Of a domain that the messenger hardly uses, a fall cannot be seen. */
const leastUsualShare = 0.2;
/** By chance alone, once in a million looks: thousands of domains are looked at every minute. */
const chance = 1e-6;
/** Shares of real visits change for many reasons: only a fall by half is one. */
const fallTo = 0.5;
const recoveredAt = 0.75;

export const shareOf = ({ visits, messenger }: Share): number => (visits === 0 ? 0 : messenger / visits);

/** How probable so few out of so many are, where each has this probability: the lower tail of the binomial distribution. */
export function lowerTail(few: number, all: number, probability: number): number {
  if (few >= all) return 1;
  if (probability <= 0) return 1;
  if (probability >= 1) return 0;
  // The logarithm of the probability of exactly k, from one k to the next.
  let log = all * Math.log1p(-probability);
  const odds = Math.log(probability) - Math.log1p(-probability);
  let highest = log;
  const logs = [log];
  for (let k = 1; k <= few; k += 1) {
    log += Math.log(all - k + 1) - Math.log(k) + odds;
    logs.push(log);
    highest = Math.max(highest, log);
  }
  return Math.min(1, Math.exp(highest) * logs.reduce((sum, one) => sum + Math.exp(one - highest), 0));
}

export type Look = {
  now: Share;
  /** Of the same domain, before. */
  usual: Share;
  /** Of the other domains of its kind, now and before. */
  others: { now: Share; usual: Share };
};

/**
 * The share that is to be expected: the domain's usual one, less what cannot be told from chance; and where the messenger's share falls on
 * all domains at once, the reason is not with one of them.
 */
export function expectedShare({ usual, others }: Pick<Look, 'usual' | 'others'>): number {
  const own = shareOf(usual);
  const cautious = Math.max(0, own - 3 * Math.sqrt((own * (1 - own)) / Math.max(usual.visits, 1)));
  const isTelling = others.now.visits >= least.now && others.usual.visits >= least.usual && others.usual.messenger > 0;
  return cautious * (isTelling ? Math.min(1, shareOf(others.now) / shareOf(others.usual)) : 1);
}

/** Whether the messenger's visits stay away from a domain, more than chance and what happens to all domains explain. */
export function isFall(look: Look): boolean {
  const { now, usual } = look;
  if (now.visits < least.now || usual.visits < least.usual || shareOf(usual) < leastUsualShare) return false;
  const expected = expectedShare(look);
  return shareOf(now) < expected * fallTo && lowerTail(now.messenger, now.visits, expected) < chance;
}

/** Whether they are back. */
export const isRecovery = (look: Look): boolean => look.now.visits >= least.now && shareOf(look.now) >= expectedShare(look) * recoveredAt;
