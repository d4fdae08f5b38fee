import { describe, expect, test } from 'vitest';
import { createPace } from './pace.ts';

/** Two processors, of whose time a share is idle, and a clock that stands. */
function openMachine() {
  let at = 0;
  const machine = { idleShare: 0, idle: 0, all: 0 };
  const pass = (milliseconds: number): void => {
    at += milliseconds;
    machine.all += 2 * milliseconds;
    machine.idle += 2 * milliseconds * machine.idleShare;
  };
  const pace = createPace(
    () => ({ idle: machine.idle, all: machine.all }),
    () => at,
  );
  const load = (source: string, records: number, is_more = false): void => {
    pace.begin();
    pace.end(source, { records, is_more });
  };
  return { machine, pass, pace, load };
}

/** A source that brought so many visits in its latest second. */
function sourceAt(rate: number) {
  const opened = openMachine();
  opened.load('0', 0);
  opened.pass(1000);
  opened.load('0', rate);
  opened.pass(250);
  return opened;
}

describe('what comes in great numbers is left in the journal', () => {
  test('while the processors have no rest, for four seconds at most', () => {
    const { pace, pass } = sourceAt(20_000);
    for (let waited = 250; waited < 4000; waited += 250) {
      expect(pace.isToWait('0')).toBe(true);
      pass(250);
    }
    expect(pace.isToWait('0')).toBe(false);
  });

  test('until the processors rest', () => {
    const { machine, pace, pass } = sourceAt(20_000);
    expect(pace.isToWait('0')).toBe(true);
    machine.idleShare = 0.5;
    pass(250);
    expect(pace.isToWait('0')).toBe(false);
  });

  test('also while another source is loaded, which takes the processors', () => {
    const { machine, pace, pass } = sourceAt(20_000);
    pace.begin();
    machine.idleShare = 1;
    pass(1000);
    expect(pace.isToWait('0')).toBe(true);
    // Nor does that time tell anything later.
    pace.end('1', { records: 1, is_more: false });
    machine.idleShare = 0;
    pass(250);
    expect(pace.isToWait('0')).toBe(true);
  });
});

test('few visits are loaded at once, however busy the processors are', () => {
  const { pace } = sourceAt(4_000);
  expect(pace.isToWait('0')).toBe(false);
});

test('what lay there before the start has no rate', () => {
  const { pace, load, pass } = openMachine();
  load('0', 50_000, true);
  load('0', 50_000);
  pass(1000);
  expect(pace.isToWait('0')).toBe(false);
});

test('what was waiting is loaded whole before the next wait', () => {
  const { pace, load, pass } = sourceAt(20_000);
  pass(4000);
  load('0', 50_000, true);
  expect(pace.isToWait('0')).toBe(false);
  pass(1000);
  load('0', 40_000);
  pass(250);
  expect(pace.isToWait('0')).toBe(true);
});

test('a source that brings little again is loaded at once', () => {
  const { pace, load, pass } = sourceAt(20_000);
  pass(4000);
  load('0', 100);
  pass(250);
  expect(pace.isToWait('0')).toBe(false);
});
