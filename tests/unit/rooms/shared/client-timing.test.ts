import { expect, test } from 'vitest';
import {
  correctionOf,
  ClientTiming,
  PagePulse,
} from '../../../../src/rooms/shared/client-timing.js';

const LIMITS = { maxGain: 0.05, maxFall: 0.01, jumpMs: 250, deadZoneMs: 4, gainMs: 2000 };

test.each([
  ['is unknown', Number.NaN, 1, 0],
  ['has not been measured', Number.POSITIVE_INFINITY, 1, 0],
  ['is none', 3, 1, 0],
  ['is a little too far behind', 20, 1.01, 0],
  ['is too far behind', 200, 1.05, 0],
  ['is far too far behind', 330, 1, 20],
  ['is a little too far ahead', -5, 0.995, 0],
  ['is too far ahead', -200, 0.99, 0],
  ['is far too far ahead', -330, 1, -20],
])(
  'a distance to the room that %s, by %d ms, gives the time scale %d and skips %d ticks',
  (_, errorMs, timeScale, skippedTicks) => {
    expect(correctionOf(errorMs, 16.5, LIMITS)).toEqual({ timeScale, skippedTicks });
  },
);

/** A client's timing of a room at 60 Hz, whose clock is 1000 ms ahead; settled, with a beat every 20 ms. */
function settledTiming() {
  let nowMs = 0;
  const timing = new ClientTiming({ tickRateHz: 60, ticksPerPacket: 2, droppedMs: 0 }, nowMs);
  const pass = (ms: number): void => {
    for (const endMs = nowMs + ms; nowMs < endMs;) {
      nowMs += 20;
      timing.beat(nowMs);
    }
  };
  pass(3000);
  /** A ping took so long. */
  const ping = (upMs: number): void => timing.notePong(nowMs - upMs, nowMs + 1000, nowMs);
  /** The client runs a tick that is due at the room so much later. */
  const runAhead = (aheadMs: number): void =>
    timing.noteTick(((nowMs + 1000 + aheadMs) * 60) / 1000, nowMs);
  /** A packet comes that was due so long ago. */
  const packet = (lateMs: number): void =>
    timing.notePacket(((nowMs + 1000 - lateMs) * 60) / 1000, nowMs);
  return { timing, pass, ping, runAhead, packet, now: () => nowMs };
}

test('a prediction hurries if its actions would be late, skips if far too late, and waits slowly if they are early', () => {
  const { timing, ping, runAhead } = settledTiming();
  expect(timing.correctLead()).toEqual({ timeScale: 1, skippedTicks: 0 });
  ping(30);
  // Not without a tick.
  expect(timing.correctLead()).toEqual({ timeScale: 1, skippedTicks: 0 });
  const leadMs = 30 + 1000 / 60;
  for (const [aheadMs, timeScale, skippedTicks] of [
    [leadMs, 1, 0],
    [leadMs - 20, 1.02, 0],
    [leadMs - 1000, 1, 60],
    [leadMs + 100, 0.99, 0],
  ] as const) {
    runAhead(aheadMs);
    expect(timing.correctLead().timeScale).toBeCloseTo(timeScale, 9);
    runAhead(aheadMs);
    expect(timing.correctLead().skippedTicks).toBe(skippedTicks);
  }
});

test('actions of a client that draws are for the tick that the slowest of its pings would be in time for', () => {
  const { timing, ping, now } = settledTiming();
  expect(timing.actionTick(now())).toBeNaN();
  for (const upMs of [40, 10, 25]) ping(upMs);
  // The first values count no longer: everything was beginning.
  expect(timing.actionTick(now())).toBeCloseTo(((now() + 1000 + 25 + 4) * 60) / 1000, 6);
});

test('what a page reads late says nothing about the network, unless it always reads late', () => {
  const { timing, pass, packet, runAhead } = settledTiming();
  const errorOf = (behindMs: number): number => {
    runAhead(-behindMs);
    // 5 s to correct it, when it is too far behind.
    return (timing.correctDelay(1000 / 30).timeScale - 1) * 5000;
  };
  packet(10);
  packet(10);
  expect(errorOf(100)).toBeCloseTo(100 - 11.5, 6);
  const late = new PagePulse(0);
  expect([late.isLate(40), late.isLate(41)]).toEqual([false, true]);
  expect([late.beat(90), late.isLate(91), late.beat(110), late.isLate(111)]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  pass(20);
  packet(50);
  packet(10);
  expect(errorOf(100)).toBeCloseTo(100 - 51.5, 6);
});
