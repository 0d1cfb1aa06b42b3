import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import {
  sampleMatrices,
  samplePose,
  type StatePair,
} from '../../../../src/render-main/frame/interpolation.js';
import { Schedule } from '../../../../src/shared/time/schedule.js';
import { SnapshotReader } from '../../../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../../../src/sim-worker/bodies/snapshot-writer.js';
import { Timeline } from '../../../../src/render-main/frame/timeline.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { poseAt } from '../../../fixtures/poses.js';
import { axisAngle } from '../../../fixtures/quaternions.js';
import { present } from '../../../fixtures/present.js';
import { expectBelow } from '../../../fixtures/quick-checks.js';
import { makePair, rotatedPose } from '../../../fixtures/state-pair.js';
import { pairOf } from '../../../fixtures/virtual-display.js';

const BLENDS = [0, 0.01, 0.37, 0.5, 0.99];

/** Where a body is drawn along x, or undefined if it is not drawn. */
function drawnX(pair: StatePair, id: BodyId, blend: number): number | undefined {
  const out = new Float64Array(7);
  return samplePose({ ...pair, blend }, id, out) ? out[0] : undefined;
}

const drawnXs = (pair: StatePair, id: BodyId, blends: readonly number[]) =>
  blends.map((blend) => drawnX(pair, id, blend));

describe('a body that exists in both states', () => {
  const moving = makePair(
    1,
    (bodies) => bodies.spawn(poseAt(10, 0, -4)),
    (bodies, id) => bodies.setPose(id, 20, 8, -4, 0, 0, 0, 1),
  );

  test('is drawn on the straight line between', () => {
    const out = new Float64Array(7);
    samplePose({ ...moving.pair, blend: 0.25 }, moving.made, out);
    expect([...out]).toEqual([12.5, 2, -4, 0, 0, 0, 1]);
  });

  test('is drawn at its poses at the ends, and beyond them when extrapolated', () => {
    expect(drawnXs(moving.pair, moving.made, [0, 1, 1.5, 2])).toEqual([10, 20, 25, 30]);
  });

  test('sleeping and waking, and application flags, do not break its path', () => {
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(poseAt(10)),
      (bodies, id) => {
        bodies.setAsleep(id, true);
        bodies.setPose(id, 20, 0, 0, 0, 0, 0, 1);
      },
    );
    expect(drawnX(pair, made, 0.5)).toBe(15);
  });
});

describe('within one gap between two states', () => {
  test('a body that spawns appears at its own place when its state is reached, not from the origin', () => {
    const ids: BodyId[] = [];
    const { pair } = makePair(
      2,
      () => {},
      (bodies) => ids.push(bodies.spawn(poseAt(100))),
    );
    const [id] = ids as [BodyId];
    expect(drawnXs(pair, id, BLENDS)).toEqual(BLENDS.map(() => undefined));
    expect(drawnXs(pair, id, [1, 1.5])).toEqual([100, 100]);
  });

  test('a body that despawns stays at its last place until the state without it is reached', () => {
    const { pair, made } = makePair(
      2,
      (bodies) => bodies.spawn(poseAt(100)),
      (bodies, id) => bodies.despawn(id),
    );
    expect(drawnXs(pair, made, BLENDS)).toEqual(BLENDS.map(() => 100));
    expect(drawnXs(pair, made, [1, 1.5])).toEqual([undefined, undefined]);
  });

  test('a slot that gets a new owner draws each at its own place, and nothing between', () => {
    let second = 0 as BodyId;
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(poseAt(100)),
      (bodies, first) => {
        bodies.despawn(first);
        second = bodies.spawn(poseAt(-100));
      },
    );
    expect(second).not.toBe(made);
    expect(drawnXs(pair, made, BLENDS)).toEqual(BLENDS.map(() => 100));
    expect(drawnXs(pair, made, [1, 2])).toEqual([undefined, undefined]);
    expect(drawnXs(pair, second, BLENDS)).toEqual(BLENDS.map(() => undefined));
    expect(drawnXs(pair, second, [1, 2])).toEqual([-100, -100]);
  });

  test('a body that spawns and despawns is never drawn', () => {
    const ids: BodyId[] = [];
    const { pair } = makePair(
      1,
      () => {},
      (bodies) => {
        const id = bodies.spawn(poseAt(5));
        bodies.despawn(id);
        ids.push(id);
      },
    );
    expect(drawnXs(pair, ids[0] as BodyId, [0, 0.5, 1, 2])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a teleport holds and then snaps', () => {
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(poseAt(1)),
      (bodies, id) => bodies.teleport(id, poseAt(1000)),
    );
    expect(drawnXs(pair, made, BLENDS)).toEqual(BLENDS.map(() => 1));
    expect(drawnXs(pair, made, [1, 1.5])).toEqual([1000, 1000]);
  });

  test('several teleports and moves are one snap', () => {
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(poseAt(1)),
      (bodies, id) => {
        for (let move = 1; move <= 3; move++) {
          bodies.teleport(id, poseAt(100 * move));
          bodies.setPose(id, 100 * move + 1, 0, 0, 0, 0, 0, 1);
        }
      },
    );
    expect(drawnXs(pair, made, [0.5, 1])).toEqual([1, 301]);
  });

  test('a refused pose draws the last good one', () => {
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(poseAt(7)),
      (bodies, id) => bodies.setPose(id, Number.NaN, 0, 0, 0, 0, 0, 1),
    );
    expect(drawnXs(pair, made, [0, 0.5, 1])).toEqual([7, 7, 7]);
  });
});

/** Publishes states at 10 ms each and draws the given ones only. Returns what was drawn of the first body. */
function drawnWhileSkipping(
  drawAfter: readonly number[],
  change: (bodies: BodyRegistry, id: BodyId, tick: number) => void,
): (number | undefined)[] {
  const views = createBuffer(4, 4);
  const bodies = new BodyRegistry(4);
  const writer = new SnapshotWriter(views, bodies);
  const reader = new SnapshotReader(views);
  const timeline = new Timeline({ marginMs: 0 });
  const schedule = new Schedule(100);
  schedule.resume(0);
  const id = bodies.spawn(poseAt(0));
  const drawn: (number | undefined)[] = [];
  for (let tick = 0; tick <= Math.max(...drawAfter); tick++) {
    if (tick > 0) change(bodies, id, tick);
    writer.publishState(
      { tick, virtualMs: 10 * tick, simulatedSeconds: tick / 100, latenessMs: 0 },
      schedule,
    );
    bodies.beginState(writer.nextState);
    if (!drawAfter.includes(tick)) continue;
    reader.fetch();
    const frame = timeline.advance(10 * tick + 5, reader.slot);
    drawn.push(drawnX(pairOf(reader.slot, frame), id, frame.blend));
  }
  return drawn;
}

describe('a display that skips snapshots', () => {
  const frames = [5, 25, 45, 65];

  test('draws no streak across a teleport inside them', () => {
    const drawn = drawnWhileSkipping(frames, (bodies, id, tick) => {
      if (tick === 30) bodies.teleport(id, poseAt(1000));
      else if (tick < 30) bodies.setPose(id, tick, 0, 0, 0, 0, 0, 1);
      else bodies.setPose(id, 1000 + tick, 0, 0, 0, 0, 0, 1);
    });
    expect(drawn).toEqual([4.5, 24.5, 1044.5, 1064.5]);
  });

  test('draws no streak when the teleport is in the tick between its two states', () => {
    for (const teleportAt of [43, 44, 45, 46]) {
      const drawn = drawnWhileSkipping(frames, (bodies, id, tick) => {
        if (tick === teleportAt) bodies.teleport(id, poseAt(1000));
      });
      for (const x of drawn) expect([0, 1000]).toContain(x);
    }
  });

  test('draws no streak when the slot got a new owner inside them', () => {
    const drawn = drawnWhileSkipping(frames, (bodies, id, tick) => {
      if (tick === 30) bodies.despawn(id);
      if (tick === 31) bodies.spawn(poseAt(1000));
    });
    expect(drawn).toEqual([0, 0, undefined, undefined]);
  });
});

describe('matrices', () => {
  const number = fc.double({ min: -100, max: 100, noNaN: true });
  const pose = fc
    .tuple(number, number, number, number, number, number, number)
    .filter(([, , , ...rotation]) => Math.hypot(...rotation) > 1);

  test('match the poses to the last bit: instances and single objects move alike', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(pose, pose), { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (bodiesPoses, blend) => {
          const { pair, made } = makePair(
            20,
            (bodies) =>
              bodiesPoses.map(([[x, y, z, qx, qy, qz, qw]]) =>
                bodies.spawn({ x, y, z, qx, qy, qz, qw }),
              ),
            (bodies, ids) => {
              for (const [index, id] of ids.entries()) {
                const to = bodiesPoses[index]?.[1];
                if (to !== undefined) bodies.setPose(id, ...to);
              }
            },
          );
          const scales = new Float32Array(60).fill(1);
          const matrices = new Float32Array(320);
          const sampling = { ...pair, blend };
          sampleMatrices(sampling, Uint32Array.from(made), scales, made.length, matrices);
          for (const [index, id] of made.entries()) {
            const single = new Float64Array(7);
            samplePose(sampling, id, single);
            const written = matrices.subarray(index * 16, index * 16 + 16);
            for (const [element, expected] of matrixOf(single).entries()) {
              // Both are computed in 64 bits; rounding to 32 bits may differ in the last one.
              const digit = Math.max(1, Math.abs(expected)) * 2 ** -22;
              expectBelow(Math.abs(present(written[element]) - expected), digit);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test("rotate as the quaternion does, and scale along the body's own axes", () => {
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(rotatedPose(axisAngle(0, 0, 1, Math.PI / 2), 7, 8, 9)),
      () => {},
    );
    const out = new Float32Array(16);
    sampleMatrices(pair, Uint32Array.of(made), Float32Array.of(2, 3, 4), 1, out);
    // x goes to y and is twice as long, y goes to −x and is three times as long.
    const expected = [0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 7, 8, 9, 1];
    for (const [index, element] of expected.entries()) expect(out[index]).toBeCloseTo(element, 6);
  });

  test('of dead bodies draw nothing, and are not counted', () => {
    const { pair, made } = makePair(
      3,
      (bodies) => [1, 2, 3].map((x) => bodies.spawn(poseAt(x))),
      (bodies, ids) => bodies.despawn(ids[1] as BodyId),
    );
    const out = new Float32Array(48).fill(5);
    const ids = Uint32Array.from(made);
    const scales = new Float32Array(9).fill(1);
    expect(sampleMatrices({ ...pair, blend: 1 }, ids, scales, 3, out)).toBe(2);
    expect([out[12], out[44]]).toEqual([1, 3]);
    // Three columns of zeros: every point of the shape falls onto one.
    expect([...out.subarray(16, 28)]).toEqual(Array.from({ length: 12 }, () => 0));
    expect(sampleMatrices({ ...pair, blend: 0.5 }, ids, scales, 3, out)).toBe(3);
    expect(out[28]).toBe(2);
  });

  test('beyond the count are not touched', () => {
    const { pair, made } = makePair(
      1,
      (bodies) => bodies.spawn(poseAt(1)),
      () => {},
    );
    const out = new Float32Array(32).fill(5);
    sampleMatrices(pair, Uint32Array.of(made, made), new Float32Array(6).fill(1), 1, out);
    expect([...out.subarray(16)]).toEqual(Array.from({ length: 16 }, () => 5));
  });

  test('a sampled pose leaves its target unchanged when the body is dead', () => {
    const { pair } = makePair(
      1,
      () => {},
      () => {},
    );
    const out = new Float64Array(7).fill(3);
    expect(samplePose(pair, 0, out)).toBe(false);
    expect([...out]).toEqual([3, 3, 3, 3, 3, 3, 3]);
  });
});

/** The same matrix, written independently: a textbook rotation, no scale, 32-bit floats. */
function matrixOf(pose: Float64Array): number[] {
  const [px = 0, py = 0, pz = 0, x = 0, y = 0, z = 0, w = 0] = pose;
  const elements = [
    1 - (y * (y + y) + z * (z + z)),
    x * (y + y) + w * (z + z),
    x * (z + z) - w * (y + y),
    0,
    x * (y + y) - w * (z + z),
    1 - (x * (x + x) + z * (z + z)),
    y * (z + z) + w * (x + x),
    0,
    x * (z + z) + w * (y + y),
    y * (z + z) - w * (x + x),
    1 - (x * (x + x) + y * (y + y)),
    0,
    px,
    py,
    pz,
    1,
  ];
  return elements.map(Math.fround);
}
