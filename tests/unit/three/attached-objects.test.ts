/** Where attached objects are drawn, compared with the matrices that three.js itself computes for them. */
import fc from 'fast-check';
import { Group, Matrix3, Matrix4, Object3D, Quaternion, Scene, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { BodyBinding } from '../../../src/three/index.js';
import type { BodyId } from '../../../src/shared/index.js';
import type { Pose } from '../../../src/sim-worker/index.js';
import { frameAt } from '../../fixtures/pair-frame.js';
import { poseAt } from '../../fixtures/poses.js';
import { axisAngle } from '../../fixtures/quaternions.js';
import { rotatedPose } from '../../fixtures/state-pair.js';

/** Lanes have 24 bits; what is computed from them is computed with 53. */
const CLOSE = 1e-9;

const numbers = (min: number, max: number): fc.Arbitrary<number> =>
  fc.double({ min, max, noNaN: true });
const places = fc.tuple(numbers(-50, 50), numbers(-50, 50), numbers(-50, 50));
const rotations = fc
  .tuple(numbers(-1, 1), numbers(-1, 1), numbers(-1, 1), numbers(-3, 3))
  .filter(([x, y, z]) => Math.hypot(x, y, z) > 0.1)
  .map(([x, y, z, angle]) => axisAngle(x, y, z, angle));
const factors = fc
  .tuple(numbers(0.2, 4), fc.boolean())
  .map(([size, isNegative]) => (isNegative ? -size : size));
const anyScales = fc.tuple(factors, factors, factors);
const evenScales = factors.map((factor) => [factor, factor, factor] as [number, number, number]);
const poses = fc
  .tuple(places, rotations)
  .map(([[x, y, z], rotation]) => rotatedPose(rotation, x, y, z));

type Triple = [number, number, number];

function placed<T extends Object3D>(
  object: T,
  [place, rotation, scale]: readonly [Triple, readonly number[], Triple],
): T {
  object.position.set(...place);
  object.quaternion.fromArray([...rotation]);
  object.scale.set(...scale);
  return object;
}

/** Parents from the top to the bottom, each in the one before. */
const chainsWith = (scales: fc.Arbitrary<Triple>) =>
  fc.array(fc.tuple(places, rotations, scales), { minLength: 1, maxLength: 4 });

function chainOf(parts: readonly (readonly [Triple, readonly number[], Triple])[]): Object3D[] {
  const chain = parts.map((part) => placed(new Group(), part));
  for (const [index, parent] of chain.entries()) chain[index - 1]?.add(parent);
  return chain;
}

/** An object's matrix as it is drawn, within the scene if there is one. */
function drawnMatrix(object: Object3D): Matrix4 {
  let top = object;
  while (top.parent !== null) top = top.parent;
  top.updateMatrixWorld();
  const within = new Matrix4();
  if (top instanceof Scene) within.copy(top.matrixWorld).invert();
  return within.multiply(object.matrixWorld);
}

function expectAt(object: Object3D, pose: Pose): void {
  const position = new Vector3().setFromMatrixPosition(drawnMatrix(object));
  const wanted = [pose.x, pose.y, pose.z].map(Math.fround);
  expect(position.distanceTo(new Vector3(...wanted))).toBeLessThan(1e-7);
}

const rotationOf = ({ qx, qy, qz, qw }: Pose): Quaternion =>
  new Quaternion().fromArray([qx, qy, qz, qw].map(Math.fround)).normalize();

function drawnRotation(object: Object3D): Quaternion {
  const rotation = new Quaternion();
  drawnMatrix(object).decompose(new Vector3(), rotation, new Vector3());
  return rotation;
}

/** The sine of half the angle between two rotations: more precise than the angle. */
function difference(a: Quaternion, b: Quaternion): number {
  const { x, y, z } = a.clone().invert().multiply(b);
  return Math.hypot(x, y, z);
}

function attached(pose: Pose, parent: Object3D | undefined, object = new Object3D()) {
  const { frame, ids } = frameAt([pose]);
  const binding = new BodyBinding();
  parent?.add(object);
  binding.attach(object, ids[0] as BodyId);
  const update = (): void => binding.update(frame);
  update();
  return { object, binding, update };
}

const POSE = rotatedPose(axisAngle(1, 2, 3, 1), 3, -2, 5);

test('an attached object is turned like its body and then stretched, never turned by its parents', () => {
  // An uneven scale around what is turned shears: then no rotation is the right one.
  const chains = fc
    .tuple(chainsWith(evenScales), places, rotations, anyScales)
    .map(([above, place, rotation, scale]) => above.concat([[place, rotation, scale]]));
  fc.assert(
    fc.property(chains, poses, anyScales, (parts, pose, own) => {
      const { object } = attached(
        pose,
        chainOf(parts).at(-1),
        placed(new Object3D(), [[0, 0, 0], [0, 0, 0, 1], own]),
      );
      expect(object.scale.toArray()).toEqual(own);
      expectAt(object, pose);
      // U R M S: without S, M and R, a symmetric matrix that stretches remains.
      const stretch = new Matrix3().setFromMatrix4(
        drawnMatrix(object).scale(new Vector3(1 / own[0], 1 / own[1], 1 / own[2])),
      );
      if (stretch.determinant() < 0) stretch.multiply(new Matrix3(-1, 0, 0, 0, 1, 0, 0, 0, 1));
      const back = new Matrix4().makeRotationFromQuaternion(rotationOf(pose).invert());
      const u = stretch.multiply(new Matrix3().setFromMatrix4(back)).elements;
      const size = Math.max(...u.map(Math.abs));
      for (const [a, b] of [
        [1, 3],
        [2, 6],
        [5, 7],
      ] as const) {
        expect(Math.abs((u[a] as number) - (u[b] as number)) / size).toBeLessThan(CLOSE);
      }
      // Positive definite, by Sylvester's criterion.
      expect(u[0]).toBeGreaterThan(0);
      expect((u[0] as number) * (u[4] as number) - (u[1] as number) ** 2).toBeGreaterThan(0);
      expect(stretch.determinant()).toBeGreaterThan(0);
    }),
  );
});

const isWithin = (object: Object3D | null, other: Object3D): boolean =>
  object !== null && (object === other || isWithin(object.parent, other));

const changes = fc.array(
  fc.record({
    what: fc.constantFrom('place', 'put', 'put', 'automatic', 'manual', 'still'),
    which: fc.nat(6),
    /** One more than there are: none. */
    parent: fc.nat(7),
    to: fc.tuple(places, rotations, numbers(0.2, 4)),
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
);

test('attached objects are where their bodies are, wherever they, their parents and their scene are put', () => {
  const bodies = [POSE, rotatedPose(axisAngle(2, 0, 1, 2), 7, 7, 7), poseAt(1, 2, 3)];
  const { frame: drawn, ids: of } = frameAt(bodies);
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), changes, (order, all) => {
      const objects = [new Group(), new Group(), new Group()];
      const nodes = [...objects, new Scene(), new Group(), new Group(), new Group()];
      const binding = new BodyBinding();
      for (const index of order) binding.attach(objects[index] as Group, of[index] as BodyId);
      for (const { what, which, parent: at, to } of all) {
        const [object, parent] = [nodes[which] as Object3D, nodes[at]];
        const [place, rotation, size] = to;
        if (what === 'place') placed(object, [place, rotation, [size, size, size]]);
        if (what === 'put' && parent === undefined) object.removeFromParent();
        if (what === 'put' && !isWithin(parent ?? null, object)) parent?.add(object);
        if (what === 'automatic') object.matrixAutoUpdate = true;
        if (what === 'manual') object.matrixAutoUpdate = false;
        if (what === 'still' && which < 3) object.matrixWorldAutoUpdate = false;
        if (!object.matrixAutoUpdate) object.updateMatrix();
        binding.update(drawn);
        for (const [index, pose] of bodies.entries()) {
          expectAt(objects[index] as Group, pose);
          const off = difference(drawnRotation(objects[index] as Group), rotationOf(pose));
          expect(off).toBeLessThan(CLOSE);
        }
      }
    }),
  );
});

test('an attached object leaves what its parent has to update to the renderer', () => {
  const [parent, sibling] = [new Group(), new Object3D()];
  for (const object of [parent, sibling]) object.matrixAutoUpdate = false;
  parent.add(sibling);
  const { update } = attached(POSE, parent);
  drawnMatrix(sibling);
  parent.position.x += 5;
  parent.updateMatrix();
  update();
  drawnMatrix(sibling);
  expect(sibling.matrixWorld.equals(parent.matrixWorld)).toBe(true);
});

test('an attached object stays where it was under a parent without a volume, and comes back', () => {
  const group = placed(new Group(), [[4, 5, 6], axisAngle(1, 1, 2, 2), [2, 2, 2]]);
  const { object, update } = attached(POSE, group);
  const before = object.position.toArray();
  for (const scale of [
    [0, 0, 0],
    [1, 0, 1],
    [1e-200, 1e-200, 1e-200],
    [Number.NaN, 1, 1],
  ]) {
    group.scale.fromArray(scale);
    group.position.x += 1;
    update();
    expect(object.position.toArray()).toEqual(before);
    expect(object.quaternion.length()).toBeCloseTo(1, 12);
  }
  group.scale.set(1e-6, 1e-6, 1e-6);
  update();
  expectAt(object, POSE);
  group.scale.set(1, 1e6, 1);
  update();
  expectAt(object, POSE);
});

test('an attached object that the application has turned is turned back', () => {
  const { object, update } = attached(POSE, undefined);
  const right = object.quaternion.clone();
  expect(difference(right, rotationOf(POSE))).toBeLessThan(CLOSE);
  const lanes = right.toArray();
  for (const lane of [0, 1, 2, 3]) {
    object.quaternion.fromArray(lanes.with(lane, 0.5));
    update();
    expect(object.quaternion.toArray()).toEqual(lanes);
  }
  expect(object.rotation.x).not.toBe(0);
});

const GONE = 0xfff00000 as BodyId;

test('an object is hidden while its body is dead, unless the application says so', () => {
  const { frame: drawn, ids: made } = frameAt([POSE]);
  const binding = new BodyBinding();
  const attach = (id: BodyId, visible: boolean, keepVisible: boolean): Object3D => {
    const object = Object.assign(new Object3D(), { visible });
    binding.attach(object, id, { keepVisible });
    return object;
  };
  const [living] = made as [BodyId];
  const [kept, hidden] = [attach(GONE, true, true), attach(living, false, true)];
  const others = [
    attach(living, true, false),
    attach(GONE, true, false),
    attach(living, false, false),
  ];
  binding.update(drawn);
  const visible = [...others, kept, hidden].map((object) => object.visible);
  expect(visible).toEqual([true, false, true, true, false]);
  expectAt(hidden, POSE);
  expect(kept.position.toArray()).toEqual([0, 0, 0]);
});

const there = Array.from({ length: 40 }, (_, x) => poseAt(x, 1));
const { frame, ids } = frameAt(there);

test('attaching and detaching in any order moves exactly those that are attached', () => {
  // Few objects and bodies, so that the same come again.
  const steps = fc.array(
    fc.tuple(fc.nat(9), fc.nat(5), fc.constantFrom('attach', 'detach', 'remove')),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(steps, (done) => {
      const binding = new BodyBinding();
      const objects = Array.from({ length: 10 }, () => new Object3D());
      const expected = new Map<number, number>();
      const answers: [boolean, boolean][] = [];
      for (const [at, body, what] of done) {
        const object = objects[at] as Object3D;
        const id = ids[body] as BodyId;
        const those = [...expected].filter(([, of]) => of === body);
        if (what === 'attach') {
          binding.attach(object, id);
          expected.set(at, body);
        } else if (what === 'detach') {
          answers.push([binding.detach(object), expected.delete(at)]);
        } else {
          answers.push([binding.remove(id), those.length > 0]);
          for (const [of] of those) expected.delete(of);
        }
      }
      for (const [answer, wanted] of answers) expect(answer).toBe(wanted);
      binding.update(frame);
      for (const [at, { position }] of objects.entries()) {
        const body = expected.get(at);
        expect(position.toArray()).toEqual(body === undefined ? [0, 0, 0] : [body, 1, 0]);
      }
    }),
  );
});
