/** Loops in which no time would pass: refused by name, omitted from any comparison. */
import { expect, test } from 'vitest';
import {
  compare,
  compareThoseThatEnd,
  EndlessLoopError,
  simulate,
  type Scenario,
} from '../../../lab/engine/index.js';
import { STEPPER_KINDS } from '../../../lab/engine/loops/registry.js';

/** They sleep. */
const HAVE_AN_END = ['frame-locked', 'rate-groups'] as const;
const ENDLESS = STEPPER_KINDS.filter((kind) => HAVE_AN_END.every((other) => kind !== other));
const FREE: Partial<Scenario> = { vsync: false, seconds: 1 };

test('a comparison omits endless loops; the others are as in a run by themselves', () => {
  const { rows, leftOut } = compareThoseThatEnd(STEPPER_KINDS, { tickHz: 50 }, FREE);
  expect(leftOut).toEqual(ENDLESS);
  expect(rows).toEqual(compare(HAVE_AN_END, { tickHz: 50 }, FREE));
});

test('with nothing to omit it is the same comparison', () => {
  expect(compareThoseThatEnd(STEPPER_KINDS, {}, { seconds: 1 })).toEqual({
    rows: compare(STEPPER_KINDS, {}, { seconds: 1 }),
    leftOut: [],
  });
});

test('an invalid scenario is refused for all', () => {
  expect(() => compareThoseThatEnd(STEPPER_KINDS, {}, { seconds: 0 })).toThrow(/^seconds must be/);
});

test.each(ENDLESS)(
  '%s is refused by its name, and ends with the setting that the message names',
  (kind) => {
    const run = (scenario: Partial<Scenario>) => simulate({ kind }, { ...FREE, ...scenario });
    expect(() => run({})).toThrow(EndlessLoopError);
    expect(() => run({})).toThrow(
      `${kind} would loop forever at the same time: without vsync, set a cost per frame or a frame limit`,
    );
    for (const remedy of [{ frameMs: 1 }, { renderHz: 30 }, { vsync: true }]) {
      expect(run(remedy).frames).toBeGreaterThan(0);
    }
  },
);
