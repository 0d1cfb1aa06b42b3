/** Each scene makes its point. */
import { describe, expect, test } from 'vitest';
import { CONTINUITY_MASK, type BodyId } from '../../src/shared/memory/body-meta.js';
import { present } from '../fixtures/present.js';
import { SceneRun } from '../fixtures/scene-run.js';

type Position = ReturnType<SceneRun['position']>;

function distance(a: Position, b: Position): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The bodies of a scene whose first part has this shape and that have this many parts. */
function bodiesLike(run: SceneRun, kind: string, parts: number): BodyId[] {
  return run.description.bodies
    .filter((look) => look.parts.length === parts && look.parts[0]?.shape.kind === kind)
    .map(({ id }) => id);
}

test('tower: the wrecking ball topples bricks', () => {
  const run = new SceneRun('tower', { bodies: 120 });
  const ids = run.description.bodies.map(({ id }) => id);
  const before = ids.map((id) => run.position(id));
  const moved = (): number =>
    ids.filter((id, index) => distance(run.position(id), present(before[index])) > 1).length;
  // The ball and its chain.
  run.play(0.5);
  expect(moved()).toBeLessThan(12);
  run.play(4.5);
  expect(moved()).toBeGreaterThan(40);
  run.close();
});

test('tower: it stays up when nothing hits it', () => {
  const run = new SceneRun('tower', { bodies: 240 });
  const floors = bodiesLike(run, 'cylinder', 1);
  run.play(0.8);
  expect(floors.length).toBeGreaterThan(1);
  for (const floor of floors) expect(run.uprightness(floor)).toBeGreaterThan(0.999);
  run.close();
});

test('heap: everything ends up in the tray and sleeps', () => {
  const run = new SceneRun('heap', { bodies: 100 });
  run.play(20);
  let active = 0;
  run.stage.physics.world.forEachActiveRigidBody(() => (active += 1));
  expect(active).toBe(0);
  for (const { id } of run.description.bodies) expect(run.position(id)[1]).toBeLessThan(2.5);
  run.close();
});

test.each([20, 60])('dominoes: the row falls to its end at %i Hz', (hz) => {
  const run = new SceneRun('dominoes', { bodies: 60, hz });
  const fallen = (): number =>
    run.description.bodies.filter(({ id }) => run.uprightness(id) < 0.7).length;
  run.play(1);
  expect(fallen()).toBeLessThan(20);
  run.play(10);
  expect(fallen()).toBeGreaterThanOrEqual(58);
  run.close();
});

describe('tops', () => {
  test.each([10, 60, 144])('the cradle keeps swinging only at its ends, at %i Hz', (hz) => {
    const run = new SceneRun('tops', { bodies: 14, hz });
    const balls = bodiesLike(run, 'ball', 3);
    const x = (index: number): number => run.position(present(balls[index]))[0];
    run.play(3);
    let [left, middle, right] = [0, 0, 0];
    for (let tick = 0; tick < 3 * hz; tick++) {
      run.step();
      left = Math.min(left, x(0));
      middle = Math.max(middle, Math.abs(x(2)));
      right = Math.max(right, x(4));
    }
    // At rest the outermost are 1.68 m from the middle.
    expect(left).toBeLessThan(-3.4);
    expect(right).toBeGreaterThan(3.4);
    expect(middle).toBeLessThan(0.05);
    run.close();
  });

  test('a handle in the air turns over, again and again', () => {
    const run = new SceneRun('tops', { bodies: 6 });
    const handle = present(bodiesLike(run, 'capsule', 2)[0]);
    let turns = 0;
    let side = 1;
    for (let tick = 0; tick < 900; tick++) {
      run.step();
      const up = run.uprightness(handle);
      if (up * side < -0.8) {
        side = -side;
        turns += 1;
      }
    }
    expect(turns).toBeGreaterThan(2);
    run.close();
  });

  test('tops stay up', () => {
    const run = new SceneRun('tops');
    const tops = bodiesLike(run, 'cylinder', 6);
    run.play(8);
    const upright = tops.filter((id) => run.uprightness(id) > 0.5);
    expect(upright.length).toBeGreaterThan(0.8 * tops.length);
    run.close();
  });
});

test('bridge: it holds, and figures stay in one piece', () => {
  const run = new SceneRun('bridge');
  run.play(9);
  const planks = run.description.bodies.slice(0, 24).map(({ id }) => run.position(id));
  for (const [index, plank] of planks.entries()) {
    expect(plank[1]).toBeGreaterThan(0.5);
    expect(distance(plank, planks[index - 1] ?? plank)).toBeLessThan(0.8);
  }
  // A figure's pelvis is the first of eleven consecutive bodies; nothing is further from it than a
  // leg.
  const looks = run.description.bodies;
  const heads = looks.flatMap(({ parts }, index) =>
    parts[0]?.shape.kind === 'ball' ? [index] : [],
  );
  expect(heads.length).toBeGreaterThan(1);
  for (const head of heads) {
    const figure = looks.slice(head - 2, head + 9).map(({ id }) => run.position(id));
    const pelvis = present(figure[0]);
    for (const limb of figure) expect(distance(limb, pelvis)).toBeLessThan(1.3);
  }
  run.close();
});

/** Everything except the bridge itself: crates and limbs, by the shape's half height. */
function leapersOf(run: SceneRun): { id: BodyId; half: number | undefined }[] {
  return run.description.bodies
    .filter(({ parts }) => parts.length === 1)
    .map(({ id, parts: [part] }) => {
      const size = part?.shape.kind === 'box' ? part.shape.size : [0, 1, 2];
      const isCrate = size[0] === size[1] && size[1] === size[2];
      return { id, half: isCrate ? size[1] / 2 : undefined };
    });
}

/** Half the width of the gorge, and the height of the land. */
const GORGE = { half: 6.8, land: 5 };

test('bridge: all wait on the banks until their turns, and none in the air', () => {
  const run = new SceneRun('bridge');
  const leapers = leapersOf(run);
  expect(leapers.length).toBe(80 - 24);
  const before = leapers.map(({ id }) => run.position(id));
  for (const [index, { half = 0 }] of leapers.entries()) {
    const [x, y] = present(before[index]);
    expect(Math.abs(x)).toBeGreaterThan(GORGE.half);
    // The part of a crate above the land; a figure is less than two metres high.
    expect(y - half - GORGE.land).toBeLessThan(half > 0 ? 0.06 : 1.9);
    expect(y - half).toBeGreaterThan(GORGE.land);
  }
  run.play(0.35);
  expect(leapers.map(({ id }) => run.position(id))).toEqual(before);
  run.play(0.3);
  expect(leapers.map(({ id }) => run.position(id))).not.toEqual(before);
  run.close();
});

test.each([10, 60])(
  'bridge: a figure that has leapt is teleported back, waits there, and leaps again, at %i Hz',
  (hz) => {
    const run = new SceneRun('bridge', { hz });
    const ids = leapersOf(run).map(({ id }) => id);
    const teleports = new Map(ids.map((id) => [id, 0]));
    let fastest = 0;
    // A figure, by its head.
    const head = present(bodiesLike(run, 'ball', 1)[0]);
    const position = run.position(head);
    let looksAt = Number.NaN;
    const isBack: boolean[] = [];
    for (let tick = 0; tick < 42 * hz; tick++) {
      const before = ids.map((id) => ({ id, meta: run.meta(id), at: run.position(id) }));
      run.step();
      for (const { id, meta, at } of before) {
        const isTeleport = ((meta ^ run.meta(id)) & CONTINUITY_MASK) !== 0;
        if (isTeleport) teleports.set(id, (teleports.get(id) ?? 0) + 1);
        else fastest = Math.max(fastest, distance(run.position(id), at) * hz);
        if (isTeleport && id === head) looksAt = tick + 2.5 * hz;
      }
      if (tick === looksAt) isBack.push(distance(run.position(head), position) < 0.1);
    }
    // In m/s, of moves that are drawn as movements.
    expect(fastest).toBeLessThan(22);
    const often = [...teleports.values()].filter((count) => count > 1);
    expect(often.length).toBeGreaterThan(0.8 * ids.length);
    expect(isBack).toEqual([true, true, true]);
    run.close();
  },
);

test.each([10, 60])('bridge: the land is solid far from it too, at %i Hz', (hz) => {
  const run = new SceneRun('bridge', { hz });
  const crates = leapersOf(run).flatMap(({ id, half }) => (half === undefined ? [] : id));
  const last = crates.slice(-12);
  const pose = { y: 25, qx: 0, qy: 0, qz: 0, qw: 1 };
  for (const [index, id] of last.entries()) {
    const side = index % 2 === 0 ? -1 : 1;
    const x = side * (GORGE.half + 0.6 + 12 * Math.floor(index / 2));
    run.stage.physics.teleport(id, { ...pose, x, z: 9 * index - 50 });
  }
  run.play(5);
  for (const id of last) {
    const [, y] = run.position(id);
    expect(y).toBeGreaterThan(GORGE.land);
    expect(y).toBeLessThan(GORGE.land + 4);
  }
  run.close();
});

test.each([10, 60])(
  'marbles: they come down and are teleported up, without a streak, at %i Hz',
  (hz) => {
    const run = new SceneRun('marbles', { hz, bodies: 100 });
    const ids = run.description.bodies.map(({ id }) => id);
    let teleports = 0;
    let fastest = 0;
    for (let tick = 0; tick < 3 * hz; tick++) {
      const before = ids.map((id) => ({ id, meta: run.meta(id), at: run.position(id) }));
      run.step();
      for (const { id, meta, at } of before) {
        const isTeleport = ((meta ^ run.meta(id)) & CONTINUITY_MASK) !== 0;
        if (isTeleport) teleports += 1;
        else fastest = Math.max(fastest, distance(run.position(id), at) * hz);
      }
    }
    // In m/s, of moves that are drawn as movements.
    expect(fastest).toBeLessThan(20);
    expect(teleports).toBeGreaterThan(5);
    run.close();
  },
);

function startCar(hz = 60): { run: SceneRun; car: BodyId; wheels: BodyId[] } {
  const run = new SceneRun('vehicle', { bodies: 10, hz });
  const wheels = run.description.bodies.slice(-4).map(({ id }) => id);
  return { run, car: present(run.description.follow), wheels };
}

describe('vehicle', () => {
  test('rolls a little by itself, and stops', () => {
    const { run, car } = startCar();
    const [, , z] = run.position(car);
    run.play(8);
    const [, , rolled] = run.position(car);
    expect(z - rolled).toBeGreaterThan(2);
    run.play(1);
    expect(Math.abs(run.position(car)[2] - rolled)).toBeLessThan(0.3);
    run.close();
  });

  test.each([10, 60, 240])('is driven, with its wheels, at %i Hz', (hz) => {
    const { run, car, wheels } = startCar(hz);
    const before = run.position(car);
    run.stage.drive({ throttle: 1, steer: 1, brake: 0 });
    run.play(2);
    const after = run.position(car);
    expect(distance(after, before)).toBeGreaterThan(8);
    // It came along −z, and steer 1 is to the right.
    expect(after[0] - before[0]).toBeGreaterThan(1);
    for (const wheel of wheels) expect(distance(run.position(wheel), after)).toBeLessThan(2.2);
    run.close();
  });

  test('brakes', () => {
    const { run, car } = startCar();
    run.stage.drive({ throttle: 1, steer: 0, brake: 0 });
    run.play(1.5);
    run.stage.drive({ throttle: 0, steer: 0, brake: 1 });
    run.play(1.5);
    const [, , z] = run.position(car);
    run.play(1);
    expect(Math.abs(run.position(car)[2] - z)).toBeLessThan(0.2);
    run.close();
  });

  test('is put on its wheels when it lies on its roof, by a teleport', () => {
    const { run, car } = startCar();
    run.play(1);
    const [x, y, z] = run.position(car);
    const body = present(run.stage.physics.rigidBodyOf(car));
    body.setTranslation({ x, y: y + 1, z }, true);
    body.setRotation({ x: 0, y: 0, z: 1, w: 0 }, true);
    const before = run.meta(car) & CONTINUITY_MASK;
    run.play(1);
    expect(run.uprightness(car)).toBeLessThan(0);
    run.play(4);
    expect(run.uprightness(car)).toBeGreaterThan(0.9);
    expect(run.meta(car) & CONTINUITY_MASK).not.toBe(before);
    run.close();
  });
});
