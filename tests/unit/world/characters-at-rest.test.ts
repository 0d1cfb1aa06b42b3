/** Floors that move characters, and floors that do not: of each kind, with each shape, and at 30 and 60 Hz. */
import { expect, inject, test } from 'vitest';
import {
  CharacterDesc,
  ColliderDesc,
  RigidBodyDesc,
  type Character,
  type RigidBody,
} from '../../../src/world/page/index.js';
import { present } from '../../fixtures/present.js';
import {
  addBody,
  addBox,
  advance,
  createWorldForTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Triple = readonly [number, number, number];

/** In `npm run test:rest`, each case has a virtual minute, all shapes, and both rates. */
const isThorough = inject('isThorough') ?? false;
const SECONDS = isThorough ? 60 : 4;
/** The distance that characters keep. */
const OFFSET = 0.01;

const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const about = (axis: 'y' | 'z', angle: number) => ({
  ...at(0),
  [axis]: Math.sin(angle / 2),
  w: Math.cos(angle / 2),
});
const kinematic = () => RigidBodyDesc.kinematicPositionBased();
const going = (x: number, y: number, z = 0) =>
  RigidBodyDesc.kinematicVelocityBased().setLinvel(x, y, z);

/** All are 1 m high. */
const SHAPES = {
  capsule: () => ColliderDesc.capsule(0.3, 0.2),
  roundBox: () => ColliderDesc.roundCuboid(0.15, 0.45, 0.15, 0.05),
  box: () => ColliderDesc.cuboid(0.2, 0.5, 0.2),
  ball: () => ColliderDesc.ball(0.5),
  cylinder: () => ColliderDesc.cylinder(0.5, 0.2),
  cone: () => ColliderDesc.cone(0.5, 0.2),
  roundCylinder: () => ColliderDesc.roundCylinder(0.45, 0.15, 0.05),
};
const NAMES = Object.keys(SHAPES).slice(0, isThorough ? Infinity : 3) as ShapeName[];
type ShapeName = keyof typeof SHAPES;
const halfWidth = (name: string) => (name === 'ball' ? 0.5 : 0.2);

/** One that rests or walks. */
interface Resting {
  readonly what: string;
  readonly body: RigidBody;
  readonly character: Character;
  /** Height of its middle, where it rests. */
  readonly height: number;
}

const descOf = (snaps: boolean, desc = new CharacterDesc()) =>
  snaps ? desc : desc.disableSnapToGround();

function rest(
  world: WorldForTest,
  [x, y, z]: Triple,
  shape: ShapeName = 'capsule',
  snaps = true,
): Resting {
  const height = y + 0.5 + OFFSET;
  const body = addBody(world, [x, height, z], SHAPES[shape](), kinematic());
  const character = world.createCharacter(body.collider(0), descOf(snaps));
  return { what: `${shape}${snaps ? '' : ' that does not snap'}`, body, character, height };
}

/** A row of all shapes, which snap or not. @param place Of one, by its number in the row. */
const restAll = (world: WorldForTest, place: (x: number, shape: string) => Triple): Resting[] =>
  NAMES.flatMap((shape, index) =>
    [true, false].map((snaps, side) =>
      rest(world, place(index * 4 + side * 2 - 12, shape), shape, snaps),
    ),
  );

/** Makes a floor. */
type Floor = (world: WorldForTest) => {
  /** Where a shape is. Default: in a row along x, at the height 0. */
  readonly place?: (x: number, shape: string) => Triple;
  /** Called before each tick. */
  readonly drive?: (seconds: number) => void;
  /** The body that moves. Default: it rests. */
  readonly floor?: RigidBody;
};

const slab = (world: WorldForTest, half: number) => addBox(world, [half, 0.5, half], [0, -0.5, 0]);
const mesh = (half: number) =>
  ColliderDesc.trimesh(
    new Float32Array([-half, 0, -half, half, 0, -half, half, 0, half, -half, 0, half]),
    new Uint32Array([0, 2, 1, 0, 3, 2]),
  );
const far = (x: number): Triple => [310 + x, 0, 211 - 3 * x];

/** Goes up for two seconds and down for two, at 2 m/s. */
const upAndDown = (seconds: number) => (Math.floor(seconds / 2) % 2 === 0 ? 2 : -2);

const FLOORS: Readonly<Record<string, Floor>> = {
  'a fixed floor': (world) => (slab(world, 40), {}),
  'a floor of 1,000 m': (world) => (slab(world, 500), { place: far }),
  'a height field': (world) => (
    world.createCollider(
      ColliderDesc.heightfield(40, 40, new Float32Array(41 * 41), { x: 80, y: 1, z: 80 }),
    ),
    {}
  ),
  'a lift that is driven': (world) => {
    const half = ColliderDesc.cuboid(40, 0.5, 40);
    const floor = addBody(world, [0, -0.5, 0], half, kinematic().setRotation(about('y', 0.3)));
    let y = -0.5;
    let last = 0;
    const drive = (seconds: number) => {
      y += upAndDown(last) * (seconds - last);
      last = seconds;
      floor.setNextKinematicTranslation(at(0, y));
    };
    return { floor, drive };
  },
  'a lift with a velocity': (world) => {
    const floor = addBody(world, [0, -0.5, 0], ColliderDesc.cuboid(40, 0.5, 40), going(0, 2));
    return { floor, drive: (seconds) => floor.setLinvel(at(0, upAndDown(seconds)), true) };
  },
  'a platform that turns': (world) => {
    const turning = going(0, 0).setAngvel(at(0, 0.5));
    return { floor: addBody(world, [0, -0.5, 0], ColliderDesc.cuboid(40, 0.5, 40), turning) };
  },
  'a floor along which a wall passes': (world) => {
    slab(world, 40);
    addBody(world, [-60, 1, -0.5], ColliderDesc.cuboid(190, 1, 0.5), going(2, 0));
    return { place: (x, shape) => [x, 0, halfWidth(shape) + 0.02] };
  },
  'a floor onto which a ceiling comes down': (world) => {
    slab(world, 40);
    const ceiling = addBody(world, [0, 2.5, 0], ColliderDesc.cuboid(60, 0.5, 60), going(0, -1));
    return { drive: (seconds) => ceiling.setLinvel(at(0, -upAndDown(seconds) / 2), true) };
  },
  'a floor where something leans at it': (world) => {
    slab(world, 40);
    for (let x = -12; x < 20; x += 2) {
      const leaning = RigidBodyDesc.dynamic().setRotation(about('z', 0.4));
      addBody(world, [x + 0.8, 0.75, 0], ColliderDesc.cuboid(0.1, 0.7, 0.3), leaning);
    }
    return {};
  },
};

const OTHER_FLOORS: Readonly<Record<string, Floor>> = {
  'a mesh of 1,000 m': (world) => (world.createCollider(mesh(500)), { place: far }),
  'a turned mesh': (world) => (world.createCollider(mesh(40).setRotation(about('y', 0.7))), {}),
  'the edge of a step': (world) => {
    slab(world, 40);
    addBox(world, [20, 0.1, 40], [-19.98, 0.1, 0]);
    return { place: (x) => [0, 0.2, x] };
  },
  crates: (world) => {
    addBox(world, [40, 0.5, 40], [0, -1.5, 0]);
    for (let x = -12; x < 20; x += 2)
      addBody(world, [x, -0.5, 0], ColliderDesc.cuboid(0.5, 0.5, 0.5));
    return {};
  },
};

/** Where a body is on a floor. */
function placeOn(body: RigidBody, floor: RigidBody | undefined): Triple {
  const { x, y, z } = body.translation();
  if (floor === undefined) return [x, y, z];
  const { y: sin, w: cos } = floor.rotation();
  const turn = 2 * Math.atan2(sin, cos);
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  return [x * c - z * s, y - floor.translation().y - 0.5, x * s + z * c];
}

for (const rate of isThorough ? [60, 30] : [60]) {
  for (const [name, build] of Object.entries(
    isThorough ? { ...FLOORS, ...OTHER_FLOORS } : FLOORS,
  )) {
    test(`characters rest on ${name} at ${rate} Hz`, async () => {
      const world = createWorldForTest({ tickRateHz: rate });
      const { place = (x: number): Triple => [x, 0, 0], drive, floor } = build(world);
      const all = restAll(world, place);
      let starts: readonly Triple[] | undefined;
      const strayed: unknown[] = [];
      const stride = drive === undefined ? rate / 2 : 1;
      for (let tick = 0; tick < SECONDS * rate; tick += stride) {
        drive?.((tick + 1) / rate);
        await advance(world, stride);
        // Before the first tick, the engine finds nothing below them.
        if (tick < rate / 4 && drive !== undefined) continue;
        const places = all.map(({ body }) => placeOn(body, floor));
        starts ??= places;
        for (const [index, { what, character, height }] of all.entries()) {
          const [[x, y, z], [x0, , z0]] = [present(places[index]), present(starts[index])];
          const { isGrounded } = character;
          const [path, rise] = [Math.hypot(x - x0, z - z0), y - height];
          const isResting = isGrounded && path < 1e-3 && Math.abs(rise) < 1e-3;
          if (!isResting) strayed.push({ what, tick, isGrounded, path, rise });
        }
        expect(strayed).toEqual([]);
      }
    });
  }
}

/** Characters that walk along x at 1 m/s, for two seconds. */
test.each([true, false])('characters walk at their own speed, snapping: %s', async (snaps) => {
  const seen: Record<string, number> = {};
  for (const speed of [2, 0, -2]) {
    const world = createWorldForTest();
    slab(world, 20);
    addBody(world, [0, 1, -0.72], ColliderDesc.cuboid(30, 1, 0.5), going(speed, 0));
    const along = rest(world, [0, 0, 0], 'capsule', snaps);
    // A wall on a lift that goes sideways, too.
    const lift = addBody(world, [0, 20, 0], ColliderDesc.cuboid(20, 0.5, 20), going(1, speed));
    world.createCollider(ColliderDesc.cuboid(0.5, 2, 5).setTranslation(2, 2, 9), lift);
    const [free, stopped] = [0, 9].map((z) => rest(world, [0, 20.5, z], 'capsule', snaps));
    await advance(world, 40);
    const xOnLift = ({ body }: Resting) => body.translation().x - lift.translation().x;
    const start = xOnLift(present(free));
    for (const { character } of [along, present(free), present(stopped)]) character.move(at(1));
    await advance(world, 120);
    seen[`along a wall at ${speed}`] = along.body.translation().x;
    seen[`on a lift at ${speed}`] = xOnLift(present(free)) - start;
    seen[`to a wall on a lift at ${speed}`] = xOnLift(present(stopped));
    seen[`above a lift at ${speed}`] =
      present(free).body.translation().y - lift.translation().y - 1 - OFFSET + 2;
  }
  for (const [what, x] of Object.entries(seen)) {
    const expected = what.startsWith('to a wall') ? 2 - 0.5 - 0.2 - OFFSET : 2;
    expect([what, x]).toEqual([what, expect.closeTo(expected, 2)]);
  }
});

test.each([true, false])(
  'a wall pushes a character by what it moves, snapping: %s',
  async (snaps) => {
    for (const speed of [0.5, 5]) {
      const world = createWorldForTest();
      slab(world, 20);
      const wall = addBody(world, [-1, 1, 0], ColliderDesc.cuboid(0.5, 1, 2), going(speed, 0));
      addBox(world, [0.5, 2, 2], [4, 2, 0]);
      const { body } = rest(world, [0, 0, 0], 'capsule', snaps);
      let nearest = Infinity;
      const run = async (metres: number) => {
        for (let moved = 0; moved < metres; moved += speed / 60) {
          await advance(world, 1);
          const { x } = body.translation();
          nearest = Math.min(nearest, x - wall.translation().x - 0.7);
        }
      };
      await run(2);
      expect(nearest).toBeCloseTo(OFFSET, 3);
      expect(body.translation().x).toBeCloseTo(wall.translation().x + 0.7 + OFFSET, 2);
      // Against another one: it stays, or comes out, and never goes through the floor.
      await run(6);
      expect(body.translation().y).toBeCloseTo(0.5 + OFFSET, 2);
    }
  },
);

test('characters are stopped by each other, and do not push each other', async () => {
  const world = createWorldForTest();
  slab(world, 20);
  const walking = rest(world, [-1, 0, 0], 'box');
  const resting = rest(world, [0, 0, 0], 'box');
  walking.character.move(at(1));
  await advance(world, 300);
  expect(resting.body.translation().x).toBe(0);
  expect(walking.body.translation().x).toBeCloseTo(-0.4 - OFFSET, 3);
});

test('a wall next to it is no ground, however it leans', async () => {
  const world = createWorldForTest();
  slab(world, 20);
  const leaning = ColliderDesc.cuboid(0.5, 5, 5).setTranslation(1.2, 5, 0);
  world.createCollider(leaning.setRotation(about('z', -0.01)));
  const { body, character } = rest(world, [0, 5, 0], 'capsule', false);
  character.move(at(2));
  await advance(world, 40);
  expect([character.isGrounded, body.translation().y < 4]).toEqual([false, true]);
  await advance(world, 60);
  expect(character.isGrounded).toBe(true);
  expect(body.translation().y).toBeCloseTo(0.5 + OFFSET, 2);
});

test('characters rest on slopes that are not too steep, and slide down the others', async () => {
  const world = createWorldForTest();
  const [gentle, steep] = [0.77, 0.8].map((angle, index) => {
    const z = index * 20;
    const slope = ColliderDesc.cuboid(40, 0.5, 5).setTranslation(0, 0, z);
    world.createCollider(slope.setRotation(about('z', angle)));
    const y = (0.5 + 0.2 + OFFSET) / Math.cos(angle) - 0.2 - OFFSET;
    return [true, false].map((snaps) => rest(world, [0, y, z + Number(snaps)], 'capsule', snaps));
  }) as [Resting[], Resting[]];
  await advance(world, 30);
  const xOf = (all: Resting[]) => all.map(({ body }) => body.translation().x);
  const before = xOf(gentle);
  await advance(world, SECONDS * 60);
  expect(xOf(gentle)).toEqual(before);
  for (const x of xOf(steep)) expect(x).toBeLessThan(-0.3);
});
