/** Functions of the page that run within the ticks of a world in its own thread. */
import { expect, test } from 'vitest';
import type { RigidBody, WorldOptions } from '../../../src/world/page/index.js';
import {
  addBody,
  advance,
  createEngineForTest,
  createWorldForTest,
} from '../../fixtures/worlds.js';

const local = (options: WorldOptions = {}) =>
  createWorldForTest({ transport: 'local', ...options });

/** A body of a world or of the engine: its methods that a hook calls. */
type Pushed = Pick<
  RigidBody,
  | 'translation'
  | 'rotation'
  | 'linvel'
  | 'angvel'
  | 'mass'
  | 'applyImpulse'
  | 'addForce'
  | 'resetForces'
  | 'setLinvel'
  | 'isSleeping'
  | 'userForce'
>;

const stateOf = (body: Pushed) =>
  [body.translation(), body.rotation(), body.linvel(), body.angvel()].flatMap((v) =>
    Object.values(v).map((n: number) => Math.fround(n)),
  );

test('hooks run around each step, read its state and write into it, as in a loop around the engine', async () => {
  const before = (body: Pushed, log: unknown[]): void => {
    const { y } = body.translation();
    body.applyImpulse({ x: 0.1, y: 2 * (1 - y), z: 0 }, true);
    body.addForce({ x: 0, y: 3, z: body.linvel().x }, true);
    // An order that counts.
    body.applyImpulse({ x: 0, y: 0, z: 0.3 }, true);
    body.setLinvel({ ...body.linvel(), z: 0.5 * body.linvel().z }, true);
    log.push(stateOf(body), body.userForce(), body.mass());
  };
  const after = (body: Pushed, log: unknown[]): void => {
    body.resetForces(true);
    log.push(stateOf(body), body.isSleeping());
    if (body.translation().x > 0.2) body.setLinvel({ x: -1, y: body.linvel().y, z: 0 }, true);
  };
  const { rapier, engine } = await createEngineForTest();
  const theirs = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 2, 0));
  engine.createCollider(rapier.ColliderDesc.ball(0.5), theirs);
  const expected: unknown[] = [];
  for (let tick = 0; tick < 60; tick++) {
    before(theirs as unknown as Pushed, expected);
    engine.step();
    after(theirs as unknown as Pushed, expected);
  }
  const world = local();
  const ours = addBody(world, [0, 2, 0]);
  const found: unknown[] = [];
  world.addStepHooks({
    beforeStep: () => before(ours, found),
    afterStep: () => after(ours, found),
  });
  await advance(world, 60);
  expect(found).toEqual(expected);
  // Outside of hooks, too.
  expect(stateOf(ours)).toEqual(stateOf(theirs as unknown as Pushed));
});
