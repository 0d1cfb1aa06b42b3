/** Changes for before or after the step of a tick, as callbacks of steps make them. */
import { expect, test } from 'vitest';
import { ColliderDesc, type RigidBody, type WorldOptions } from '../../../src/world/page/index.js';
import { driverOf } from '../../../src/world/page/page-world.js';
import {
  RECORDED,
  addBody,
  advance,
  createEngineForTest,
  createWorldForTest,
  expectReplay,
  reportsOfTest,
  shows,
  type WorldForTest,
} from '../../fixtures/worlds.js';

/** As often as ticks are to come, as a page does that shows as many in a frame. */
function write(world: WorldForTest, calls: number, before = () => {}, after = () => {}): void {
  const driver = driverOf(world);
  for (let call = 0; call < calls; call++) {
    driver.flush();
    before();
    driver.flush('before');
    after();
    driver.flush('after');
  }
}

/** A body that is pushed up as its weight pulls it down, and turned more and more. */
async function hovering(options: WorldOptions) {
  const { rapier, engine } = await createEngineForTest();
  const peer = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
  engine.createCollider(rapier.ColliderDesc.ball(0.5).setMass(2), peer);
  const world = createWorldForTest(options);
  const body = addBody(world, [0, 5, 0], ColliderDesc.ball(0.5).setMass(2));
  const calls = { world: 0, peer: 0 };
  const lift = (of: typeof body | typeof peer, call: number): void => {
    of.addForce({ x: call / 100, y: 2 * 9.81, z: 0 }, true);
    of.addTorque({ x: 0, y: 0, z: 1 }, true);
  };
  const drop = (of: typeof body | typeof peer): void => {
    of.resetForces(true);
    of.resetTorques(true);
  };
  return {
    world,
    body,
    /** In one frame. */
    write: (count: number) =>
      write(
        world,
        count,
        () => lift(body, calls.world++),
        () => drop(body),
      ),
    step(count: number): void {
      for (let tick = 0; tick < count; tick++) {
        lift(peer, calls.peer++);
        engine.step();
        drop(peer);
      }
    },
    engineStep: () => engine.step(),
    expectSame(): void {
      expect(body.translation()).toEqual(peer.translation());
      expect(body.linvel()).toEqual(peer.linvel());
      expect(body.angvel()).toEqual(peer.angvel());
    },
  };
}

test.each([1, 3, 30])(
  'with %i ticks in a frame, what is written before and after a step has the effect of the engine',
  async (ticks) => {
    const run = await hovering({ recording: { hashEveryTicks: 1 } });
    const { world, body } = run;
    await world.ready;
    for (let tick = 0; tick < 120; tick += ticks) {
      run.write(ticks);
      await advance(world, ticks);
      run.step(ticks);
      run.expectSame();
    }
    expect(body.translation().y).toBe(5);
    // A tick for which nothing is written.
    write(world, 1);
    await advance(world, 1);
    run.engineStep();
    run.expectSame();
    expect(body.translation().y).toBeLessThan(5);
    const late = body.translation();
    await expectReplay(world, 121);
    await shows(world, () => expect(body.translation()).toEqual(late));
  },
);

test.each(['sought', 'restored'])(
  'a state that is %s has what waited in it for later ticks',
  async (how) => {
    const { world, body, write: writeFor, step, expectSame } = await hovering(RECORDED);
    const handle = await world.ready;
    writeFor(20);
    // Nothing overtakes what waits: it is made after the forces of tick 20 are reset.
    const late = addBody(world, [9, 9, 9]);
    await advance(world, 8);
    const saved = await handle.save();
    await advance(world, 41);
    expect([body.translation().y, late.translation().y]).toEqual([5, 9]);
    // The page is stuck: what waits for its next call does not wait any longer.
    await advance(world, 5);
    expect([body.translation().y < 5, late.translation().y < 9]).toEqual([true, true]);
    world.removeRigidBody(late);
    await advance(world, 1);
    await (how === 'sought' ? handle.seek(8) : handle.restore(saved));
    step(8);
    await shows(world, () => expectSame());
    await shows(world, () => expect(late.isValid()).toBe(true));
    writeFor(1);
    await advance(world, 13);
    step(13);
    expectSame();
    await shows(world, () => expect(late.translation().y).toBeLessThan(9));
  },
);

test('what waits for a tick is what the page has, and is reported if the engine cannot make it', async () => {
  const reports = reportsOfTest();
  const world = createWorldForTest({ capacity: 2 });
  const body = addBody(world, [0, 5, 0]);
  await advance(world, 1);
  const made: RigidBody[] = [];
  const make = () => void made.push(addBody(world, [made.length + 1, 5, 0]));
  write(world, 3, undefined, make);
  body.setLinearDamping(0.5);
  const still = { x: 0, y: 0, z: 0 };
  write(world, 1, () => body.setLinvel(still, true));
  expect(body.linvel()).toEqual(still);
  const [first, second] = made as [RigidBody, RigidBody];
  await advance(world, 2);
  expect(first.id).toBeDefined();
  expect(body.linvel()).toEqual(still);
  await advance(world, 1);
  // The page asks what there is. The fourth batch still waits, and what the page has written in it stays.
  await shows(world, () => expect(second.isValid()).toBe(false));
  expect([first.isValid(), made[2]?.isValid(), body.linearDamping()]).toEqual([true, true, 0.5]);
  expect(reports()).toEqual([expect.stringContaining('all 2 bodies of the snapshot are in use')]);
  await advance(world, 3);
  await shows(world, () => expect(world.bodies.len()).toBe(2));
  expect(reports()).toHaveLength(2);
  expect(body.linvel().y).toBeCloseTo((-3 * 9.81) / 60, 1);
});
