import { expect, test, vi } from 'vitest';
import { JointData, ColliderDesc } from '../../../../src/render-main/world/index.js';
import { fieldsOfCollider } from '../../../../src/render-main/world/bodies/collider-desc.js';
import { OpenBatch } from '../../../../src/render-main/world/sending/open-batch.js';
import type { ShapeData } from '../../../../src/shared/world/fields.js';
import { fieldsOfJoint } from '../../../../src/render-main/world/joints/joint-data.js';
import { decodeBatch } from '../../../../src/shared/world/decode-batch.js';
import { encodeBatch } from '../../../../src/shared/world/encode-batch.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import {
  RapierEvents,
  RapierWorld,
  loadRapier,
  type RapierTools,
} from '../../../../src/sim-worker/engines/rapier.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import { HeldAssets } from '../../../../src/sim-worker/run/held-assets.js';
import { WorldContents } from '../../../../src/sim-worker/world/world-contents.js';

const CONTEXT = {
  assets: new HeldAssets(),
  values: new Float32Array(),
} as Partial<SimulationContext> as SimulationContext;
const NO_CHANGES = new OpenBatch().contents();

const handlesIn = (contents: WorldContents) => {
  const { body, collider, joint } = decodeBatch(contents.describe(new Set())).changed;
  return [body, collider, joint].map((list) => list.map(({ handle }) => handle));
};

test('colliders and joints of a body that is removed are forgotten', async () => {
  const rapier = await loadRapier();
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(4));
  const events = new RapierEvents(rapier, physics, new EventReporter(undefined));
  const tools = {
    rapier,
    physics,
    events,
    context: CONTEXT,
  } as Partial<RapierTools> as RapierTools;
  const contents = new WorldContents(tools, {});
  const middle = { x: 0, y: 0, z: 0 };
  const batch = new OpenBatch();
  for (const handle of [1, 2]) {
    batch.create('body', handle, [], {});
    batch.create('collider', handle + 2, [handle], fieldsOfCollider(ColliderDesc.ball(1)));
  }
  batch.create('joint', 5, [1, 2], fieldsOfJoint(JointData.spherical(middle, middle)));
  contents.apply(encodeBatch(batch.contents()));
  expect(handlesIn(contents)).toEqual([[1, 2], [3, 4], [5]]);
  contents.apply(encodeBatch({ ...NO_CHANGES, removed: { ...NO_CHANGES.removed, body: [1] } }));
  expect(handlesIn(contents)).toEqual([[2], [4], []]);
  events.free();
  physics.freeEngine();
});

test('what the engine cannot make is left out and named, and the rest is applied', async () => {
  const rapier = await loadRapier();
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(4));
  const contents = new WorldContents(
    { rapier, physics, context: CONTEXT } as Partial<RapierTools> as RapierTools,
    {},
  );
  const batch = new OpenBatch();
  const ball = fieldsOfCollider(ColliderDesc.ball(1));
  batch.create('body', 1, [], {});
  batch.create('collider', 2, [1], { shape: { ...(ball.shape as ShapeData), type: 99 } });
  batch.create('collider', 3, [1], ball);
  const { ids, problems } = contents.apply(encodeBatch(batch.contents()));
  expect(ids).toEqual([1, expect.any(Number)]);
  expect(problems).toEqual([expect.stringMatching(/^the collider 2: .* unknown type 99/)]);
  expect(contents.colliders.get(2)).toBeUndefined();
  expect(contents.colliders.get(3)?.parent()?.handle).toBe(contents.bodies.get(1)?.handle);
  physics.freeEngine();
});

test('poses that are set farther away than snapOver are jumps, also after a restore', async () => {
  const rapier = await loadRapier();
  const registry = new BodyRegistry(4);
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), registry);
  const tools = { rapier, physics, context: CONTEXT } as Partial<RapierTools> as RapierTools;
  const jumps = vi.spyOn(registry, 'teleport');
  const contents = new WorldContents(tools, {});
  const moveBy = (distance: number, to: WorldContents): number => {
    jumps.mockClear();
    const x = (to.bodies.get(1)?.translation().x ?? Number.NaN) + distance;
    const batch = new OpenBatch();
    batch.fieldsOf('body', 1).translation = { x, y: 0, z: 0 };
    to.apply(encodeBatch(batch.contents()));
    return jumps.mock.calls.length;
  };
  const first = new OpenBatch();
  first.create('body', 1, [], {});
  contents.apply(encodeBatch(first.contents()));
  expect([moveBy(0.4, contents), moveBy(0.6, contents)]).toEqual([0, 1]);
  const changed = new OpenBatch();
  changed.world.snapOver = 2;
  contents.apply(encodeBatch(changed.contents()));
  expect([moveBy(1.9, contents), moveBy(2.1, contents)]).toEqual([0, 1]);
  const restored = new WorldContents(tools, {});
  restored.restore(contents.save());
  expect([moveBy(1.9, restored), moveBy(2.1, restored)]).toEqual([0, 1]);
  physics.freeEngine();
});
