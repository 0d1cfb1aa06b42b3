import { expect, onTestFinished, test, vi } from 'vitest';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { watchWorld } from '../../../src/rapier/worker-warnings.js';
import { RapierWorld, loadRapier, type RapierTools } from '../../../src/rapier/rapier.js';
import { OpenBatch } from '../../../src/world/page/open-batch.js';
import { bytesOfBatch } from '../../fixtures/recordings.js';
import type { SimulationContext } from '../../../src/sim-worker/index.js';
import { HeldAssets } from '../../../src/sim-worker/api/assets.js';
import { WorldContents } from '../../../src/world/worker/world-contents.js';

test('a watched world does what an unwatched one does', async () => {
  const rapier = await loadRapier();
  const worlds = [true, false].map((isWatched) => {
    const bodies = new BodyRegistry(4);
    const physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), bodies);
    if (isWatched) watchWorld(physics);
    return { bodies, physics };
  });
  const [watched, plain] = worlds.map(({ bodies, physics }) => {
    const create = (tag: string) =>
      physics.add(physics.world.createRigidBody(rapier.RigidBodyDesc.dynamic()), { tag });
    const [first, second] = [create('first'), create('second')];
    let corrections = 0;
    physics.step(1 / 60, () => void (corrections += 1));
    const saved = { world: physics.save(), bodies: bodies.save() };
    const pose = { x: 1, y: 2, z: 3, qx: 0, qy: 0, qz: 0, qw: 1 };
    const moved = physics.teleport(first, pose);
    const removed = physics.remove(second);
    bodies.restore(saved.bodies);
    physics.restore(saved.world);
    physics.step(1 / 60);
    const tags = [first, second].map((id) => bodies.tag(id));
    return { tags, corrections, moved, removed, after: [...physics.save()] };
  });
  expect(watched).toEqual(plain);
  expect(plain?.tags).toEqual(['first', 'second']);
  for (const { physics } of worlds) physics.free();
});

/** A watched world, and its warnings. */
async function watch() {
  const rapier = await loadRapier();
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(4));
  watchWorld(physics);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => physics.free());
  return { rapier, physics, warn };
}

test('a watched world warns of a fixed body that is moved and not published, and of no other', async () => {
  const { rapier, physics, warn } = await watch();
  const create = (desc: typeof rapier.RigidBodyDesc.prototype) => {
    const rigidBody = physics.world.createRigidBody(desc);
    return { rigidBody, id: physics.add(rigidBody) };
  };
  const fixed = create(rapier.RigidBodyDesc.fixed());
  const falling = create(rapier.RigidBodyDesc.dynamic());
  physics.step(1 / 60);
  falling.rigidBody.setTranslation({ x: 0.5, y: 0, z: 0 }, true);
  fixed.rigidBody.setTranslation({ x: 0.5, y: 0, z: 0 }, true);
  physics.publish(fixed.id);
  physics.step(1 / 60);
  expect(warn).not.toHaveBeenCalled();
  fixed.rigidBody.setRotation({ x: 0, y: 1, z: 0, w: 0 }, true);
  physics.step(1 / 60);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('physics.publish(id)'));
});

test('a watched world warns of a body that a simulation moves far at once, and of none that its page moves', async () => {
  const { rapier, physics, warn } = await watch();
  const context = {
    assets: new HeldAssets(),
    values: new Float32Array(),
  } as Partial<SimulationContext> as SimulationContext;
  const tools = { rapier, physics, context } as Partial<RapierTools> as RapierTools;
  const contents = new WorldContents(tools, {});
  const made = new OpenBatch();
  made.create('body', 1, [], {});
  contents.apply(bytesOfBatch(made.contents()));
  physics.step(1 / 60);
  const moved = new OpenBatch();
  Object.assign(moved.fieldsOf('body', 1), { translation: { x: 10, y: 0, z: 0 } });
  contents.apply(bytesOfBatch(moved.contents()));
  physics.step(1 / 60);
  const body = contents.bodies.get(1);
  expect(body?.translation().x).toBe(10);
  expect(warn).not.toHaveBeenCalled();
  body?.setTranslation({ x: 20, y: 0, z: 0 }, true);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(' by 10.0 at once'));
});
