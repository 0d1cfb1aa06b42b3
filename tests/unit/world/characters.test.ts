import { describe, expect, test } from 'vitest';
import {
  CharacterDesc,
  ColliderDesc,
  RigidBodyDesc,
  type CharacterController,
  type RigidBody,
} from '../../../src/render-main/world/index.js';
import { keyCode } from '../../../src/shared/index.js';
import { loadRapier } from '../../../src/sim-worker/engines/rapier.js';
import { eventually } from '../../fixtures/eventually.js';
import { advance, createWorldForTest, type WorldForTest } from '../../fixtures/worlds.js';

const DT = 1 / 60;

interface Walker {
  readonly body: RigidBody;
  readonly character: CharacterController;
}

/** A capsule of 1 m of height, whose lowest point is at y. */
function addWalker(
  world: WorldForTest,
  [x, y, z]: readonly [number, number, number] = [0, 0.05, 0],
  desc = new CharacterDesc(),
): Walker {
  const body = world.createRigidBody(
    RigidBodyDesc.kinematicPositionBased().setTranslation(x, y + 0.5, z),
  );
  const collider = world.createCollider(ColliderDesc.capsule(0.3, 0.2), body);
  return { body, character: world.createCharacterController(collider, desc) };
}

const addFloor = (world: WorldForTest) =>
  world.createCollider(ColliderDesc.cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0));

type Triple = [number, number, number];

/** What is in the way, in a world and in one of Rapier with the same names. */
const OBSTACLES = [
  { half: [20, 0.5, 20], at: [0, -0.5, 0] },
  { half: [1, 0.1, 2], at: [3, 0.1, 0] },
  { half: [1, 0.2, 2], at: [4, 0.2, 0] },
  { half: [0.2, 2, 3], at: [8, 2, 0] },
] satisfies readonly { half: Triple; at: Triple }[];
/** What the player does, by ticks. */
const WALK = [
  { at: 1, move: { x: 3, y: 0, z: 0.2 } },
  { at: 100, jump: 5 },
  { at: 200, move: { x: -4, y: 0, z: 1 } },
  { at: 260, jump: 4 },
  { at: 330, move: { x: 5, y: 0, z: -1 } },
  { at: 450, jump: 6 },
  { at: 520, move: { x: 0, y: 0, z: 0 } },
] as const;

test('a character is the same as Rapier with the same calls, bit for bit', async () => {
  const rapier = await loadRapier();
  const engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = DT;
  for (const { half, at } of OBSTACLES) {
    engine.createCollider(rapier.ColliderDesc.cuboid(...half).setTranslation(...at));
  }
  const crate = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(1.2, 0.3, 0));
  engine.createCollider(rapier.ColliderDesc.cuboid(0.3, 0.3, 0.3), crate);
  const ownBody = engine.createRigidBody(
    rapier.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 1, 0),
  );
  const ownCollider = engine.createCollider(rapier.ColliderDesc.capsule(0.3, 0.2), ownBody);
  const controller = engine.createCharacterController(0.02);
  controller.enableAutostep(0.3, 0.1, false);
  controller.enableSnapToGround(0.3);
  controller.setMinSlopeSlideAngle(Math.PI / 2);
  controller.setApplyImpulsesToDynamicBodies(true);
  controller.setCharacterMass(20);

  const world = createWorldForTest();
  for (const { half, at } of OBSTACLES) {
    world.createCollider(ColliderDesc.cuboid(...half).setTranslation(...at));
  }
  const box = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(1.2, 0.3, 0));
  world.createCollider(ColliderDesc.cuboid(0.3, 0.3, 0.3), box);
  const desc = new CharacterDesc(0.02)
    .enableAutostep(0.3, 0.1, false)
    .enableSnapToGround(0.3)
    // No edge is steep.
    .setMinSlopeSlideAngle(Math.PI / 2)
    .setApplyImpulsesToDynamicBodies(true)
    .setCharacterMass(20);
  const { body, character } = addWalker(world, [0, 0.5, 0], desc);

  let [rise, isGrounded] = [0, false];
  let walk: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 };
  const steps = new Set<boolean>();
  const jumps: boolean[] = [];
  for (let tick = 1; tick <= 600; tick++) {
    const act = WALK.find(({ at }) => at === tick);
    if (act !== undefined && 'move' in act) {
      walk = { x: Math.fround(act.move.x), y: 0, z: Math.fround(act.move.z) };
      character.move(act.move);
    }
    if (isGrounded) rise = 0;
    const isJumping = act !== undefined && 'jump' in act;
    if (isJumping) {
      jumps.push(isGrounded);
      rise = act.jump;
      character.jump(act.jump);
    }
    if (!isGrounded || isJumping) rise -= Math.fround(9.81) * DT;
    const wanted = { x: walk.x * DT, y: rise * DT, z: walk.z * DT };
    controller.computeColliderMovement(
      ownCollider,
      wanted,
      rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      ownCollider.collisionGroups(),
    );
    isGrounded = controller.computedGrounded() && rise <= 0;
    const moved = controller.computedMovement();
    const { x, y, z } = ownBody.translation();
    ownBody.setNextKinematicTranslation({ x: x + moved.x, y: y + moved.y, z: z + moved.z });
    engine.step();
    await advance(world, 1);
    steps.add(isGrounded);
    const found = {
      tick,
      at: body.translation(),
      box: box.translation(),
      on: character.isGrounded,
    };
    const expected = {
      tick,
      at: ownBody.translation(),
      box: crate.translation(),
      on: isGrounded,
    };
    expect(found).toEqual(expected);
  }
  // It has been everywhere.
  expect(steps.size).toBe(2);
  expect(jumps).toEqual([true, true, true]);
  expect(crate.translation().x).not.toBeCloseTo(1.2, 1);
  engine.free();
}, 300_000);

describe('a character', () => {
  test('falls, lands, walks until the next command, and says so', async () => {
    const world = createWorldForTest();
    addFloor(world);
    const { body, character } = addWalker(world, [0, 1, 0]);
    expect([character.isGrounded, character.velocity]).toEqual([false, { x: 0, y: 0, z: 0 }]);
    await advance(world, 5);
    expect(character.isGrounded).toBe(false);
    expect(character.velocity.y).toBeLessThan(-0.5);
    await advance(world, 60);
    expect(character.isGrounded).toBe(true);
    expect(body.translation().y).toBeCloseTo(0.51, 2);
    character.move({ x: 2, y: 0, z: 0 });
    await advance(world, 60);
    expect(body.translation().x).toBeCloseTo(2, 1);
    expect(character.velocity.x).toBeCloseTo(2, 3);
    character.move({ x: 0, y: 0, z: 0 });
    await advance(world, 10);
    expect(character.velocity.x).toBe(0);
    // After a long rest, too.
    await advance(world, 300);
    character.move({ x: 2, y: 0, z: 0 });
    await advance(world, 30);
    expect(body.translation().x).toBeCloseTo(3, 1);
  });

  test('jumps from the ground, or when it lands soon, and not in the air', async () => {
    const world = createWorldForTest();
    addFloor(world);
    world.createCollider(ColliderDesc.cuboid(2, 0.1, 2).setTranslation(0, 2, 0));
    const { body, character } = addWalker(world);
    await advance(world, 20);
    character.jump(3);
    await advance(world, 10);
    const high = body.translation().y;
    expect(high).toBeGreaterThan(0.8);
    character.jump(30);
    await advance(world, 60);
    expect(body.translation().y).toBeCloseTo(0.51, 2);
    // A ceiling ends it.
    character.jump(9);
    await advance(world, 15);
    expect(body.translation().y).toBeLessThan(1.4);
    expect(character.velocity.y).toBeLessThan(0);
  });

  test('climbs slopes and steps as far as it can', async () => {
    const world = createWorldForTest();
    addFloor(world);
    const angle = Math.PI / 6;
    const slope = { x: 0, y: 0, z: Math.sin(angle / 2), w: Math.cos(angle / 2) };
    world.createCollider(ColliderDesc.cuboid(4, 0.1, 2).setTranslation(5, 1, 0).setRotation(slope));
    const able = addWalker(world);
    const unable = addWalker(
      world,
      [0, 0.05, 1],
      new CharacterDesc().setMaxSlopeClimbAngle(0.3).setMinSlopeSlideAngle(0.3),
    );
    for (const { character } of [able, unable]) character.move({ x: 3, y: 0, z: 0 });
    await advance(world, 90);
    expect(able.body.translation().y).toBeGreaterThan(1);
    expect(unable.body.translation().y).toBeLessThan(0.7);
    world.createCollider(ColliderDesc.cuboid(1, 0.1, 9).setTranslation(-3, 0.1, 0));
    const { body, character } = able;
    body.setTranslation({ x: -1, y: 0.52, z: 0 }, true);
    character.move({ x: -2, y: 0, z: 0 });
    await advance(world, 60);
    expect(body.translation().x).toBeGreaterThan(-2);
    character.enableAutostep(0.3, 0.1, false);
    await advance(world, 60);
    expect(body.translation().x).toBeLessThan(-2.4);
    expect(body.translation().y).toBeGreaterThan(0.65);
  });

  test('is carried along by ground that moves, and keeps its speed when it jumps off', async () => {
    const world = createWorldForTest();
    const desc = RigidBodyDesc.kinematicPositionBased().setTranslation(0, 0, 0);
    const lift = world.createRigidBody(desc);
    world.createCollider(ColliderDesc.cuboid(2, 0.1, 2), lift);
    const { body, character } = addWalker(world, [1, 0.15, 0]);
    await advance(world, 10);
    expect(character.ground).toBe(lift);
    const at = { x: 0, y: 0, z: 0 };
    const drive = async (ticks: number, [x, y, z]: Triple) => {
      for (let tick = 0; tick < ticks; tick++) {
        at.x += x * DT;
        at.y += y * DT;
        at.z += z * DT;
        lift.setNextKinematicTranslation(at);
        await advance(world, 1);
        expect(character.ground).toBe(lift);
      }
    };
    await drive(30, [2, 0, 1]);
    expect(body.translation().x).toBeCloseTo(2, 2);
    expect(body.translation().z).toBeCloseTo(0.5, 2);
    await drive(30, [0, 2, 0]);
    expect(body.translation().y - at.y).toBeCloseTo(0.61, 2);
    await drive(30, [0, -3, 0]);
    expect(body.translation().y - at.y).toBeCloseTo(0.61, 2);
    at.x += 1;
    lift.setNextKinematicRotation({ x: 0, y: 1, z: 0, w: 0 });
    await drive(1, [0, 0, 0]);
    expect(body.translation().x).toBeCloseTo(1, 2);
    await drive(2, [5, 0, 0]);
    at.x += 5 * DT;
    lift.setNextKinematicTranslation(at);
    await advance(world, 1);
    character.jump(3);
    at.x += 5 * DT;
    lift.setNextKinematicTranslation(at);
    await advance(world, 3);
    expect(character.velocity.x).toBeCloseTo(5, 3);
    expect(character.ground).toBeUndefined();
  });

  test('is carried along by ground with a velocity', async () => {
    const world = createWorldForTest();
    const belt = world.createRigidBody(
      RigidBodyDesc.kinematicVelocityBased().setAngvel({ x: 0, y: Math.PI, z: 0 }),
    );
    world.createCollider(ColliderDesc.cylinder(0.1, 3), belt);
    const { body } = addWalker(world, [1, 0.12, 0]);
    await advance(world, 10);
    const turnOf = () => Math.atan2(-body.translation().z, body.translation().x);
    const before = turnOf();
    await advance(world, 20);
    expect(turnOf() - before).toBeCloseTo(Math.PI / 3, 3);
    expect(Math.hypot(body.translation().x, body.translation().z)).toBeCloseTo(1, 3);
  });

  test('takes keys and gamepads of each tick, along where forward is', async () => {
    const world = createWorldForTest();
    addFloor(world);
    const { body, character } = addWalker(
      world,
      undefined,
      new CharacterDesc().setInputs({ speed: 3, jumpSpeed: 4 }),
    );
    const { inputs } = await world.ready;
    await advance(world, 20);
    const press = (kind: 'keydown' | 'keyup', name: string) =>
      inputs.push(
        { kind, code: keyCode(name), device: 0, x: 0, y: 0, z: 0, w: 0 },
        performance.now(),
      );
    press('keydown', 'KeyW');
    await advance(world, 20);
    expect(body.translation().z).toBeCloseTo(-1, 1);
    press('keydown', 'KeyD');
    character.setForward({ x: 1, y: 5, z: 0 });
    await advance(world, 2);
    const half = Math.fround(3 / Math.SQRT2);
    expect(character.velocity.x).toBeCloseTo(half, 3);
    expect(character.velocity.z).toBeCloseTo(half, 3);
    press('keyup', 'KeyW');
    press('keyup', 'KeyD');
    press('keydown', 'Space');
    const axis = { kind: 'gamepadaxis', code: 0, device: 0, x: 0.5, y: 0, z: 0, w: 0 } as const;
    inputs.push(axis, performance.now());
    await advance(world, 2);
    expect(character.velocity.y).toBeGreaterThan(3);
    expect(character.velocity.z).toBeCloseTo(1.5, 3);
    character.setInputs(null);
    await advance(world, 2);
    expect(character.velocity.z).toBe(0);
  });

  test('goes with its collider, and not with its controller', async () => {
    const world = createWorldForTest();
    addFloor(world);
    const { body, character } = addWalker(world);
    const other = addWalker(world, [3, 0.05, 0]);
    character.move({ x: 1, y: 0, z: 0 });
    await advance(world, 10);
    world.removeCharacterController(character);
    world.removeRigidBody(other.body);
    expect([character.isValid(), other.character.isValid()]).toEqual([false, false]);
    await advance(world, 1);
    const { x } = body.translation();
    await advance(world, 10);
    expect(body.translation().x).toBe(x);
  });
});

/** A walk with everything that a character keeps, from one tick to the next. */
async function walked(
  world: WorldForTest,
  onTick: (tick: number) => Promise<void> | void,
): Promise<readonly [RigidBody, CharacterController]> {
  addFloor(world);
  const lift = world.createRigidBody(
    RigidBodyDesc.kinematicVelocityBased().setTranslation(0, 0.1, 0).setLinvel(1, 0, 0.5),
  );
  world.createCollider(ColliderDesc.cuboid(2, 0.1, 2), lift);
  const desc = new CharacterDesc().setInputs({ speed: 2, jumpSpeed: 5 }).setGravity(12);
  const { body, character } = addWalker(world, [0, 0.25, 0], desc);
  const { inputs } = await world.ready;
  for (let tick = 1; tick <= 60; tick++) {
    if (tick === 20 || tick === 30) character.jump(tick / 5);
    if (tick === 10) character.move({ x: 0.5, y: 0, z: -0.5 });
    if (tick === 5) {
      const key = {
        kind: 'keydown',
        code: keyCode('KeyA'),
        device: 0,
        x: 0,
        y: 0,
        z: 0,
        w: 0,
      } as const;
      inputs.push(key, performance.now());
    }
    await advance(world, 1);
    await onTick(tick);
  }
  return [body, character];
}

describe('the run of a character', () => {
  test('continues in other workers as if nothing had happened, is replayed, and goes back', async () => {
    const options = { recording: { hashEveryTicks: 1, rewindSeconds: 10 }, seed: 3 };
    const plain: unknown[] = [];
    const world = createWorldForTest(options);
    const [body, character] = await walked(world, () => {
      plain.push([body0(world).translation(), world.sample(frameMs++).newestValues?.slice(0, 10)]);
    });
    expect(character.isValid()).toBe(true);
    const moved: unknown[] = [];
    const other = createWorldForTest(options);
    await walked(other, async (tick) => {
      moved.push([body0(other).translation(), other.sample(frameMs++).newestValues?.slice(0, 10)]);
      if (tick % 13 === 0) await (await other.ready).replaceWorker();
    });
    expect(moved).toEqual(plain);
    const sim = await world.ready;
    const replay = await sim.openReplay(sim.recording());
    await replay.seek(60);
    expect(replay.report.differsAt).toBeUndefined();
    expect(replay.report.hashes).toBe(60);
    await replay.close();
    await sim.seek(25);
    await eventually(() => {
      world.sample(frameMs++);
      expect([body.translation(), world.sample(frameMs++).newestValues?.slice(0, 10)]).toEqual(
        plain[24],
      );
    });
    await eventually(() => expect(character.isValid()).toBe(true));
    await advance(world, 1);
    expect(character.velocity.x).not.toBe(0);
  });
});
let frameMs = 1e7;

const body0 = (world: WorldForTest): RigidBody => world.bodies.getAll()[1] as RigidBody;

test('bad input is refused at the call', async () => {
  const world = createWorldForTest();
  const loose = world.createCollider(ColliderDesc.ball(1));
  const dynamic = world.createRigidBody(RigidBodyDesc.dynamic());
  const ball = world.createCollider(ColliderDesc.ball(1), dynamic);
  const desc = new CharacterDesc();
  expect(() => world.createCharacterController(loose, desc)).toThrow(/kinematicPositionBased/);
  expect(() => world.createCharacterController(ball, desc)).toThrow(/kinematicPositionBased/);
  expect(() => new CharacterDesc(0)).toThrow(/offset must be greater than 0/);
  expect(() => desc.setUp({ x: 0, y: 0, z: 0 })).toThrow(/up must be a direction/);
  expect(() => desc.setMaxSlopeClimbAngle(2)).toThrow(/angle must be a number from 0 to/);
  expect(() => desc.enableAutostep(0.1, -1, true)).toThrow(/minWidth/);
  expect(() => desc.setInputs({} as never)).toThrow(/inputs\.speed must be a number/);
  expect(() => desc.setInputs({ speed: 1, jump: 3 } as never)).toThrow(/unknown option "jump"/);
  expect(() => desc.setInputs({ speed: 1, keys: { left: ['A' as never] } })).toThrow(
    /inputs\.keys\.left must have names of keys such as "KeyW", and has "A"/,
  );
  expect(() => desc.setInputs({ speed: 1, gamepads: [-1] })).toThrow(/inputs\.gamepads/);
  const { character } = addWalker(world);
  expect(() => character.move({ x: Number.NaN, y: 0, z: 0 })).toThrow(/velocity\.x/);
  expect(() => character.jump(Infinity)).toThrow(/speed/);
});
