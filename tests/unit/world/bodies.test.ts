import { describe, expect, test, vi } from 'vitest';
import {
  ColliderDesc,
  JointData,
  RigidBodyDesc,
  RigidBodyType,
  type RigidBody,
  type World,
} from '../../../src/render-main/world/index.js';
import { loadRapier } from '../../../src/sim-worker/engines/rapier.js';
import { eventually } from '../../fixtures/eventually.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';
import {
  SCENE,
  sceneIn,
  type SceneBody,
  type SceneCollider,
  type SceneJoint,
  type SceneWorld,
} from '../../fixtures/world-scene.js';

const TICKS = 600;
const PAGE = { ColliderDesc, JointData, RigidBodyDesc, RigidBodyType };

/** In 32 bits; a drawn rotation has a length of 1, which the engine's has nearly. */
const numbersOf = (body: SceneBody): number[] => {
  const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
  const factor = 1 / Math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  const turn = [q.x, q.y, q.z, q.w].map((value) => value * factor);
  return [p.x, p.y, p.z, ...turn, v.x, v.y, v.z, w.x, w.y, w.z].map(Math.fround);
};

const { fround } = Math;
const components = ({ x, y, z }: { x: number; y: number; z: number }) => [x, y, z].map(fround);

/** What must be equal to the bit: as set, or as the engine has sent it. In 32 bits. */
const membersOf = (body: SceneBody) => ({
  isSleeping: body.isSleeping(),
  isMoving: body.isMoving(),
  mass: fround(body.mass()),
  invMass: fround(body.invMass()),
  effectiveInvMass: components(body.effectiveInvMass()),
  localCom: components(body.localCom()),
  principalInertia: components(body.principalInertia()),
  invPrincipalInertia: components(body.invPrincipalInertia()),
  frame: components(body.principalInertiaLocalFrame()),
  nextTranslation: components(body.nextTranslation()),
  type: body.bodyType(),
  isEnabled: body.isEnabled(),
  gravityScale: fround(body.gravityScale()),
  linearDamping: fround(body.linearDamping()),
  angularDamping: fround(body.angularDamping()),
  dominanceGroup: body.dominanceGroup(),
  additionalSolverIterations: body.additionalSolverIterations(),
  isCcdEnabled: body.isCcdEnabled(),
  softCcdPrediction: fround(body.softCcdPrediction()),
  userForce: components(body.userForce()),
  colliders: Array.from({ length: body.numColliders() }, (_, index) =>
    colliderMembersOf(body.collider(index) as SceneCollider),
  ),
});

const colliderMembersOf = (collider: SceneCollider) => ({
  type: collider.shapeType(),
  halfExtents: collider.halfExtents() && components(collider.halfExtents() as never),
  sizes: [collider.radius(), collider.halfHeight(), collider.roundRadius()].map(
    (size) => size && fround(size),
  ),
  heights: collider.heightfieldHeights(),
  scale: collider.heightfieldScale(),
  squares: [collider.heightfieldNRows(), collider.heightfieldNCols()],
  masses: [collider.mass(), collider.volume(), collider.density()].map(fround),
  coefficients: [collider.friction(), collider.restitution()].map(fround),
  rules: [collider.frictionCombineRule(), collider.restitutionCombineRule()],
  threshold: fround(collider.contactForceEventThreshold()),
  groups: [collider.collisionGroups() >>> 0, collider.solverGroups() >>> 0],
  active: [collider.activeEvents(), collider.activeHooks(), collider.activeCollisionTypes()],
  flags: [collider.isSensor(), collider.isEnabled(), collider.contactSkin()],
});

/** What follows from a rotation, which has a length of exactly 1 on the page. */
const derivedOf = (body: SceneBody): number[] => [
  ...components(body.worldCom()),
  ...components(body.userTorque()),
  ...components(body.velocityAtPoint({ x: 1, y: 2, z: 3 })),
  ...Array.from(body.effectiveWorldInvInertia().elements).slice(0, 6),
  ...Array.from(body.effectiveAngularInertia().elements).slice(0, 6),
];

const settingsOf = (world: SceneWorld) => {
  const { integrationParameters } = world;
  return [
    integrationParameters.dt,
    // The engine rounds in between.
    Math.round(integrationParameters.contact_erp * 1e5),
    integrationParameters.normalizedAllowedLinearError,
    integrationParameters.normalizedPredictionDistance,
    world.timestep,
    world.lengthUnit,
    world.numSolverIterations,
    world.numInternalPgsIterations,
    world.maxCcdSubsteps,
  ].map(fround);
};

/** Samples frames until something has happened that a query has to be answered for. */
const shown = (world: World, isDone: () => boolean): Promise<void> =>
  eventually(() => {
    world.sample((frameMs += 100));
    expect(isDone()).toBe(true);
  });
let frameMs = 1e6;

test('a world is the same as one of Rapier with the same calls, bit for bit', async () => {
  const rapier = await loadRapier();
  const engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = 1 / 60;
  const ownJoints: Record<string, SceneJoint> = {};
  const own = sceneIn(rapier, engine as never, ownJoints);
  const world = createWorldForTest();
  const joints: Record<string, SceneJoint> = {};
  const theirs = sceneIn(PAGE, world, joints);
  let moved = 0;
  for (let tick = 1; tick <= TICKS; tick++) {
    const change = SCENE.find(({ at }) => at === tick);
    change?.apply(own, ownJoints, engine as never);
    change?.apply(theirs, joints, world);
    engine.step();
    if (tick % 60 !== 0 && SCENE.every(({ at }) => at !== tick + 1)) continue;
    await advance(world, tick - moved);
    moved = tick;
    expect(settingsOf(world)).toEqual(settingsOf(engine as never));
    for (const [name, body] of Object.entries(theirs)) {
      if (body.isFixed()) continue;
      const found = numbersOf(body);
      expect({ tick, name, found }).toEqual({
        tick,
        name,
        found: numbersOf(own[name] as SceneBody),
      });
      expect({ tick, name, ...membersOf(body) }).toEqual({
        tick,
        name,
        ...membersOf(own[name] as SceneBody),
      });
      const derived = derivedOf(own[name] as SceneBody);
      const size = Math.max(1, ...derived.map(Math.abs));
      for (const [index, value] of derivedOf(body).entries()) {
        expect(Math.abs(value - (derived[index] as number)), `${name} ${index}`).toBeLessThan(
          1e-4 * size,
        );
      }
    }
  }
  engine.free();
});

describe('changes of one turn of the page', () => {
  test('travel as one command, and the same code gives the same recording', async () => {
    const recordings = [];
    for (let run = 0; run < 2; run++) {
      const world = createWorldForTest({ seed: 1 });
      sceneIn(PAGE, world);
      await advance(world, 5);
      const recording = (await world.ready).recording();
      expect(recording.entries.filter(({ kind }) => kind === 'command')).toHaveLength(1);
      recordings.push(recording.entries);
    }
    expect(recordings[0]).toEqual(recordings[1]);
  });

  test('that cancel are not sent', async () => {
    const world = createWorldForTest();
    await advance(world, 1);
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    world.createCollider(ColliderDesc.ball(1), body);
    world.removeRigidBody(body);
    await advance(world, 1);
    const { entries } = (await world.ready).recording();
    // The first has the gravity.
    expect(entries.filter(({ kind }) => kind === 'command')).toHaveLength(1);
    expect([world.bodies.len(), world.colliders.len()]).toEqual([0, 0]);
  });

  test('are applied by their handles, whatever their order: what is set comes before what is added', async () => {
    const heights = [];
    for (const isSetLast of [false, true]) {
      const world = createWorldForTest({ gravity: { x: 0, y: 0, z: 0 } });
      const bodies = [0, 1].map((x) => {
        const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(3 * x, 0, 0));
        world.createCollider(ColliderDesc.ball(1), body);
        return body;
      });
      await advance(world, 1);
      const order = isSetLast ? bodies.toReversed() : bodies;
      for (const body of order) {
        if (!isSetLast) body.setLinearDamping(0.5);
        body.applyImpulse({ x: 0, y: 1, z: 0 }, true);
        body.applyImpulse({ x: 0, y: 1, z: 0 }, true);
        if (isSetLast) body.setLinearDamping(0.5);
      }
      await advance(world, 10);
      heights.push(bodies.map((body) => body.translation().y));
    }
    expect(heights[0]?.[0]).toBeGreaterThan(0);
    expect(heights[0]).toEqual(heights[1]);
  });
});

describe('reading a body', () => {
  test('gives what was written until a state has it', async () => {
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(1, 2, 3));
    world.createCollider(ColliderDesc.ball(0.5), body);
    expect(body.translation()).toEqual({ x: 1, y: 2, z: 3 });
    await advance(world, 1);
    expect(body.translation().y).toBeLessThan(2);
    body.setTranslation({ x: 5, y: 6, z: 7 }, true);
    body.setLinvel({ x: 0, y: 1, z: 0 }, true);
    expect(body.translation()).toEqual({ x: 5, y: 6, z: 7 });
    expect(body.linvel()).toEqual({ x: 0, y: 1, z: 0 });
    await advance(world, 1);
    expect(body.translation().x).toBe(5);
    expect(body.translation().y).toBeGreaterThan(6);
    expect(body.linvel().y).toBeLessThan(1);
    // Of the vector that was passed, a copy was taken.
    const reused = { x: 9, y: 9, z: 9 };
    body.setTranslation(reused, true);
    reused.x = 0;
    expect(body.translation().x).toBe(9);
  });

  test('of a fixed body gives where it was put, and it is drawn from the moment at which it moves', async () => {
    const world = createWorldForTest();
    const wall = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 1, 0));
    world.createCollider(ColliderDesc.cuboid(1, 1, 1), wall);
    await advance(world, 1);
    expect(wall.id).toBeUndefined();
    wall.setTranslation({ x: 0, y: 4, z: 0 }, true);
    await advance(world, 1);
    expect(wall.translation()).toEqual({ x: 0, y: 4, z: 0 });
    expect(wall.id).toBeDefined();
  });
});

describe('the mass of a body', () => {
  test('is estimated until the engine has said it', async () => {
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(2));
    const box = world.createCollider(ColliderDesc.cuboid(1, 2, 3).setTranslation(1, 0, 0), body);
    expect([box.volume(), box.mass(), box.density(), body.mass()]).toEqual([48, 48, 1, 50]);
    expect(body.localCom().x).toBeCloseTo(0.96);
    expect(body.principalInertia().x).toBeNaN();
    const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const hull = world.createCollider(ColliderDesc.convexHull(points), body);
    expect([hull.mass(), body.mass()]).toEqual([Number.NaN, Number.NaN]);
    // What it does to an impulse is no silent nothing.
    expect(() => body.applyImpulse({ x: 0, y: body.mass(), z: 0 }, true)).toThrow(/impulse\.y/);
    await advance(world, 1);
    expect(hull.volume()).toBeCloseTo(1 / 6, 5);
    expect(body.mass()).toBeCloseTo(50 + 1 / 6, 4);
    expect(body.principalInertia().x).toBeGreaterThan(80);
    box.setDensity(2);
    expect(box.mass()).toBe(96);
    await advance(world, 1);
    expect(body.mass()).toBeCloseTo(98 + 1 / 6, 4);
    world.removeCollider(box);
    await advance(world, 1);
    expect(body.mass()).toBeCloseTo(2 + 1 / 6, 4);
  });

  test('is that of the state after a jump', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10 } });
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    const ball = world.createCollider(ColliderDesc.ball(1).setMass(4), body);
    await advance(world, 5);
    ball.setMass(8);
    await advance(world, 5);
    expect(body.mass()).toBe(8);
    await (await world.ready).seek(3);
    await shown(world, () => body.mass() === 4 && ball.mass() === 4);
    expect(body.effectiveInvMass().x).toBe(0.25);
  });
});

test('a body that is put to sleep or woken is so at once, and then as the state has it', async () => {
  const world = createWorldForTest();
  const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 50, 0));
  world.createCollider(ColliderDesc.ball(0.5), body);
  await advance(world, 2);
  expect([body.isSleeping(), body.isMoving()]).toEqual([false, true]);
  body.sleep();
  expect(body.isSleeping()).toBe(true);
  await advance(world, 5);
  expect(body.isSleeping()).toBe(true);
  body.applyImpulse({ x: 0, y: 1, z: 0 }, true);
  expect(body.isSleeping()).toBe(false);
  await advance(world, 1);
  expect(body.isSleeping()).toBe(false);
});

describe('a run', () => {
  test('is replayed with equal hashes, and goes back', async () => {
    const world = createWorldForTest({ recording: { hashEveryTicks: 1, rewindSeconds: 10 } });
    const scene = sceneIn(PAGE, world);
    const handle = await world.ready;
    await advance(world, 20);
    const { tumbler } = scene;
    const early = tumbler?.translation();
    tumbler?.applyImpulse({ x: 5, y: 0, z: 0 }, true);
    world.removeRigidBody(scene['ball'] as never);
    await advance(world, 40);
    const late = tumbler?.translation();
    const replay = await handle.openReplay(handle.recording());
    await replay.seek(60);
    expect(replay.report.differsAt).toBeUndefined();
    expect(replay.report.hashes).toBeGreaterThan(10);
    await replay.close();
    world.sample(performance.now() + 1000);
    expect(tumbler?.translation()).toEqual(late);
    await handle.seek(20);
    // The ids of the bodies are asked for again, and arrive with the state.
    await eventually(() => {
      world.sample(performance.now() + 2000);
      expect(tumbler?.translation()).toEqual(early);
    });
  });

  test('that goes back has what that state has: the same objects, with the settings of then', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10 } });
    const handle = await world.ready;
    const mesh = { name: 'mesh' };
    const kept = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 50, 0));
    const ball = world.createCollider(ColliderDesc.ball(0.5), kept);
    const gone = world.createRigidBody(
      RigidBodyDesc.dynamic().setTranslation(5, 50, 0).setUserData(mesh),
    );
    const box = world.createCollider(ColliderDesc.cuboid(1, 2, 3), gone);
    const wall = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 1, 0));
    const joint = world.createImpulseJoint(
      JointData.rope(9, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }),
      kept,
      gone,
      true,
    );
    await advance(world, 20);
    world.removeRigidBody(gone);
    const late = world.createRigidBody(RigidBodyDesc.dynamic());
    kept.setLinearDamping(0.5);
    ball.setFriction(0.1);
    wall.setTranslation({ x: 0, y: 9, z: 0 }, true);
    world.gravity = { x: 0, y: 0, z: 0 };
    await advance(world, 20);
    expect([gone.isValid(), late.isValid(), world.impulseJoints.len()]).toEqual([false, true, 0]);

    await handle.seek(20);
    await shown(world, () => !late.isValid());
    expect([gone, box, joint].map((thing) => thing.isValid())).toEqual([true, true, true]);
    expect(world.getRigidBody(gone.handle)).toBe(gone);
    expect(gone.userData).toBe(mesh);
    expect([box.parent(), joint.body2(), gone.numColliders()]).toEqual([gone, gone, 1]);
    expect([kept.linearDamping(), ball.friction(), wall.translation().y]).toEqual([0, 0.5, 1]);
    expect(world.gravity.y).toBeCloseTo(-9.81, 5);
    expect(gone.translation().x).toBeCloseTo(5, 0);

    // What the page believes to be set already is not left out.
    kept.setLinearDamping(0.5);
    gone.setLinvel({ x: 3, y: 0, z: 0 }, true);
    await advance(world, 1);
    const { entries } = handle.recording();
    expect(entries.filter(({ kind }) => kind === 'command')).toHaveLength(3);
    expect(gone.linvel().x).toBeCloseTo(3, 1);
    const next = world.createRigidBody(RigidBodyDesc.dynamic());
    expect(next.handle).toBeGreaterThan(late.handle);
  });

  test('that goes back keeps what the page changes after it', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10 } });
    const handle = await world.ready;
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 50, 0));
    const other = world.createRigidBody(RigidBodyDesc.dynamic());
    await advance(world, 20);
    const gone = world.createRigidBody(RigidBodyDesc.dynamic());
    await advance(world, 20);
    await handle.seek(20);
    body.setGravityScale(0.25, true);
    const late = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(1, 2, 3));
    world.removeRigidBody(other);
    world.sample(performance.now() + 5000);
    await shown(world, () => !gone.isValid());
    expect([late.isValid(), other.isValid(), body.gravityScale()]).toEqual([true, false, 0.25]);
    await advance(world, 1);
    expect([late.isValid(), other.isValid(), world.bodies.len()]).toEqual([true, false, 2]);
  });

  test('of another world can be shown: its things get handles', async () => {
    const first = createWorldForTest({ seed: 3 });
    const scene = sceneIn(PAGE, first);
    await advance(first, 30);
    const recording = (await first.ready).recording();
    const state = await (await first.ready).save();
    const second = createWorldForTest({ seed: 3 });
    const handle = await second.ready;
    await handle.restore(state);
    await shown(second, () => second.impulseJoints.len() === first.impulseJoints.len());
    expect(second.bodies.len()).toBe(first.bodies.len());
    for (const body of first.bodies.getAll()) {
      const found = second.getRigidBody(body.handle) as RigidBody;
      expect(numbersOf(found)).toEqual(numbersOf(body));
      expect(found.bodyType()).toBe(body.bodyType());
    }
    for (const collider of first.colliders.getAll()) {
      const found = second.getCollider(collider.handle);
      expect(found?.shapeType()).toBe(collider.shapeType());
      expect(found?.shapeSizes().map(Math.fround)).toEqual(collider.shapeSizes().map(Math.fround));
      expect(found?.parent()?.handle).toBe(collider.parent()?.handle);
    }
    expect(second.createRigidBody(RigidBodyDesc.dynamic()).handle).toBeGreaterThan(
      Math.max(...Object.values(scene).map((body) => (body as RigidBody).handle)),
    );

    const third = createWorldForTest({ seed: 3 });
    await advance(third, 1);
    const replay = await (await third.ready).openReplay(recording);
    await replay.seek(30);
    await shown(third, () => third.impulseJoints.len() === first.impulseJoints.len());
    expect(third.bodies.len()).toBe(first.bodies.len());
  });

  test('continues in another worker', async () => {
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 100, 0));
    const collider = world.createCollider(ColliderDesc.ball(0.5), body);
    await advance(world, 10);
    const before = body.translation().y;
    await (await world.ready).replaceWorker();
    collider.setDensity(2);
    body.setLinvel({ x: 1, y: 0, z: 0 }, true);
    await advance(world, 1);
    expect(body.translation().y).toBeLessThan(before);
    expect(body.translation().x).toBeGreaterThan(0);
  });
});

test('joints go with their bodies, and one that is removed holds nothing', async () => {
  const world = createWorldForTest();
  const [first, second, third] = [0, 1, 2].map((x) => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, 20, 0));
    world.createCollider(ColliderDesc.ball(0.2), body);
    return body;
  }) as [RigidBody, RigidBody, RigidBody];
  const data = JointData.spherical({ x: 0.5, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 });
  const left = world.createImpulseJoint(data, first, second, true);
  const right = world.createImpulseJoint(data, second, third, true);
  await advance(world, 1);
  world.removeRigidBody(first);
  expect([left.isValid(), right.isValid(), world.impulseJoints.len()]).toEqual([false, true, 1]);
  third.applyImpulse({ x: 0.5, y: 0, z: 0 }, true);
  await advance(world, 30);
  const apart = () => third.translation().x - second.translation().x;
  expect(apart()).toBeLessThan(1.1);
  world.removeImpulseJoint(right);
  third.applyImpulse({ x: 0.5, y: 0, z: 0 }, true);
  await advance(world, 30);
  expect(apart()).toBeGreaterThan(1.5);
  expect(() => world.createImpulseJoint(data, first, second, true)).toThrow(
    /cannot be made of the body/,
  );
});

/** Bodies in a row. */
const chain = (world: World, length: number): RigidBody[] =>
  Array.from({ length }, (_, x) => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, 20, 0));
    world.createCollider(ColliderDesc.ball(0.2), body);
    return body;
  });

describe('multibody joints', () => {
  const data = JointData.spherical({ x: 0.5, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 });
  test('form trees, go with their bodies, and survive a seek and another worker', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10 } });
    const [first, second, third, fourth] = chain(world, 4) as [
      RigidBody,
      RigidBody,
      RigidBody,
      RigidBody,
    ];
    const left = world.createMultibodyJoint(data, first, second, true);
    const right = world.createMultibodyJoint(data, second, third, true);
    expect(() => world.createMultibodyJoint(data, third, first, true)).toThrow(/form a loop/);
    expect(() => world.createMultibodyJoint(data, first, first, true)).toThrow(/form a loop/);
    expect(() => world.createMultibodyJoint(data, fourth, second, true)).toThrow(/second body/);
    third.applyImpulse({ x: 0.2, y: 0, z: 0 }, true);
    await advance(world, 20);
    const apart = () => third.translation().x - second.translation().x;
    expect(apart()).toBeLessThan(1.01);
    left.setContactsEnabled(false);
    world.removeMultibodyJoint(right);
    await advance(world, 1);
    const handle = await world.ready;
    await handle.replaceWorker();
    third.applyImpulse({ x: 0.2, y: 0, z: 0 }, true);
    await advance(world, 30);
    expect(apart()).toBeGreaterThan(1.5);
    expect(left.contactsEnabled()).toBe(false);
    await handle.seek(15);
    await shown(world, () => right.isValid() && left.contactsEnabled());
    expect(world.multibodyJoints.getAll()).toEqual([left, right]);
    world.removeRigidBody(second);
    expect([left.isValid(), right.isValid(), world.multibodyJoints.len()]).toEqual([
      false,
      false,
      0,
    ]);
    // What is left may be joined again.
    world.createMultibodyJoint(data, fourth, third, true);
    await advance(world, 5);
    expect(third.translation().x).not.toBeNaN();
  });

  test('have the limits of their description, which other joints refuse', () => {
    const world = createWorldForTest();
    const [first, second] = chain(world, 2) as [RigidBody, RigidBody];
    const middle = { x: 0, y: 0, z: 0 };
    const slide = JointData.prismatic(middle, middle, { x: 1, y: 0, z: 0 });
    slide.limitsEnabled = true;
    slide.limits = [1, -1];
    expect(() => world.createImpulseJoint(slide, first, second, true)).toThrow(/min must be/);
    slide.limits = [-1, 1];
    const joint = world.createImpulseJoint(slide, first, second, true);
    expect([joint.limitsEnabled(), joint.limitsMin(), joint.limitsMax()]).toEqual([true, -1, 1]);
    const hinge = JointData.revolute(middle, middle, { x: 1, y: 0, z: 0 });
    hinge.limitsEnabled = true;
    expect(() => world.createMultibodyJoint(hinge, first, second, true)).toThrow(/call setLimits/);
  });
});

test('a world lists what it has, and its step follows the tick rate', async () => {
  const world = createWorldForTest({ tickRateHz: 50 });
  expect(world.timestep).toBe(1 / 50);
  const wall = world.createRigidBody(RigidBodyDesc.fixed());
  const sleeper = world.createRigidBody(RigidBodyDesc.dynamic().setSleeping(true));
  const faller = world.createRigidBody(RigidBodyDesc.dynamic());
  const collider = world.createCollider(ColliderDesc.ball(1), wall);
  const [bodies, active, colliders]: unknown[][] = [[], [], []];
  world.forEachRigidBody((body) => bodies?.push(body));
  world.forEachActiveRigidBody((body) => active?.push(body));
  world.forEachCollider((each) => colliders?.push(each));
  expect([bodies, active, colliders]).toEqual([[wall, sleeper, faller], [faller], [collider]]);
  expect([world.bodies.contains(wall.handle), world.bodies.get(wall.handle)]).toEqual([true, wall]);
  expect([world.colliders.contains(99), world.colliders.get(99)]).toEqual([false, null]);
  const parameters = world.integrationParameters as { dt: number };
  expect(() => {
    parameters.dt = 0.1;
  }).toThrow(/setTickRate/);
  expect(() => {
    world.numSolverIterations = 0;
  }).toThrow(/numSolverIterations/);
  expect(() => {
    world.integrationParameters.contact_natural_frequency = 0;
  }).toThrow(/contact_natural_frequency/);
  world.numSolverIterations = 8;
  await advance(world, 2);
  await (await world.ready).setTickRate(100);
  await advance(world, 1);
  expect([world.timestep, world.numSolverIterations]).toEqual([1 / 100, 8]);
});

/** What a call throws, as a text. */
function errorOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  return 'none';
}

describe('bad input', () => {
  test('is refused at the call, and the worker never sees it', async () => {
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    const elsewhere = createWorldForTest().createRigidBody(RigidBodyDesc.dynamic());
    await advance(world, 1);
    expect(() => body.setTranslation({ x: 0, y: Number.NaN, z: 0 }, true)).toThrow(
      /translation\.y/,
    );
    expect(() => body.setGravityScale(Number.NaN, true)).toThrow(
      'factor must be finite in 32 bits, but is NaN',
    );
    expect(() => body.setLinearDamping(-1)).toThrow('must not be negative, but is -1');
    expect(() => body.setLinearDamping('1' as never)).toThrow(
      'must be a number, but is a value of type string',
    );
    expect(() => body.applyImpulse('up' as never, true)).toThrow(/impulse must be an object/);
    expect(() => ColliderDesc.ball(0)).toThrow(/radius must be greater than 0/);
    expect(() => ColliderDesc.cuboid(1, 1e-60, 1)).toThrow(/hy must be greater than 0/);
    expect(() => ColliderDesc.convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0])).toThrow(/a volume/);
    expect(() => ColliderDesc.trimesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 3])).toThrow(
      /indices\[2\]/,
    );
    expect(() => world.createCollider(ColliderDesc.ball(1), elsewhere)).toThrow(/of another world/);
    expect(() => {
      world.gravity = { x: 0, y: Infinity, z: 0 };
    }).toThrow(/gravity\.y/);
    await advance(world, 1);
    const { entries } = (await world.ready).recording();
    expect(entries.filter(({ kind }) => kind === 'command')).toHaveLength(1);
  });

  test('descriptions of other packages and swapped ones are named', async () => {
    const world = createWorldForTest();
    const rapier = await loadRapier();
    const body = world.createRigidBody(RigidBodyDesc.kinematicPositionBased());
    const collider = world.createCollider(ColliderDesc.ball(1), body);
    expect([
      errorOf(() => world.createRigidBody(rapier.RigidBodyDesc.dynamic() as never)),
      errorOf(() => world.createRigidBody(ColliderDesc.ball(1) as never)),
      errorOf(() => world.createCollider(undefined as never)),
      errorOf(() => world.createCollider(3 as never, body)),
      errorOf(() => world.createImpulseJoint({} as never, body, body, true)),
      errorOf(() => world.createMultibodyJoint([] as never, body, body, true)),
      errorOf(() => world.createProbe(null as never)),
      errorOf(() => world.createCharacterController(collider, undefined as never)),
      errorOf(() =>
        world.createVehicleController(world.createRigidBody(RigidBodyDesc.dynamic()), {} as never),
      ),
      errorOf(() => collider.setShape(rapier.ColliderDesc.ball(1) as never)),
    ]).toEqual([
      'TypeError: desc must be a RigidBodyDesc of betwixt/world, but is an object of another class or package',
      'TypeError: desc must be a RigidBodyDesc of betwixt/world, but is an object of another class or package',
      'TypeError: desc must be a ColliderDesc of betwixt/world, but is undefined',
      'TypeError: desc must be a ColliderDesc of betwixt/world, but is a value of type number',
      'TypeError: data must be a JointData of betwixt/world, but is an object of another class or package',
      'TypeError: data must be a JointData of betwixt/world, but is an array',
      'TypeError: desc must be a ProbeDesc of betwixt/world, but is null',
      'TypeError: desc must be a CharacterDesc of betwixt/world, but is undefined',
      'TypeError: desc must be a VehicleDesc of betwixt/world, but is an object of another class or package',
      'TypeError: desc must be a ColliderDesc of betwixt/world, but is an object of another class or package',
    ]);
  });

  test('things of another world, of another kind, and removed ones differ in their errors', async () => {
    const world = createWorldForTest();
    const other = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    const collider = world.createCollider(ColliderDesc.ball(1), body);
    const elsewhere = other.createRigidBody(RigidBodyDesc.dynamic());
    const gone = world.createRigidBody(RigidBodyDesc.dynamic());
    world.removeRigidBody(gone);
    const { x, y, z } = { x: 0, y: 0, z: 0 };
    const joint = JointData.spherical({ x, y, z }, { x, y, z });
    expect([
      errorOf(() => world.removeRigidBody(elsewhere)),
      errorOf(() => other.removeCollider(collider)),
      errorOf(() => world.removeRigidBody(collider as never)),
      errorOf(() => world.removeMultibodyJoint(undefined as never)),
      errorOf(() => world.createCollider(body as never, ColliderDesc.ball(1) as never)),
      errorOf(() => world.createCollider(ColliderDesc.ball(1), gone)),
      errorOf(() => world.createCollider(ColliderDesc.ball(1), elsewhere)),
      errorOf(() => world.createImpulseJoint(joint, body, undefined as never, true)),
      errorOf(() => world.createMultibodyJoint(joint, 1 as never, body, true)),
      errorOf(() => world.createCharacterController(body as never, undefined as never)),
    ]).toEqual([
      'Error: body is the body 1 of another world',
      'Error: collider is the collider 2 of another world',
      'TypeError: body must be a body of this world, but is a collider',
      'TypeError: joint must be a multibodyJoint of this world, but is undefined',
      'TypeError: parent must be a body of this world, but is an object of another class or package',
      'Error: a collider cannot be made of the body 3: it was removed',
      'Error: parent is the body 1 of another world',
      'TypeError: body2 must be a body of this world, but is undefined',
      'TypeError: body1 must be a body of this world, but is a value of type number',
      'TypeError: collider must be a collider of this world, but is a body',
    ]);
    expect([elsewhere.isValid(), collider.isValid()]).toEqual([true, true]);
  });

  test('what is done with a disposed world says so once, and removing says nothing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    await advance(world, 1);
    await world.dispose();
    world.removeRigidBody(body);
    expect(warn).not.toHaveBeenCalled();
    world.createRigidBody(RigidBodyDesc.dynamic()).setLinearDamping(1);
    world.gravity = { x: 0, y: 0, z: 0 };
    world.numSolverIterations = 8;
    world.sample(0);
    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining('after it was disposed'),
    ]);
    warn.mockRestore();
  });

  test('a method of a body that is gone does nothing, and says so once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    await advance(world, 1);
    world.removeRigidBody(body);
    body.applyImpulse({ x: 1, y: 0, z: 0 }, true);
    body.setLinearDamping(1);
    world.removeRigidBody(body);
    await advance(world, 1);
    expect(body.isValid()).toBe(false);
    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining('the body 1 was removed from its world'),
    ]);
    warn.mockRestore();
  });
});
