/** Calls that a world refuses at once, so that the worker never sees them. */
import { beforeAll, expect, test } from 'vitest';
import {
  Ball,
  CharacterDesc,
  ColliderDesc,
  HalfSpace,
  JointData,
  Ray,
  RigidBodyDesc,
  VehicleDesc,
  createWorld,
} from '../../../src/world/page/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { cloud } from '../../fixtures/world-shapes.js';
import {
  addBody,
  advance,
  countBatches,
  createWorldForTest,
  warningsOfTest,
  worldOptions,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const NONE = Number.NaN;
const UPRIGHT = { ...at(0), w: 1 };
const WHEEL = { chassisConnectionPointCs: at(0), radius: 1, suspensionRestLength: 1 };

type Call = (world: WorldForTest) => unknown;

const carIn = (world: WorldForTest) =>
  world.createVehicle(addBody(world), new VehicleDesc().addWheel(WHEEL));
const controllerIn = (world: WorldForTest) => world.createVehicleController(addBody(world));
const JOINT = JointData.spherical(at(0), at(0));
const jointIn = (world: WorldForTest) =>
  world.createImpulseJoint(JOINT, addBody(world), addBody(world), true);
const addBall = (world: WorldForTest) => addBody(world).collider(0);
const hull = () => ColliderDesc.convexHull(cloud(9));
const triangle = (flags?: number) => ColliderDesc.trimesh(cloud(3), [0, 1, 2], flags);
const RAY = new Ray(at(0), at(0, -1));
const ignore = (): void => {};
const keys = { left: ['A' as never] };
const FAR_POINTS = cloud(9).map((x) => x * 1e20);

/** By what is wrong: of settings, shapes, worlds, queries, events, characters, vehicles, joints, belts and one-way colliders. */
const CALLS: Readonly<Record<string, readonly [Call, RegExp | string]>> = {
  'NaN as a place': [(w) => addBody(w).setTranslation(at(0, NONE), true), /translation\.y/],
  'NaN as a factor': [
    (w) => addBody(w).setGravityScale(NONE, true),
    'factor must be finite in 32 bits, but is NaN',
  ],
  'a negative distance': [
    (w) => addBody(w).setSoftCcdPrediction(-1),
    'must not be negative, but is -1',
  ],
  'a text as a factor': [
    (w) => addBody(w).setLinearDamping('one' as never),
    'must be a number, but is a value of type string',
  ],
  'endless gravity': [(w) => Object.assign(w, { gravity: at(0, Infinity) }), /gravity\.y/],
  'a dt': [(w) => Object.assign(w.integrationParameters, { dt: 0.1 }), /setTickRate/],
  'iterations of 0': [(w) => Object.assign(w, { numSolverIterations: 0 }), /numSolverIterations/],

  'a negative radius': [() => ColliderDesc.ball(-1), /radius must not be negative/],
  'a flat hull': [() => ColliderDesc.convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]), /a volume/],
  'an index without a point': [() => ColliderDesc.trimesh(cloud(3), [0, 1, 3]), /indices\[2\]/],
  'a scale of 0': [() => hull().setShapeScale(at(1, 0, 1)), /factor of 0/],
  'a scale beyond all numbers': [
    () => ColliderDesc.polyline(FAR_POINTS).setShapeScale(at(1e30, 1, 1)),
    /scale makes vertices\[\d+\] larger/,
  ],
  'a scale that leaves no volume': [() => hull().setShapeScale(at(1, 1e-30, 1)), /a volume/],
  'a scale of a ball': [() => ColliderDesc.ball(1).setShapeScale(at(1, 1, 1)), /made of points/],
  'flags beyond all': [() => triangle(256), /flags must be/],
  'a half space without a way out': [() => new HalfSpace(at(0)), /normal must be/],
  'no voxels': [() => ColliderDesc.voxels(new Int32Array(), at(1, 1, 1)), /voxels must have/],
  'flat voxels': [() => ColliderDesc.voxels(new Int32Array(3), at(1, 0, 1)), /voxelSize\.y/],
  'nothing as one shape': [() => ColliderDesc.compound([], [], []), /at least one shape/],
  'a shape without a position': [
    () => ColliderDesc.compound([new Ball(1)], [], [UPRIGHT]),
    /positions must be as many/,
  ],
  'a shape of shapes': [
    () => ColliderDesc.compound([triangle().shape], [at(0)], [UPRIGHT]),
    /shapes\[0\] consists of several/,
  ],
  'a shape of another library': [
    () => ColliderDesc.compound([{ type: 99 } as never], [at(0)], [UPRIGHT]),
    /shapes\[0\] must be a shape/,
  ],

  'a description of a collider as one of a body': [
    (w) => w.createRigidBody(ColliderDesc.ball(1) as never),
    'desc must be a RigidBodyDesc of betwixt/world, but is an object of another class or package',
  ],
  'no description': [(w) => w.createCollider(undefined as never), /ColliderDesc .* is undefined/],
  'an array as data': [
    (w) => w.createMultibodyJoint([] as never, addBody(w), addBody(w), true),
    'data must be a JointData of betwixt/world, but is an array',
  ],
  'a description as a parent': [
    (w) => w.createCollider(addBody(w) as never, ColliderDesc.ball(1) as never),
    'parent must be a body of this world, but is an object of another class or package',
  ],
  'a collider as a body': [
    (w) => w.removeRigidBody(addBall(w) as never),
    'body must be a body of this world, but is a collider',
  ],
  'no joint': [
    (w) => w.removeMultibodyJoint(undefined as never),
    'joint must be a multibodyJoint of this world, but is undefined',
  ],
  'a body of another world': [
    (w) => w.removeRigidBody(addBody(createWorldForTest())),
    'body is the body 1 of another world',
  ],
  'a body that was removed': [
    (w) => {
      const gone = addBody(w);
      w.removeRigidBody(gone);
      w.createCollider(ColliderDesc.ball(1), gone);
    },
    /a collider cannot be made of the body \d+: it was removed/,
  ],

  'a text as a ray': [(w) => w.castRay('d' as never, 1, true), /ray must be an object/],
  'a description as a shape': [
    (w) => w.intersectionWithShape(at(0), UPRIGHT, ColliderDesc.ball(1) as never),
    /shape must be a shape, such as new Ball\(0.5\)/,
  ],
  'a filter of another world': [
    (w) => w.castRay(RAY, 1, true, 0, undefined, addBall(createWorldForTest())),
    /filterExcludeCollider must be a collider of this world/,
  ],

  'an unknown event': [(w) => w.on('colision' as never, ignore), /name of an event/],
  'a handler that is no function': [(w) => w.on('wake', 1 as never), /must be a function/],
  'a handler at another time': [(w) => w.on('wake', ignore, { when: 1 as never }), /when/],
  'an unknown option of a handler': [(w) => w.on('wake', ignore, { at: 1 } as never), /"at"/],

  'a character without a body': [
    (w) => w.createCharacter(w.createCollider(ColliderDesc.ball(1)), new CharacterDesc()),
    /kinematicPositionBased/,
  ],
  'an offset of 0': [() => new CharacterDesc(0), /offset must be greater than 0/],
  'no way up': [() => new CharacterDesc().setUp(at(0)), /up must be a direction/],
  'a slope beyond a wall': [
    () => new CharacterDesc().setMaxSlopeClimbAngle(2),
    /angle must be a number from 0 to/,
  ],
  'a negative width': [() => new CharacterDesc().enableAutostep(0.1, -1, true), /minWidth/],
  'an unknown key': [
    () => new CharacterDesc().setInputs({ speed: 1, keys }),
    /inputs\.keys\.left must have names of keys such as "KeyW", and has "A"/,
  ],
  'a negative gamepad': [
    () => new CharacterDesc().setInputs({ speed: 1, gamepads: [-1] }),
    /inputs\.gamepads/,
  ],

  'a wheel without a size': [
    () => new VehicleDesc().addWheel({ ...WHEEL, radius: 0 }),
    /radius must be greater than 0/,
  ],
  'a misspelled setting of a wheel': [
    () => new VehicleDesc().addWheel({ ...WHEEL, isdriven: true } as never),
    /did you mean "isDriven"/,
  ],
  'a fourth axis': [() => new VehicleDesc().setIndexUpAxis(3), /axis/],
  'a fixed chassis': [
    (w) => w.createVehicle(w.createRigidBody(RigidBodyDesc.fixed()), new VehicleDesc()),
    /it must be dynamic/,
  ],
  'a negative brake': [(w) => carIn(w).drive({ brake: -1 }), /brake/],
  'an unknown way to drive': [(w) => carIn(w).drive({ throttle: 1 } as never), /option "throttle"/],
  'a second wheel of one': [
    (w) => carIn(w).setWheelSteering(1, 0),
    /wheel must be a whole number from 0 to 0/,
  ],
  'a predicate of rays': [
    (w) => controllerIn(w).updateVehicle(1, undefined, undefined, (() => true) as never),
    /filterPredicate .*worker.*EXCLUDE_SENSORS.*filterGroups.*system/s,
  ],
  'an axis of 3': [(w) => (controllerIn(w).indexUpAxis = 3), /axis/],

  'a negative break force': [(w) => jointIn(w).setBreakForce(-1), /^breakForce must be/],
  'a break force of NaN': [(w) => jointIn(w).setBreakForce(1, NONE), /^the torque of breakForce /],
  'an axis of no joint': [(w) => jointIn(w).setLimits(6 as never, 0, 1), /axis must be/],
  'swapped limits': [(w) => jointIn(w).setLimits(3, 1, 0), /min must be/],
  'a motor that speeds up': [(w) => jointIn(w).configureMotorVelocity(3, 1, -1), /damping must/],

  'NaN as a surface velocity': [
    (w) => addBody(w).setSurfaceAngularVelocity(at(0, NONE)),
    /surfaceAngularVelocity.y must be/,
  ],
  'a number as one-way': [(w) => addBall(w).setOneWay(3 as never), /an object \{ axis, margin/],
  'an axis without a direction': [(w) => addBall(w).setOneWay({ axis: at(0) }), /length of 0/],
  'a negative margin': [() => ColliderDesc.ball(1).setOneWay({ margin: -1 }), /oneWay.margin/],
};

/** Never stepped. */
let shared: WorldForTest;
beforeAll(async () => {
  shared = createWorld({ ...worldOptions(), queries: true }) as unknown as WorldForTest;
  await shared.ready;
  return () => shared.dispose();
});

test.each(Object.entries(CALLS))('%s is refused at the call', (_, [call, message]) => {
  expect(() => call(shared)).toThrow(message);
});

test.each([
  [{ tickRate: 120 }, 'unknown option "tickRate" of createWorld: did you mean "tickRateHz"?'],
  [{ querys: true }, 'unknown option "querys" of createWorld: did you mean "queries"?'],
  [{ x: 0 }, 'unknown option "x" of createWorld: it has gravity, snapOver, '],
  [{ display: { value: 1 } }, 'unknown option "display.value" of createWorld'],
  [{ snapOver: -1 }, 'snapOver must be'],
])('createWorld(%o) throws at once', (options, message) => {
  expect(() => createWorld(options as object)).toThrow(message);
});

test('a worker script without a world is named', async () => {
  const simulation = { init() {}, step() {} };
  const world = createWorld({ transport: 'local', createWorker: () => runLocally(simulation) });
  await expect(world.ready).rejects.toThrow(/has to call runWorld\(\)/);
});

test('what is refused at the call is not sent', async () => {
  const world = createWorldForTest();
  const body = addBody(world);
  await advance(world, 1);
  expect(() => body.setTranslation(at(0, NONE), true)).toThrow(/translation/);
  await advance(world, 1);
  expect(await countBatches(world)).toBe(1);
});

test('what is done with a disposed world says so once, and removing says nothing', async () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest();
  const body = addBody(world);
  await advance(world, 1);
  await world.dispose();
  world.removeRigidBody(body);
  expect(warnings()).toEqual([]);
  world.createRigidBody(RigidBodyDesc.dynamic()).setLinearDamping(1);
  world.gravity = at(0);
  world.numSolverIterations = 8;
  world.sample(0);
  expect(warnings()).toEqual([expect.stringContaining('after it was disposed')]);
});

test('methods of bodies that are gone do nothing, and say so once', async () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest();
  const body = addBody(world);
  const other = addBody(world);
  await advance(world, 1);
  world.removeRigidBody(body);
  world.removeRigidBody(other);
  body.applyImpulse(at(1), true);
  other.applyImpulse(at(1), true);
  body.setLinearDamping(1);
  world.removeRigidBody(body);
  await advance(world, 1);
  expect(body.isValid()).toBe(false);
  expect(warnings()).toEqual([expect.stringContaining('the body 1 was removed from its world')]);
});
