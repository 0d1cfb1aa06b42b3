/** Joints of glTF files in the engine: all that hangs on a hook is a box of 2 kg with sides of 1 m. */
import { Quaternion, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { addJoint, checkJoint, type JointFrame } from '../../../src/three/gltf/gltf-joints.js';
import { ColliderDesc, RigidBodyDesc, type RigidBody } from '../../../src/world/page/index.js';
import { axisAngle } from '../../fixtures/quaternions.js';
import {
  NO_GRAVITY,
  addBody,
  advance,
  createWorldForTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Triple = readonly [number, number, number];
interface Given {
  readonly limits?: readonly object[];
  readonly drives?: readonly object[];
}

const [X, Y, Z] = [0, 1, 2];
/** Holds axes. */
const HELD = { min: 0, max: 0 };
const POINT = { linearAxes: [X, Y, Z], ...HELD };
const NO_TURN = { angularAxes: [X, Y, Z], ...HELD };
const others = (axis: number) => [X, Y, Z].filter((other) => other !== axis);
const linear = (axes: readonly number[], rest: object) => ({ linearAxes: axes, ...rest });
const angular = (axes: readonly number[], rest: object) => ({ angularAxes: axes, ...rest });
/** @param limits Those of the axis that is free otherwise. */
const hinge = (axis: number, ...limits: readonly object[]) => [
  POINT,
  angular(others(axis), HELD),
  ...limits.map((each) => angular([axis], each)),
];
/** As {@link hinge}. */
const slider = (axis: number, ...limits: readonly object[]) => [
  linear(others(axis), HELD),
  NO_TURN,
  ...limits.map((each) => linear([axis], each)),
];

const at = ([x, y, z]: Triple, axis: Triple = [1, 0, 0], angle = 0): JointFrame => ({
  position: new Vector3(x, y, z),
  rotation: new Quaternion(...axisAngle(...axis, angle)),
});
const MIDDLE = at([0, 0, 0]);

/** Where a frame of a body is in the world. */
const frameOf = (body: RigidBody, { position, rotation }: JointFrame) => {
  const turned = new Quaternion().copy(body.rotation() as Quaternion);
  const place = new Vector3().copy(position as Vector3).applyQuaternion(turned);
  return [
    place.add(body.translation() as Vector3),
    turned.multiply(rotation as Quaternion),
  ] as const;
};

interface Places {
  readonly at1?: JointFrame;
  readonly at2?: JointFrame;
  readonly from?: Triple;
  readonly enableCollision?: boolean;
}

const BOX = ColliderDesc.cuboid(0.5, 0.5, 0.5).setMass(2);
let hooks = 0;
/** Hangs a box on a hook, far from the others. */
function hang(world: WorldForTest, given: Given, places: Places = {}, damping = 0) {
  const { at1 = MIDDLE, at2 = MIDDLE, from = [0, 0, 0], enableCollision = false } = places;
  const [x, y, z] = from;
  const far = 20 * hooks++;
  const body1 = addBody(world, [far, 0, 0], BOX, RigidBodyDesc.fixed());
  const moving = RigidBodyDesc.dynamic().setCanSleep(false);
  moving.setLinearDamping(damping).setAngularDamping(damping);
  const body2 = addBody(world, [far + x, y, z], BOX, moving);
  const joint = checkJoint('joint', given, []);
  addJoint(world, { joint, enableCollision }, [
    [body1, at1],
    [body2, at2],
  ]);
  const cannot = [...joint.cannot];
  /** The place of the box's frame in the hook's, and the angle about each of its axes. */
  const pose = () => {
    const [place1, turned1] = frameOf(body1, at1);
    const [place2, turned2] = frameOf(body2, at2);
    const back = turned1.invert();
    const place = place2.sub(place1).applyQuaternion(back);
    const turn = back.multiply(turned2);
    const angle = (part: number) => 2 * Math.atan2(part * Math.sign(turn.w), Math.abs(turn.w));
    return [...place.toArray(), angle(turn.x), angle(turn.y), angle(turn.z)];
  };
  return { body: body2, cannot, pose };
}

const spring = { stiffness: 100, damping: 40 };
const drive = (type: string, axis: number, mode: string, positionTarget: number) => ({
  drives: [{ type, axis, mode, positionTarget, ...spring }],
});

const GRAVITY = new Vector3(3, -9, 2);
const WEIGHT = 2 * GRAVITY.length();
const along = (length: number) => GRAVITY.clone().setLength(length).toArray();
const { atan2 } = Math;
const BELOW = { at2: at([0, 0.5, 0]) };
const BESIDE = { at2: at([0.5, 0, 0]) };
const STILL = [0, 0, 0, 0, 0, 0];
const moved = (axis: number, by: number) => STILL.with(axis, by);
const turned = (axis: number, by: number) => STILL.with(3 + axis, by);
/** Frames whose x axis is z of their bodies. */
const TURNED = {
  at1: at([0, 0, 0], [0, 1, 0], -Math.PI / 2),
  at2: at([0, 0.5, 0], [0, 1, 0], -Math.PI / 2),
};
const CONE = [POINT, angular([X, Z], { max: 0.3 }), angular([Y], HELD)];
const UPWARDS = drive('linear', Y, 'acceleration', 1.2);
const ELSEWHERE = { at1: at([1, 0, 0], [0, 0, 1], 2), at2: at([0, -1, 0.5], [1, 2, 0], -1) };

type Resting = [
  name: string,
  limits: readonly object[],
  rest: Pick<Given, 'drives'> & Places,
  pose: readonly number[],
];

/** Limits, drives and places, and the pose in which gravity lets the box rest; angles that are left out are free. */
const AT_REST: readonly Resting[] = [
  ['fixed', [POINT, NO_TURN], {}, STILL],
  ['fixed, with frames that are elsewhere', [POINT, NO_TURN], ELSEWHERE, STILL],
  ['ball and socket', [POINT], BELOW, [0, 0, 0]],
  ['hinge about x', hinge(X), BELOW, turned(X, -atan2(2, 9))],
  ['hinge about y', hinge(Y), BESIDE, turned(Y, atan2(2, -3))],
  ['hinge about z', hinge(Z), BELOW, turned(Z, atan2(3, 9))],
  ['hinge about x of turned frames', hinge(X), TURNED, turned(X, atan2(3, 9))],
  ['hinge at its max', hinge(Z, { min: -0.1, max: 0.2 }), BELOW, turned(Z, 0.2)],
  ['hinge at its min', hinge(X, { min: -0.1, max: 0.2 }), BELOW, turned(X, -0.1)],
  ['slider at its min', slider(Y, { min: -0.5, max: 0.2 }), {}, moved(Y, -0.5)],
  ['slider without a min', slider(X, { max: 0.2 }), {}, moved(X, 0.2)],
  ['held elsewhere', slider(X, { min: -1, max: -1 }), {}, moved(X, -1)],
  ['two limits', slider(Y, { min: -2 }, { min: -1 }), {}, moved(Y, -1)],
  ['cone', CONE, { at2: at([0.3, 0.5, 0.2]) }, [0, 0, 0, -0.3, 0, 0.3]],
  ['soft with a range', slider(Y, { min: -0.5, max: 1, ...spring }), {}, moved(Y, -0.5)],
  ['hinge past half a turn', hinge(Y, { min: -4, max: 4 }), BESIDE, turned(Y, atan2(2, -3))],
  ['hinge without a max', hinge(Z, { min: 0.5 }), BELOW, turned(Z, 0.5)],
  ['a ball, along each axis', [linear([X, Y, Z], { min: 0, max: 1 })], BELOW, [1, -1, 1]],
  ['spring to a point', [linear([X, Y, Z], { ...HELD, ...spring })], {}, along(WEIGHT / 100)],
  ['force', slider(Y), drive('linear', Y, 'force', 1.2), moved(Y, 1.2 - 18 / 100)],
  ['acceleration', slider(Y), UPWARDS, moved(Y, 1.2 - 9 / 100)],
  ['drive to an angle', hinge(Z), drive('angular', Z, 'acceleration', 1.2), turned(Z, 1.2)],
  ['drive against a limit', slider(Y, { max: 0.2 }), drive('linear', Y, 'force', 5), moved(Y, 0.2)],
  ['drive of what is held', [POINT, NO_TURN], drive('linear', Y, 'force', 5), STILL],
  ['drive and spring', slider(Y, { ...HELD, ...spring }), UPWARDS, moved(Y, 1.2 - 9 / 100)],
];

test('joints hold, limit and drive the connected node as their file says', async () => {
  const world = createWorldForTest({ gravity: GRAVITY });
  const hung = AT_REST.map(([name, limits, rest, expected]) => {
    const { pose } = hang(world, { limits, drives: rest.drives ?? [] }, rest, 3);
    return { name, expected, pose };
  });
  await advance(world, 400);
  for (const { name, expected, pose } of hung) {
    const off = expected.map((value, part) => Math.abs(value - (pose()[part] ?? NaN)));
    expect(Math.max(...off), `${name}: ${pose()}`).toBeLessThan(0.005);
  }
});

test('a joint has its frames, and its bodies do not collide, from the first tick on', async () => {
  const world = createWorldForTest({ gravity: new Vector3(0, -1000, 0) });
  // The box is free along z, which the frames call y.
  const upright = at([0, 0, 0], [1, 0, 0], Math.PI / 2);
  const { pose } = hang(world, { limits: slider(Y) }, { at1: upright, at2: upright });
  await advance(world, 1);
  for (const part of pose()) expect(part).toBeCloseTo(0, 3);
});

test('jointed bodies collide if the file says so', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const [colliding, passing] = [true, false].map((enableCollision) =>
    hang(world, { limits: slider(X) }, { from: [0.4, 0, 0], enableCollision }),
  );
  await advance(world, 60);
  expect(colliding?.pose()[0]).toBeGreaterThan(0.99);
  expect(passing?.pose()[0]).toBeCloseTo(0.4);
});

test('a drive reaches its velocity, with at most its force', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const turning = { type: 'angular', axis: Z, mode: 'force', velocityTarget: 1.2, damping: 2000 };
  const [strong, weak] = [{}, { maxForce: 0.2 }].map((force) =>
    hang(world, { limits: hinge(Z), drives: [{ ...turning, ...force }] }),
  );
  await advance(world, 30);
  expect(strong?.body.angvel().z).toBeCloseTo(1.2, 3);
  // For half a second, 0.2 N m on a moment of inertia of 1/3 kg m².
  expect(weak?.body.angvel().z).toBeCloseTo(0.3, 3);
});

const PULL = drive('linear', X, 'force', 1).drives;
const TOGETHER = /several axes together/;
const SOFT = /soft/;
const TWO = /two springs or drives/;

test.each<[string, Given, RegExp[]]>([
  ['a joint of one axis', { limits: slider(X, { min: 0.5, max: 1 }) }, []],
  ['a ball', { limits: [linear([X, Y, Z], { max: 1 }), NO_TURN] }, [TOGETHER]],
  ['a ball of angles', { limits: [angular([X, Y, Z], { max: 1 })] }, [TOGETHER]],
  ['a pipe', { limits: [linear([X, Z], { min: 0.5, max: 1 })] }, [TOGETHER]],
  ['a least distance alone', { limits: [linear([X, Y, Z], { min: 1 })] }, [TOGETHER]],
  ['a soft cone', { limits: [angular([X, Z], { max: 1, stiffness: 9 })] }, [TOGETHER, SOFT]],
  ['a spring of angles', { limits: [angular([X, Y, Z], { max: 0, stiffness: 9 })] }, []],
  ['an angle with limits past it', { limits: [angular([X], { min: -4, max: 4 })] }, []],
  ['two drives', { drives: [...PULL, ...PULL] }, [TWO]],
  ['both', { limits: [linear([X], { ...HELD, stiffness: 1 })], drives: PULL }, [TWO]],
])('of %s, the engine says what it cannot do', (_, given, expected) => {
  const { cannot } = hang(createWorldForTest(), given);
  expect(cannot).toEqual(expected.map((what) => expect.stringMatching(what)));
});

const limit = (rest: object) => ({ limits: [POINT, rest] });
const driven = (rest: object) => ({ drives: [{ ...PULL[0], ...rest }] });

test.each<[unknown, RegExp]>([
  [null, /^physicsJoints\[2\] must be an object/],
  [{ limits: 1 }, /^physicsJoints\[2\]\.limits must be an array/],
  [limit({ angularAxes: [X, 3] }), /limits\[1\]\.angularAxes\[1\] must be .* 0 to 2, but is 3/],
  [limit({ angularAxes: [X], min: 2, max: 1 }), /^physicsJoints\[2\]\.limits contradict .* AngX/],
  [limit({ angularAxes: [X], max: NaN }), /limits\[1\]\.max must be .* NaN/],
  [limit({ angularAxes: [X, Y], max: -1 }), /limits contradict .* AngX/],
  [limit({ linearAxes: [X], stiffness: -1 }), /limits\[1\]\.stiffness must be .* -1/],
  [limit({ linearAxes: [X], damping: '1' }), /limits\[1\]\.damping must be a number/],
  [limit({ linearAxes: [X], min: 1 }), /^physicsJoints\[2\]\.limits contradict .* LinX/],
  [driven({ type: 'round' }), /^physicsJoints\[2\]\.drives\[0\]\.type must be .* "round"/],
  [driven({ mode: undefined }), /drives\[0\]\.mode must be one of force, acceleration/],
  [driven({ axis: 3 }), /drives\[0\]\.axis must be .* 3/],
  [driven({ maxForce: -1 }), /drives\[0\]\.maxForce must be .* -1/],
  [driven({ positionTarget: null }), /drives\[0\]\.positionTarget must be a number/],
])('%j is refused by its path', (given, message) => {
  expect(() => checkJoint('physicsJoints[2]', given, [])).toThrow(message);
});
