import { AppError } from './errors.ts';

export type AdmissionLimits = {
  maxOfUser: number;
  max: number;
  /** Of what all of them together hold; one alone may exceed it. */
  maxBytes: number;
};

const retryAfterSeconds = 5;

/** Counts those inside, so that what they hold in memory stays bounded; who comes beyond is told at once, before anything is read of him. */
export function createAdmission({ maxOfUser, max, maxBytes }: AdmissionLimits) {
  const numbers = new Map<number, number>();
  let inside = 0;
  let heldBytes = 0;

  function enter(user_id: number, bytes: number): () => void {
    const own = numbers.get(user_id) ?? 0;
    const isFull = inside >= max || (inside > 0 && heldBytes + bytes > maxBytes);
    if (own >= maxOfUser || isFull) throw new AppError(429, 'busy', { retryAfterSeconds });
    numbers.set(user_id, own + 1);
    inside += 1;
    heldBytes += bytes;
    return () => {
      const left = (numbers.get(user_id) ?? 1) - 1;
      if (left > 0) numbers.set(user_id, left);
      else numbers.delete(user_id);
      inside -= 1;
      heldBytes -= bytes;
    };
  }

  return {
    /**
     * Does the work for a user, in which so many bytes are held.
     * @throws AppError 429 `busy` where too many are at it
     */
    async admit<T>(user_id: number, bytes: number, work: () => Promise<T>): Promise<T> {
      const leave = enter(user_id, bytes);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
