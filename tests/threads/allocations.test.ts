/** Garbage of a call, measured in processes, whose engines do the same every time. */
import { beforeAll, expect, test } from 'vitest';
import { measuredBy } from '../fixtures/measured-process.js';
import type { ReactFrames } from '../fixtures/workers/react-frames.worker.js';
import type { Allocations } from '../fixtures/workers/allocations.worker.js';

/**
 * Whether a call is inlined, and a number passed to it therefore not boxed, is the engine's choice,
 * which a distant change may affect. That may cost some numbers a call; ten of the smallest arrays
 * are 320 bytes.
 */
const ONE_NUMBER = 16;
const FOUR_NUMBERS = 4 * ONE_NUMBER;
/** The bounds are those of its engine. Newer ones box more numbers: up to 1,800 bytes a frame in Node 24. */
const isMeasured = process.versions.node.startsWith('20.');
/** The measurement itself leaves a little, shared by all calls of its round. */
const MEASUREMENT = 8;

/** With these an engine does the same every time, however busy the machine is. */
const ENGINE = [
  // A busy machine would otherwise measure code that is not optimised yet, in which numbers are
  // boxed.
  '--single-threaded',
  // three.js warns of how fiber loads it.
  '--no-deprecation',
  // Room for all the garbage of a round, in MB: a collection in between would hide it.
  '--min-semi-space-size=16',
];

const allocatedBy = <Measured>(name: string, ...args: readonly string[]): Promise<Measured> =>
  measuredBy(name, args, ENGINE, { NODE_ENV: 'production' });

let bytes: Allocations;
beforeAll(async () => {
  bytes = await allocatedBy('allocations');
});

test
  .skipIf(!isMeasured)
  .each([
    'pose written',
    'publication',
    'frame statistics',
    'adaptive margin',
    'worker statistics',
    'write matrices',
    'write values',
    'binding, instances',
    'binding, instances in order',
    'binding, instances in order, others kept',
  ])('a call makes no garbage, or one number: %s', (what) => {
  expect(bytes[what]).toBeLessThan(ONE_NUMBER + MEASUREMENT);
});

test
  .skipIf(!isMeasured)
  .each([
    'pose of a frame',
    'binding, one object in a parent',
    'binding, objects that move',
    'a whole tick',
    'a whole frame',
  ])('a call makes a few numbers of garbage at most: %s', (what) => {
  expect(bytes[what]).toBeLessThan(FOUR_NUMBERS + MEASUREMENT);
});

test('garbage of a call would be noticed', () => {
  expect(bytes['one object']).toBeGreaterThan(ONE_NUMBER + MEASUREMENT);
  expect(bytes['ten small arrays']).toBeGreaterThan(FOUR_NUMBERS + MEASUREMENT);
  expect(bytes['one object a body']).toBeGreaterThan(200 * 16);
});

const framesOf = (scene: string) => allocatedBy<ReactFrames>('react-frames', scene);
let fiber: ReactFrames;
beforeAll(async () => {
  fiber = await framesOf('fiber');
});

test.skipIf(!isMeasured).each([
  { scene: 'bodies at rest', isMoving: false },
  { scene: 'everything', isMoving: true },
])('a frame of React Three Fiber makes little garbage: $scene', async ({ scene, isMoving }) => {
  const measured = await framesOf(scene);
  expect(measured.isMoving).toBe(isMoving);
  expect(measured.bytes - fiber.bytes).toBeLessThan(FOUR_NUMBERS + MEASUREMENT);
});

test('objects that an application makes in each frame of React Three Fiber would be noticed', async () => {
  const wasteful = await framesOf('ten objects a frame');
  expect(wasteful.bytes - fiber.bytes).toBeGreaterThan(FOUR_NUMBERS + MEASUREMENT);
});
