/** The faults that can be triggered in the demo. */
import { beforeEach, expect, test } from 'vitest';
import type { Fault } from '../../demo/contract/scene-contract.js';
import { Faults } from '../../demo/simulation/faults.js';
import { CapacityExceededError } from '../../src/shared/util/errors.js';
import { startDemo, type DemoRun } from '../fixtures/demo-run.js';
import { present } from '../fixtures/present.js';

let demo: DemoRun;

beforeEach(async () => {
  demo = await startDemo('simd', 130, { name: 'heap', bodies: 100, seed: 1 });
});

const step = (): void => demo.step();

test('throw: the next step throws, and no other', () => {
  step();
  demo.simulation.queries.fault('throw');
  expect(step).toThrow(/on request/);
  expect(step).not.toThrow();
});

test('hang: the next step never returns, once', () => {
  let hangs = 0;
  const faults = new Faults(() => (hangs += 1));
  faults.request('hang', demo.bodies);
  expect(hangs).toBe(0);
  faults.strike(undefined);
  faults.strike(undefined);
  expect(hangs).toBe(1);
});

test('nan: one pose becomes invalid in the next step, and the body can be removed', () => {
  step();
  expect(demo.takeInvalid()).toEqual([]);
  demo.simulation.queries.fault('nan');
  step();
  const [bad, ...others] = demo.takeInvalid();
  expect(others).toEqual([]);
  expect(demo.simulation.onInvalidPose?.(present(bad), 'remove')).toBe(true);
  step();
  // The next one is another, even while the previous one is still held.
  const gone = [bad];
  for (let time = 0; time < 2; time++) {
    demo.simulation.queries.fault('nan');
    step();
    const next = present(demo.takeInvalid()[0]);
    expect(gone).not.toContain(next);
    expect(demo.simulation.onInvalidPose?.(next, 'freeze')).toBe(true);
    gone.push(next);
    step();
  }
});

test('full: the query fails, and everything is as before', () => {
  step();
  const before = demo.bodies.save();
  const own = demo.simulation.save();
  expect(() => demo.simulation.queries.fault('full')).toThrow(CapacityExceededError);
  expect(demo.bodies.save()).toEqual(before);
  expect(demo.simulation.save()).toEqual(own);
  expect(step).not.toThrow();
});

test('an unknown fault is refused by name', () => {
  expect(() => demo.simulation.queries.fault('fire' as Fault)).toThrow(
    /"fire".*throw, hang, nan, full/,
  );
});
