/** A sensor that something passes which it never meets, by the types of their bodies, says so. */
import { expect, test } from 'vitest';
import {
  ActiveCollisionTypes,
  ActiveEvents,
  CharacterDesc,
  ColliderDesc,
  RigidBodyDesc,
} from '../../src/world/page/index.js';
import {
  NO_GRAVITY,
  addBody,
  addBox,
  advance,
  createWorldForTest,
  warningsOfTest,
} from '../fixtures/worlds.js';

const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const { DEFAULT, KINEMATIC_FIXED, KINEMATIC_KINEMATIC } = ActiveCollisionTypes;

/** Others, such as that the machine is busy, do not matter here. */
function unmetWarnings(): () => string[] {
  const warnings = warningsOfTest();
  return () => warnings().filter((text) => text.includes('pass through each other'));
}

/** A character walks through two sensors, and passes another collider. */
async function walkThrough({
  sensor = ColliderDesc.cuboid(0.5, 1, 1),
  body = RigidBodyDesc.fixed(),
  ticks = 150,
} = {}) {
  const warnings = unmetWarnings();
  const world = createWorldForTest({ transport: 'local' });
  addBox(world, [20, 0.5, 20], [0, -0.5, 0]);
  const asking = sensor.setSensor(true).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
  for (const x of [2, 3.5]) addBody(world, [x, 0.5, 0], asking, body);
  addBody(world, [2, 0.5, 1.5], ColliderDesc.cuboid(0.1, 1, 0.1), body);
  let events = 0;
  world.on('collision', () => (events += 1), { when: 'now' });
  const capsule = ColliderDesc.capsule(0.3, 0.2);
  const walking = addBody(world, [0, 0.51, 0], capsule, RigidBodyDesc.kinematicPositionBased());
  const character = world.createCharacter(walking.collider(0), new CharacterDesc());
  character.move(at(2));
  await advance(world, ticks);
  return { world, warnings, events: () => events, walking };
}

test.each([
  ['KINEMATIC_FIXED', RigidBodyDesc.fixed()],
  ['KINEMATIC_KINEMATIC', RigidBodyDesc.kinematicPositionBased()],
])(
  'a character that passes sensors without an event is warned of once: %s',
  async (types, body) => {
    const { warnings, events, world, walking } = await walkThrough({ body });
    expect(events()).toBe(0);
    const [warning = '', ...others] = warnings();
    expect(others).toEqual([]);
    expect(warning).toMatch(/the sensor \d+ of the \w+ body \d+/);
    expect(warning).toContain(`ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.${types}`);
    // Once, also after another worker continues.
    walking.setTranslation(at(0, 0.51), true);
    await (await world.ready).replaceWorker();
    await advance(world, 120);
    expect(warnings()).toHaveLength(1);
  },
);

test('a sensor with the types that it needs has its events, and no warning', async () => {
  const types = DEFAULT | KINEMATIC_FIXED | KINEMATIC_KINEMATIC;
  const sensor = ColliderDesc.cuboid(0.5, 1, 1).setActiveCollisionTypes(types);
  const { warnings, events } = await walkThrough({ sensor });
  expect([events(), warnings()]).toEqual([4, []]);
});

test.each([
  ['that asks for no events', ColliderDesc.cuboid(0.5, 1, 1), 0],
  ['in another group', ColliderDesc.cuboid(0.5, 1, 1).setCollisionGroups(0x0001_0002), 1],
])('a sensor %s is no reason for a warning', async (_, sensor, asks) => {
  const warnings = unmetWarnings();
  const world = createWorldForTest({ transport: 'local' });
  addBody(world, [2, 0, 0], sensor.setSensor(true).setActiveEvents(asks), RigidBodyDesc.fixed());
  const moving = RigidBodyDesc.kinematicVelocityBased().setLinvel(2, 0, 0);
  addBody(world, [0, 0, 0], ColliderDesc.ball(0.2).setCollisionGroups(0x0001_ffff), moving);
  await advance(world, 120);
  expect(warnings()).toEqual([]);
});

/** A sensor that moves along x, and colliders in its way. @returns How many events and warnings there are. */
async function sweep(moving: RigidBodyDesc, hasDynamic: boolean): Promise<readonly number[]> {
  const warnings = unmetWarnings();
  const before = warnings().length;
  const world = createWorldForTest({ ...NO_GRAVITY, transport: 'local' });
  const sensor = ColliderDesc.cuboid(0.1, 0.1, 0.1).setSensor(true);
  const asking = sensor.setActiveEvents(ActiveEvents.COLLISION_EVENTS);
  addBody(world, [0, 0, 0], asking, moving.setLinvel(2, 0, 0));
  addBox(world, [0.5, 1, 1], [2, 0, 0]);
  if (hasDynamic) addBody(world, [0, 5, 0], ColliderDesc.cuboid(0.1, 0.1, 0.1));
  let entered = 0;
  world.on('collision', ({ started }) => (entered += Number(started)), { when: 'now' });
  await advance(world, 120);
  return [entered, warnings().length - before];
}

test('a sensor that moves is warned of only where nothing else can be meant', async () => {
  expect(await sweep(RigidBodyDesc.kinematicVelocityBased(), false)).toEqual([0, 1]);
  expect(await sweep(RigidBodyDesc.kinematicVelocityBased(), true)).toEqual([0, 0]);
  expect(await sweep(RigidBodyDesc.dynamic(), true)).toEqual([1, 0]);
});
