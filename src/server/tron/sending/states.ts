/** What is sent, and why: TRX for the fee of a collection, the collection, a withdrawal. */
export const sendPurposes = ['fund', 'sweep', 'payout'] as const;
export type SendPurpose = (typeof sendPurposes)[number];

/**
 * `queued`: nothing is signed that could count. `signed`: the bytes are written down, and a node may have them. `broadcast`: a node has
 * them. `held`: waits for an administrator. `solid_ok`, `solid_failed`: a solid block says what became of it.
 */
export const sendStates = ['queued', 'signed', 'broadcast', 'held', 'solid_ok', 'solid_failed', 'cancelled'] as const;
export type SendState = (typeof sendStates)[number];

/**
 * `pooled`: a node has it, or had it already. `lost`: no answer says whether it has. `refused`: this node does not take it, which says
 * nothing of others. `expired`: no block can have it any more. `give_up`: it was tried too often.
 */
export const sendEvents = [
  'sign',
  'pooled',
  'lost',
  'refused',
  'found_ok',
  'found_failed',
  'expired',
  'give_up',
  'hold',
  'retry',
  'cancel',
] as const;
export type SendEvent = (typeof sendEvents)[number];

const found = { found_ok: 'solid_ok', found_failed: 'solid_failed' } as const;

/** What leads where. What is not here cannot happen: only an expired transaction, or one that a block says failed, is ever replaced. */
export const transitions: Record<SendState, Partial<Record<SendEvent, SendState>>> = {
  queued: { sign: 'signed', give_up: 'held', hold: 'held', cancel: 'cancelled' },
  signed: { pooled: 'broadcast', lost: 'signed', refused: 'signed', ...found, expired: 'queued' },
  broadcast: { pooled: 'broadcast', lost: 'broadcast', refused: 'broadcast', ...found, expired: 'queued' },
  held: { retry: 'queued', cancel: 'cancelled' },
  solid_failed: { retry: 'queued', cancel: 'cancelled' },
  solid_ok: {},
  cancelled: {},
};

/** The states that an event can come upon, and the one that it leads to. */
export function statesBefore(event: SendEvent): SendState[] {
  return sendStates.filter((state) => transitions[state][event] !== undefined);
}
