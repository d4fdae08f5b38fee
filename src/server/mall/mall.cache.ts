import type { Bus } from '../kit/postgres/bus.ts';

/** What shop fronts ask for again and again: so many answers, each of so much age at most. */
const [maxAnswers, usualMilliseconds] = [500, 5000];

/** Reads an answer, or hands out the one that was read for the same key a moment ago. */
export type MallCache = <T>(key: readonly unknown[], read: () => Promise<T>) => Promise<T>;

/**
 * Keeps answers to shop fronts in memory until the catalogue changes. Purchases are no such change: what an answer says of stock and
 * purchases is some seconds old at most, and a purchase itself asks the database.
 */
export function createMallCache({ bus, maxAgeMilliseconds = usualMilliseconds }: { bus: Bus; maxAgeMilliseconds?: number }): MallCache {
  const answers = new Map<string, { answer: Promise<unknown>; askedAt: number }>();
  const clear = () => answers.clear();
  bus.subscribe('mall', clear);
  bus.subscribe('setting', clear);
  bus.onGap(clear);

  return <T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> => {
    const name = JSON.stringify(key);
    const held = answers.get(name);
    if (held && held.askedAt > performance.now() - maxAgeMilliseconds) return held.answer as Promise<T>;
    const answer = read();
    answers.delete(name);
    answers.set(name, { answer, askedAt: performance.now() });
    answer.catch(() => answers.get(name)?.answer === answer && answers.delete(name));
    const [oldest] = answers.keys();
    if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}
