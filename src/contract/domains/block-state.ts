import { blockStatuses } from '../enums.ts';
import { id, oneOf, time } from '../kit/fields.ts';

/** What is known of whether messengers let a domain through, as everything carries it that shows domains. */
export const blockState = {
  block_status: oneOf(blockStatuses).nullable(),
  /** Since when it has been as it is. */
  block_since: time.nullable(),
  /** Its visits from the messenger fell; null: they did not. */
  suspected_since: time.nullable(),
  /** Where the caller finds its checks; null where he may not look. */
  monitor_id: id.nullable(),
};
