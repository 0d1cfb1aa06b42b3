import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QualityController } from '../../../demo/page/quality/quality-controller.js';

const LEVELS = 6;

/**
 * A machine whose frames take a time that depends on the level, with a display of a period. All in
 * ms.
 */
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

interface Run {
  /** Each change: when, and to which level. */
  readonly changes: { readonly atMs: number; readonly level: number }[];
  readonly level: number;
}

/**
 * Draws for this long, in virtual time: each frame begins with the display's first one after the
 * last was drawn.
 */
function run(machine: Machine, controller: QualityController, lengthMs: number, fromMs = 0): Run {
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
const MINUTE = 60_000;

describe('a display whose rate is reached', () => {
  test.each([30, 50, 60, 75, 90, 120, 144, 165, 240])('of %d Hz is never lowered', (hz) => {
    const machine = {
      periodMs: 1000 / hz,
      drawMs: () => 0.9 * (1000 / hz),
      // The page loads before it draws: the display seems slower than it is.
      draws: (frame: number) => frame > 60,
    };

    expect(run(machine, from(LEVELS), 5 * MINUTE).changes).toEqual([]);
  });

  test('is not lowered by an occasional late frame', () => {
    const machine = {
      periodMs: 1000 / 60,
      drawMs: () => 8,
      otherMs: (frame: number) => (frame % 20 === 0 ? 60 : 0),
    };

    expect(run(machine, from(LEVELS), 5 * MINUTE).changes).toEqual([]);
  });

  test('stays at 60 frames a second on a faster display', () => {
    const machine = { periodMs: 1000 / 240, drawMs: () => 15 };

    expect(run(machine, from(LEVELS), MINUTE).changes).toEqual([]);
  });
});

describe('down', () => {
  const slow = { periodMs: 1000 / 60, drawMs: (level: number) => 5 * 2 ** (level - 1) };

  test('it changes to the level that is fast enough, and stays', () => {
    const { changes, level } = run(slow, from(LEVELS), 10 * MINUTE);

    expect(level).toBe(2);
    expect(changes.map((change) => change.level)).toEqual([3, 2]);
    expect(changes.at(-1)?.atMs).toBeLessThan(6000);
  });

  test('it does not go below the first level', () => {
    const machine = { periodMs: 1000 / 60, drawMs: () => 400 };

    expect(run(machine, from(LEVELS), MINUTE).level).toBe(1);
  });

  test.each([
    ['a long frame', 1500],
    ['a page that was suspended', 60_000],
  ])('%s is not a load', (_, ms) => {
    const machine = {
      periodMs: 1000 / 60,
      drawMs: () => 8,
      otherMs: (frame: number) => (frame % 400 === 399 ? ms : 0),
    };

    expect(run(machine, from(LEVELS), 10 * MINUTE).changes).toEqual([]);
  });

  test('other work that delays the page is not a load if drawing is measured', () => {
    const machine = { periodMs: 1000 / 60, drawMs: () => 6, otherMs: () => 40 };

    expect(run(machine, from(LEVELS), MINUTE).changes).toEqual([]);
    expect(run({ ...machine, measures: false }, from(LEVELS), MINUTE).level).toBe(1);
  });

  test('a hidden page is not a load, nor are the frames after a change', () => {
    const controller = from(LEVELS);
    const machine = { periodMs: 1000 / 60, drawMs: () => 8 };
    for (let time = 0; time < MINUTE; time += 5000) {
      expect(run(machine, controller, 600, time).changes).toEqual([]);
      controller.interrupt();
    }
  });
});

describe('unchanged frames', () => {
  test('are no reason to raise the level', () => {
    const machine = { periodMs: 1000 / 60, drawMs: () => 1, draws: () => false };

    expect(run(machine, from(1), 10 * MINUTE).changes).toEqual([]);
  });

  test('do not hide that the few drawn frames are slow', () => {
    const machine = {
      periodMs: 1000 / 60,
      drawMs: (level: number) => 20 * level,
      draws: (frame: number) => frame % 3 === 0,
    };

    expect(run(machine, from(LEVELS), MINUTE).level).toBeLessThan(LEVELS);
  });
});

describe('up', () => {
  test('it rises step by step while there is room', () => {
    const machine = { periodMs: 1000 / 60, drawMs: (level: number) => 0.3 * level };
    const { changes } = run(machine, from(1), 2 * MINUTE);

    expect(changes.map(({ level }) => level)).toEqual([2, 3, 4, 5, 6]);
    expect(changes.at(-1)?.atMs).toBeLessThan(30_000);
  });

  test('it rises again when a load has ended', () => {
    const controller = from(LEVELS);
    const loaded = { periodMs: 1000 / 60, drawMs: () => 80 };
    expect(run(loaded, controller, MINUTE).level).toBe(1);

    const free = { periodMs: 1000 / 60, drawMs: () => 3 };
    expect(run(free, controller, MINUTE, MINUTE).level).toBe(LEVELS);
  });

  test('it does not rise if drawing already takes half of the time', () => {
    const machine = { periodMs: 1000 / 60, drawMs: () => 9 };

    expect(run(machine, from(3), 10 * MINUTE).changes).toEqual([]);
  });

  test('if it cannot measure, it tries, and each failure doubles the wait', () => {
    const machine = {
      periodMs: 1000 / 60,
      drawMs: (level: number) => (level <= 3 ? 10 : 40),
      measures: false,
    };
    const { changes, level } = run(machine, from(3), 60 * MINUTE);
    const tries = changes.filter((change) => change.level === 4).map(({ atMs }) => atMs);
    const waits = tries.slice(1).map((atMs, index) => atMs - (tries[index] ?? 0));

    expect(level).toBe(3);
    expect(tries.length).toBeGreaterThan(4);
    for (const [index, wait] of waits.slice(1).entries()) {
      expect(wait / (waits[index] ?? 0)).toBeGreaterThan(1.6);
    }
  });

  test('it tries again soon when the frames have changed', () => {
    const controller = from(3);
    const failing = {
      periodMs: 1000 / 60,
      drawMs: (level: number) => (level <= 3 ? 10 : 40),
      measures: false,
    };
    run(failing, controller, 60 * MINUTE);
    controller.changed();

    const { changes } = run({ ...failing, drawMs: () => 2 }, controller, MINUTE, 61 * MINUTE);
    expect(changes.map(({ level }) => level)).toEqual([4, 5, 6]);
  });
});

describe('on any machine', () => {
  const machines = fc.record({
    periodMs: fc.constantFrom(1000 / 240, 1000 / 144, 1000 / 75, 1000 / 60, 1000 / 50, 1000 / 30),
    firstMs: fc.double({ min: 0.5, max: 120, noNaN: true }),
    factors: fc.array(fc.double({ min: 1, max: 3, noNaN: true }), {
      minLength: LEVELS,
      maxLength: LEVELS,
    }),
    noise: fc.double({ min: 0, max: 0.3, noNaN: true }),
    measures: fc.boolean(),
    start: fc.integer({ min: 1, max: LEVELS }),
    every: fc.integer({ min: 1, max: 4 }),
  });

  test('a steady one has few changes, increasingly rare, and only whole levels', () => {
    fc.assert(
      fc.property(machines, ({ periodMs, firstMs, factors, noise, measures, start, every }) => {
        const costs = factors.map((_, index) =>
          factors.slice(0, index).reduce((cost, factor) => cost * factor, firstMs),
        );
        // The same noise each time: neither random nor in the display's rhythm.
        const noisy = (frame: number): number => 1 + noise * Math.sin(frame * 12.9898);
        const machine = {
          periodMs,
          measures,
          drawMs: (level: number, frame: number) => (costs[level - 1] ?? 0) * noisy(frame),
          draws: (frame: number) => frame % every === 0,
        };
        const { changes } = run(machine, from(start), 10 * MINUTE);

        for (const { level } of changes) {
          expect(Number.isInteger(level) && level >= 1 && level <= LEVELS).toBe(true);
        }
        // Down and up once, and then attempts of which each waits twice as long: 3 s, 6 s, … 384 s,
        // two changes each.
        expect(changes.length).toBeLessThanOrEqual(2 * LEVELS + 2 * 8);
        // Two of those may be that late. An attempt that lasts two minutes is no failure: one of
        // two changes in each.
        const late = changes.filter(({ atMs }) => atMs > 5 * MINUTE);
        expect(late.length).toBeLessThanOrEqual(4 + 2 * Math.ceil(5 / 2));
      }),
      // With the machine on which a level lasts two minutes and no longer.
      {
        numRuns: 60,
        examples: [
          [
            {
              periodMs: 1000 / 240,
              firstMs: 6.973997216096423,
              factors: [3, 1.411061845805617, 1, 1.801946035172865, 1, 1],
              noise: 0.28414381742477357,
              measures: false,
              start: 3,
              every: 2,
            },
          ],
        ],
      },
    );
  });

  test("one that reaches its display's rate at every level ends at the finest", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1000 / 240, 1000 / 144, 1000 / 60, 1000 / 50),
        fc.double({ min: 0.1, max: 0.3, noNaN: true }),
        fc.integer({ min: 1, max: LEVELS }),
        (periodMs, share, start) => {
          const machine = {
            periodMs,
            drawMs: () => share * periodMs,
            draws: (frame: number) => frame > 60,
          };
          expect(run(machine, from(start), MINUTE).level).toBe(LEVELS);
        },
      ),
    );
  });
});
