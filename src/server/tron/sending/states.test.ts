import { expect, test } from 'vitest';
import { type SendEvent, type SendState, sendEvents, sendStates, statesBefore, transitions } from './states.ts';

/** Every state, and what each event makes of it; what is missing cannot happen. */
const expected: Record<SendState, Partial<Record<SendEvent, SendState>>> = {
  queued: { sign: 'signed', give_up: 'held', hold: 'held', cancel: 'cancelled' },
  signed: {
    pooled: 'broadcast',
    lost: 'signed',
    refused: 'signed',
    found_ok: 'solid_ok',
    found_failed: 'solid_failed',
    expired: 'queued',
  },
  broadcast: {
    pooled: 'broadcast',
    lost: 'broadcast',
    refused: 'broadcast',
    found_ok: 'solid_ok',
    found_failed: 'solid_failed',
    expired: 'queued',
  },
  held: { retry: 'queued', cancel: 'cancelled' },
  solid_ok: {},
  solid_failed: { retry: 'queued', cancel: 'cancelled' },
  cancelled: {},
};

test.each(sendStates.flatMap((state) => sendEvents.map((event) => [state, event] as const)))('%s and %s', (state, event) => {
  expect(transitions[state][event]).toBe(expected[state][event]);
});

test('only what cannot count any more is signed again', () => {
  const leadsToSigning = sendEvents.filter((event) => sendStates.some((state) => transitions[state][event] === 'queued'));
  expect(leadsToSigning).toEqual(['expired', 'retry']);
  expect(statesBefore('retry')).toEqual(['held', 'solid_failed']);
  expect(statesBefore('sign')).toEqual(['queued']);
});
