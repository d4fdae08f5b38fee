import type { blockStatuses } from '../../contract/enums.ts';
import type { Database } from '../kit/postgres/database.ts';

export type BlockCheckAnswer = {
  /** As it was checked. */
  url: string;
  block_status: (typeof blockStatuses)[number];
  /** What led to it, in words that the user reads; may be empty. */
  reason: string;
};

/**
 * Checks one address now for a user, within his limits. An address that is none is refused with 400.
 * The checks of messengers' blocks are another feature: whoever starts the bots hands it over; without it there is no `/check`.
 */
export type CheckUrl = (
  db: Database,
  asked: { user_id: number; url: string; language: string; signal: AbortSignal },
) => Promise<BlockCheckAnswer>;
