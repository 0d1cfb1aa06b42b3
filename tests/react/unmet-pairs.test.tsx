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
  character.move({ x: 2, y: 0, z: 0 });
  await advance(world, 150);
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
    walking.setTranslation({ x: 0, y: 0.51, z: 0 }, true);
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

test.each([
  ['it meets fixed ones alone', RigidBodyDesc.kinematicVelocityBased(), false, [0, 1]],
  ['something dynamic is there', RigidBodyDesc.kinematicVelocityBased(), true, [0, 0]],
  ['it is dynamic', RigidBodyDesc.dynamic(), true, [1, 0]],
])(
  'a moving sensor is warned of where nothing else can be meant: %s',
  async (_, desc, hasDynamic, counts) => {
    const warnings = unmetWarnings();
    const world = createWorldForTest({ ...NO_GRAVITY, transport: 'local' });
    const sensor = ColliderDesc.cuboid(0.1, 0.1, 0.1).setSensor(true);
    const asking = sensor.setActiveEvents(ActiveEvents.COLLISION_EVENTS);
    addBody(world, [0, 0, 0], asking, desc.setLinvel(2, 0, 0));
    addBox(world, [0.5, 1, 1], [2, 0, 0]);
    if (hasDynamic) addBody(world, [0, 5, 0], ColliderDesc.cuboid(0.1, 0.1, 0.1));
    let entered = 0;
    world.on('collision', ({ started }) => (entered += Number(started)), { when: 'now' });
    await advance(world, 120);
    expect([entered, warnings().length]).toEqual(counts);
  },
);
