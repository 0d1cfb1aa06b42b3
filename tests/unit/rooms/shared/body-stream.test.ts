import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyStreamReader, BodyStreamWriter } from '../../../../src/rooms/shared/body-stream.js';
import {
  BASELINE_LANES,
  type StreamPrecision,
} from '../../../../src/rooms/shared/quantized-bodies.js';
import { BODY_LANES, LANE } from '../../../../src/shared/memory/layout.js';
import {
  afterTeleport,
  BODY_ALIVE,
  BODY_ASLEEP,
  nextOwner,
  withoutOwner,
} from '../../../../src/shared/memory/body-meta.js';
import { ByteReadError } from '../../../../src/shared/util/bytes.js';
import { rotationBetween, type Quaternion } from '../../../fixtures/quaternions.js';

const MAX_BODIES = 12;
/** A body's number, flags, meta, and six differences that are all escaped. */
const MAX_BODY_BYTES = Math.ceil((7 + 3 + 32 + 6 * 52) / 8);

/** Bodies that a test moves. */
function createBodies(capacity = MAX_BODIES) {
  const memory = new ArrayBuffer(capacity * BODY_LANES * 4);
  return { poses: new Float32Array(memory), metas: new Int32Array(memory), bodyLimit: 0 };
}
type TestBodies = ReturnType<typeof createBodies>;

const coordinate = fc.oneof(
  { weight: 8, arbitrary: fc.double({ min: -50, max: 50, noNaN: true }) },
  { weight: 1, arbitrary: fc.double({ min: -1e9, max: 1e9, noNaN: true }) },
);
const component = fc.double({ min: -1, max: 1, noNaN: true });
const quaternion = fc
  .tuple(component, component, component, component)
  .filter((q) => Math.hypot(...q) > 1e-3);

/** A change of a body between two packets. */
const change = fc.record({
  slot: fc.nat(MAX_BODIES - 1),
  how: fc.constantFrom('spawn', 'remove', 'move', 'move', 'nudge', 'nudge', 'teleport', 'sleep'),
  at: fc.tuple(coordinate, coordinate, coordinate),
  turn: quaternion,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A body upright on the x axis. */
const upright = (slot: number, how: Change['how'], x: number): Change => ({
  slot,
  how,
  at: [x, 0, 0],
  turn: [0, 0, 0, 1],
});

function apply(bodies: TestBodies, { slot, how, at, turn }: Change): void {
  const lane = slot * BODY_LANES;
  const meta = bodies.metas[lane + LANE.meta] ?? 0;
  const isAlive = (meta & BODY_ALIVE) !== 0;
  if (how === 'remove') {
    if (isAlive) bodies.metas[lane + LANE.meta] = withoutOwner(meta);
    return;
  }
  if (how === 'sleep') {
    if (isAlive) bodies.metas[lane + LANE.meta] = meta ^ BODY_ASLEEP;
    return;
  }
  if (!isAlive) {
    bodies.metas[lane + LANE.meta] = nextOwner(meta);
    bodies.bodyLimit = Math.max(bodies.bodyLimit, slot + 1);
  } else if (how === 'teleport') {
    bodies.metas[lane + LANE.meta] = afterTeleport(meta);
  }
  const isNudge = how === 'nudge' && isAlive;
  for (let i = 0; i < 3; i++) {
    const before = bodies.poses[lane + i] ?? 0;
    bodies.poses[lane + i] = isNudge ? before + (at[i] ?? 0) / 5e3 : (at[i] ?? 0);
  }
  const length = Math.hypot(...turn);
  for (let i = 0; i < 4; i++) {
    if (!isNudge) bodies.poses[lane + LANE.qx + i] = (turn[i] ?? 0) / length;
  }
}

const packets = fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 20 });
const precisions = fc.record({
  positionStep: fc.constantFrom(1 / 4096, 1 / 1024, 1 / 100, 1),
  rotationBits: fc.integer({ min: 6, max: 15 }),
});

function written(reader: BodyStreamReader): TestBodies {
  const bodies = createBodies(Math.max(1, reader.bodyLimit));
  reader.write(bodies);
  bodies.bodyLimit = reader.bodyLimit;
  return bodies;
}

const rotationOf = ({ poses }: TestBodies, lane: number) =>
  [...poses.subarray(lane + LANE.qx, lane + BODY_LANES)] as unknown as Quaternion;

function expectClose(
  read: TestBodies,
  bodies: TestBodies,
  { positionStep, rotationBits }: StreamPrecision,
): void {
  expect(read.bodyLimit).toBe(bodies.bodyLimit);
  const reach = (2 ** 31 - 1) * positionStep;
  // Each of three components errs by half a step, and the largest by their sum at most; 1.5 times for the product.
  const angle = (1.5 * 2 * 3 * Math.SQRT1_2) / (2 ** (rotationBits - 1) - 1) / 2 + 1e-3;
  const wrong: string[] = [];
  for (let body = 0; body < bodies.bodyLimit; body++) {
    const lane = body * BODY_LANES;
    if (read.metas[lane + LANE.meta] !== bodies.metas[lane + LANE.meta]) wrong.push(`meta ${body}`);
    if (((bodies.metas[lane + LANE.meta] ?? 0) & BODY_ALIVE) === 0) continue;
    for (let i = 0; i < 3; i++) {
      const is = bodies.poses[lane + i] ?? 0;
      const shown = Math.max(-reach, Math.min(reach, is));
      // Half a step, and what 32-bit floats leave of a large number.
      const most = positionStep / 2 + Math.abs(shown) * 2 ** -22;
      const error = Math.abs((read.poses[lane + i] ?? Number.NaN) - shown);
      if (!(error <= most)) wrong.push(`position of ${body}: ${error}`);
    }
    const error = rotationBetween(rotationOf(read, lane), rotationOf(bodies, lane));
    if (!(error <= angle)) wrong.push(`rotation of ${body}: ${error}`);
  }
  expect(wrong).toEqual([]);
}

/** A writer, a reader, and the bodies between which they are. */
function openStream(precision?: Partial<StreamPrecision>) {
  const bodies = createBodies();
  const writer = new BodyStreamWriter(precision);
  const reader = new BodyStreamReader(precision);
  const send = (changes: readonly Change[], budget?: number): Uint8Array => {
    for (const one of changes) apply(bodies, one);
    const packet = writer.write(bodies, budget);
    reader.read(packet);
    return packet;
  };
  const expectSent = () => expectClose(written(reader), bodies, writer.precision);
  return { bodies, writer, reader, send, expectSent };
}

test('a stream of bodies has every pose within half a step after every packet, and exactly the same for a client that joins', () => {
  fc.assert(
    fc.property(packets, precisions, fc.nat(), (given, precision, when) => {
      const { writer, reader, send, expectSent } = openStream(precision);
      const late = new BodyStreamReader(precision);
      const joinsAt = when % given.length;
      for (const [index, changes] of given.entries()) {
        if (index === joinsAt) late.readBaseline(writer.writeBaseline());
        const packet = send(changes);
        expectSent();
        if (index < joinsAt) continue;
        late.read(packet);
        expect(written(late)).toEqual(written(reader));
      }
    }),
  );
});

test('a stream of bodies is short for bodies at rest, and for those that move evenly', () => {
  const bodies = createBodies(1000);
  for (let slot = 0; slot < 1000; slot++) {
    apply(bodies, upright(slot, 'spawn', slot));
  }
  const writer = new BodyStreamWriter();
  writer.write(bodies);
  expect(writer.write(bodies)).toHaveLength(3);
  for (let packet = 1; packet <= 3; packet++) {
    for (let slot = 0; slot < 1000; slot++)
      bodies.poses[slot * BODY_LANES + LANE.x] = slot + packet / 16;
    expect(writer.write(bodies).length < 10).toBe(packet > 1);
  }
});

test('a stream of bodies stays within its budget, and reaches every body in the end', () => {
  fc.assert(
    fc.property(packets, fc.integer({ min: 24, max: 60 }), (given, budget) => {
      const { send, expectSent } = openStream();
      // A packet has at least one body, and one that was far off needs a few.
      const rest = Array.from({ length: 4 * MAX_BODIES }, () => []);
      for (const changes of [...given, ...rest]) {
        const packet = send(changes, budget);
        // A single body is sent whatever it takes.
        const room = packet[1] === 1 ? Math.max(budget, MAX_BODY_BYTES) : budget;
        // Two counts of one byte each, and the bits up to a whole byte.
        expect(packet.length).toBeLessThanOrEqual(room + 3);
      }
      expectSent();
    }),
  );
});

test('bodies that have jumped come to rest, if each packet has room for one', () => {
  const { send, expectSent } = openStream();
  for (const [how, x] of [['spawn', 100] as const, ['move', -1] as const]) {
    const three = [1, 2, 3].map((slot) => upright(slot, how, x * slot));
    for (let packet = 0; packet < 12; packet++) send(packet === 0 ? three : [], 1);
  }
  expectSent();
});

test('a stream of bodies serves those first that wait longest', () => {
  const { reader, send } = openStream();
  const slots = Array.from({ length: MAX_BODIES }, (_, slot) => slot);
  for (let packet = 1; packet <= MAX_BODIES; packet++) {
    // All change all the time, and there is room for one.
    const all = slots.map((slot) => upright(slot, 'move', packet ** 2));
    send(all, 1);
    const { poses } = written(reader);
    expect(slots.filter((slot) => poses[slot * BODY_LANES] !== 0)).toHaveLength(packet);
  }
});

test('a reader of bodies refuses bytes that are no packet, or has poses that can be drawn', () => {
  const noises = fc.uint8Array({ maxLength: 60 });
  fc.assert(
    fc.property(packets, noises, fc.nat(), fc.nat(7), (given, noise, somewhere, bit) => {
      const bodies = createBodies();
      const writer = new BodyStreamWriter();
      let packet = new Uint8Array();
      let baseline = writer.writeBaseline();
      for (const changes of given) {
        for (const one of changes) apply(bodies, one);
        baseline = writer.writeBaseline();
        packet = writer.write(bodies);
      }
      const at = somewhere % packet.length;
      const flipped = packet.slice();
      flipped[at] = (packet[at] ?? 0) ^ (1 << bit);
      for (const wrong of [noise, flipped, packet.subarray(0, at)]) {
        const reader = new BodyStreamReader({}, 100);
        reader.readBaseline(baseline);
        expectRefusalOrNothing(() => reader.read(wrong));
        expectRefusalOrNothing(() => reader.readBaseline(wrong));
        expectDrawable(written(reader));
      }
    }),
    { numRuns: 100 },
  );
});

test('a reader of bodies refuses a baseline with a rotation that cannot be drawn', () => {
  // One body, and 4 in each of its lanes: also as the number of its largest component.
  const baseline = Uint8Array.of(1, ...new Uint8Array(BASELINE_LANES).fill(8));
  const reader = new BodyStreamReader();
  expect(() => reader.readBaseline(baseline)).toThrow('a rotation in it is invalid');
});

test('a reader of bodies refuses more bodies than it has room for', () => {
  const bodies = createBodies();
  apply(bodies, upright(5, 'spawn', 0));
  const writer = new BodyStreamWriter();
  const reader = new BodyStreamReader({}, 5);
  expect(() => reader.read(writer.write(bodies))).toThrow(
    'it announces 6 bodies, and there is room for 5',
  );
});

test('the precision of a stream of bodies is checked', () => {
  expect(() => new BodyStreamWriter({ positionStep: 0 })).toThrow(/positionStep must be/);
  expect(() => new BodyStreamReader({ rotationBits: 16 })).toThrow(/rotationBits must be/);
});

function expectDrawable({ poses, bodyLimit }: TestBodies): void {
  const wrong: Float32Array[] = [];
  for (let lane = 0; lane < bodyLimit * BODY_LANES; lane += BODY_LANES) {
    const far = Math.max(...poses.subarray(lane, lane + 3).map(Math.abs));
    const length = Math.hypot(...poses.subarray(lane + LANE.qx, lane + BODY_LANES));
    const isDrawable = far < 1e10 && Math.abs(length - 1) < 1e-5;
    if (!isDrawable) wrong.push(poses.slice(lane, lane + BODY_LANES));
  }
  expect(wrong).toEqual([]);
}

function expectRefusalOrNothing(run: () => void): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(thrown === undefined || thrown instanceof ByteReadError).toBe(true);
}
