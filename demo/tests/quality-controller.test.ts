/** Which quality the demo draws, on machines in virtual time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QualityController } from '../page/quality/quality-controller.js';

const LEVELS = 6;
const MINUTE = 60_000;

/** A machine with a display; all in ms. */
interface Machine {
  readonly periodMs: number;
  /** How long a frame of a level is drawn. */
  readonly drawMs: (level: number, frame: number) => number;
  /** Whether it can measure how long a frame was drawn. */
  readonly measures?: boolean;
  /** False for a frame that leaves the drawing unchanged. */
  readonly draws?: (frame: number) => boolean;
  /** How long something else delays a frame. */
  readonly otherMs?: (frame: number) => number;
}

/** Draws for this long: each frame begins with the display's first one after the last was drawn. */
function run(machine: Machine, controller: QualityController, lengthMs: number, fromMs = 0) {
  const { periodMs, drawMs, measures = true, draws = () => true, otherMs = () => 0 } = machine;
  const changes: { atMs: number; level: number }[] = [];
  let atMs = fromMs;
  let measuredMs: number | undefined;
  for (let frame = 0; atMs < fromMs + lengthMs; frame++) {
    const wanted = controller.frame(atMs, measuredMs);
    measuredMs = undefined;
    if (wanted !== undefined) {
      controller.apply(wanted);
      changes.push({ atMs, level: wanted });
    }
    let spentMs = otherMs(frame);
    if (draws(frame)) {
      controller.drew();
      const drawnMs = drawMs(controller.level, frame);
      spentMs += drawnMs;
      if (measures && frame % 8 === 0) measuredMs = drawnMs;
    }
    atMs += Math.max(1, Math.ceil(spentMs / periodMs - 1e-9)) * periodMs;
  }
  return { changes, level: controller.level };
}

const from = (start: number): QualityController => new QualityController(LEVELS, start);

test.each<[string, Machine]>([
  // The page loads before it draws: the display seems slower than it is.
  ['at 30 Hz', { periodMs: 1000 / 30, drawMs: () => 30, draws: (frame) => frame > 60 }],
  ['at 240 Hz', { periodMs: 1000 / 240, drawMs: () => 3.7 }],
  ['at 240 Hz, drawn at 60 Hz', { periodMs: 1000 / 240, drawMs: () => 15 }],
  [
    'with late frames',
    { periodMs: 1000 / 60, drawMs: () => 8, otherMs: (frame) => (frame % 20 ? 0 : 60) },
  ],
  [
    'with a page that was suspended',
    {
      periodMs: 1000 / 60,
      drawMs: () => 8,
      otherMs: (frame) => (frame % 400 === 399 ? MINUTE : 0),
    },
  ],
  ['with other work', { periodMs: 1000 / 60, drawMs: () => 6, otherMs: () => 40 }],
])('the quality of a machine that keeps up %s is never lowered', (_, machine) => {
  expect(run(machine, from(LEVELS), 5 * MINUTE).changes).toEqual([]);
});

test('the quality is lowered to the level that is fast enough, and rises when the load has ended', () => {
  const slow = { periodMs: 1000 / 60, drawMs: (level: number) => 5 * 2 ** (level - 1) };
  const controller = from(LEVELS);
  const { changes } = run(slow, controller, 10 * MINUTE);
  expect(changes.map(({ level }) => level)).toEqual([3, 2]);
  expect(changes.at(-1)?.atMs).toBeLessThan(6000);
  const free = { periodMs: 1000 / 60, drawMs: (level: number) => 0.3 * level };
  const risen = run(free, controller, 2 * MINUTE, 10 * MINUTE);
  expect(risen.changes.map(({ level }) => level)).toEqual([3, 4, 5, 6]);
});

test('a machine that cannot measure tries a higher quality, and each failure doubles the wait', () => {
  const machine: Machine = {
    periodMs: 1000 / 60,
    drawMs: (level) => (level <= 3 ? 10 : 40),
    measures: false,
  };
  const { changes, level } = run(machine, from(3), 30 * MINUTE);
  const tries = changes.filter((change) => change.level === 4).map(({ atMs }) => atMs);
  const waits = tries.slice(1).map((atMs, index) => atMs - (tries[index] ?? 0));
  expect(level).toBe(3);
  expect(tries.length).toBeGreaterThan(4);
  for (const [index, wait] of waits.slice(1).entries()) {
    expect(wait / (waits[index] ?? 0)).toBeGreaterThan(1.6);
  }
});

test('the quality of any steady machine changes rarely, and ever more so', () => {
  const machines = fc.record({
    periodMs: fc.constantFrom(1000 / 240, 1000 / 144, 1000 / 60, 1000 / 50, 1000 / 30),
    firstMs: fc.double({ min: 0.5, max: 120, noNaN: true }),
    factor: fc.double({ min: 1, max: 3, noNaN: true }),
    noise: fc.double({ min: 0, max: 0.3, noNaN: true }),
    measures: fc.boolean(),
    start: fc.integer({ min: 1, max: LEVELS }),
  });
  fc.assert(
    fc.property(machines, ({ periodMs, firstMs, factor, noise, measures, start }) => {
      // The same noise each time: neither random nor in the display's rhythm.
      const noisy = (frame: number): number => 1 + noise * Math.sin(frame * 12.9898);
      const drawMs = (level: number, frame: number): number =>
        firstMs * factor ** (level - 1) * noisy(frame);
      const { changes } = run({ periodMs, measures, drawMs }, from(start), 10 * MINUTE);
      expect(changes.every(({ level }) => level >= 1 && level <= LEVELS)).toBe(true);
      // Down and up once, and then attempts of which each waits twice as long: 3 s, 6 s, … 384 s.
      expect(changes.length).toBeLessThanOrEqual(2 * LEVELS + 2 * 8);
    }),
    { numRuns: 20 },
  );
});
