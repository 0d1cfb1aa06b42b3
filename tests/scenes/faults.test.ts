/** What can be made to go wrong in the demo. */
import { beforeEach, expect, test } from 'vitest';
import type {
  DemoCommands,
  DemoEvents,
  DemoQueries,
  Fault,
} from '../../demo/contract/scene-contract.js';
import { createDemoSimulation } from '../../demo/simulation/demo-simulation.js';
import { Faults } from '../../demo/simulation/faults.js';
import { CapacityExceededError } from '../../src/shared/errors.js';
import { Random } from '../../src/shared/random.js';
import { BodyRegistry } from '../../src/sim-worker/body-registry.js';
import { EventReporter } from '../../src/sim-worker/event-reporter.js';
import type { Simulation } from '../../src/sim-worker/simulation.js';
import { present } from '../fixtures/present.js';

const STEP_S = 1 / 60;

let bodies: BodyRegistry;
let simulation: Simulation<DemoCommands, DemoEvents, DemoQueries>;
let queries: DemoQueries;

beforeEach(async () => {
  bodies = new BodyRegistry(130);
  simulation = createDemoSimulation('simd');
  queries = present(simulation.queries);
  await simulation.init({
    bodies,
    capacity: bodies.capacity,
    stepS: STEP_S,
    seed: 1,
    setup: { name: 'heap', bodies: 100, seed: 1 },
    random: new Random(1),
    events: new EventReporter(undefined),
    restart: () => {},
  });
});

const step = (): void => simulation.step(STEP_S, 1, []);

test('throw: the next step throws, and only that', () => {
  step();
  queries.fault('throw');
  expect(step).toThrow(/asked/);
  expect(step).not.toThrow();
});

test('hang: the next step comes to what never returns, once', () => {
  let hangs = 0;
  const faults = new Faults(() => (hangs += 1));
  faults.request('hang', bodies);
  expect(hangs).toBe(0);
  faults.strike(undefined);
  faults.strike(undefined);
  expect(hangs).toBe(1);
});

test('nan: one body goes bad with the next step, and can be taken out', () => {
  step();
  expect(bodies.takeInvalid()).toEqual([]);
  queries.fault('nan');
  step();
  const [bad, ...others] = bodies.takeInvalid();
  expect(others).toEqual([]);
  expect(simulation.quarantine?.(present(bad), 'remove')).toBe(true);
  step();
  // The next one is another, also where the one before is still held.
  const gone = [bad];
  for (let time = 0; time < 2; time++) {
    queries.fault('nan');
    step();
    const next = present(bodies.takeInvalid()[0]);
    expect(gone).not.toContain(next);
    expect(simulation.quarantine?.(next, 'freeze')).toBe(true);
    gone.push(next);
    step();
  }
});

test('full: the query fails, and everything is as before', () => {
  step();
  const before = bodies.save();
  const own = simulation.save?.();
  expect(() => queries.fault('full')).toThrow(CapacityExceededError);
  expect(bodies.save()).toEqual(before);
  expect(simulation.save?.()).toEqual(own);
  expect(step).not.toThrow();
});

test('a fault that there is not is refused by name', () => {
  expect(() => queries.fault('fire' as Fault)).toThrow(/"fire".*throw, hang, nan, full/);
});
