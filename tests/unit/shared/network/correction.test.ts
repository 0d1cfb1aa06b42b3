import { expect, test } from 'vitest';
import { correctionOf } from '../../../../src/shared/network/correction.js';
import { RoomTiming } from '../../../../src/shared/network/room-timing.js';

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

test('a prediction hurries if its actions are late, until it has new answers, and otherwise waits', () => {
  const timing = new RoomTiming({ tickRateHz: 60, ticksPerPacket: 2, droppedMs: 0 });
  const pong = (waitedMs: number): void => timing.notePong(0, 10, 20, waitedMs);
  expect(timing.correctLead()).toEqual({ timeScale: 1, skippedTicks: 0 });
  pong(0);
  expect(timing.correctLead().timeScale).toBeCloseTo(1 + 1 / 60, 9);
  expect(timing.waitMs).toBeNaN();
  pong(-1000);
  expect(timing.correctLead()).toEqual({ timeScale: 1, skippedTicks: 61 });
  expect(timing.waitMs).toBeNaN();
  pong(200);
  expect(timing.correctLead()).toEqual({ timeScale: 0.99, skippedTicks: 0 });
  // The least wait counts.
  pong(100);
  expect(timing.waitMs).toBe(100);
});

test('actions of a client that draws are for later ticks at once if they are late, and for earlier ones slowly if they wait', () => {
  const timing = new RoomTiming({ tickRateHz: 60, ticksPerPacket: 2, droppedMs: 0 });
  timing.adaptLead();
  expect(timing.leadMs).toBe(0);
  const answered = (waitedMs: number): number => {
    timing.notePong(0, 10, 20, waitedMs);
    timing.adaptLead();
    return timing.leadMs;
  };
  // Half of a round trip and a tick at first; half of what is missing more.
  const first = 10 + 1000 / 60 + (30 + 1000 / 60) / 2;
  expect(answered(-30)).toBeCloseTo(first, 6);
  expect(answered(1000 / 60 + 100)).toBeCloseTo(first - 5, 6);
  // The shortest wait counts.
  expect(answered(1000 / 60 + 300)).toBeCloseTo(first - 10, 6);
  expect(answered(-5000)).toBe(1000);
});
