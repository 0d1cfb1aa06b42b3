import { expect, onTestFinished, test, vi } from 'vitest';
import { ColliderDesc } from '../../../../src/world/page/index.js';
import { fieldsOfCollider } from '../../../../src/world/page/collider-desc.js';
import { OpenBatch } from '../../../../src/world/page/open-batch.js';
import type { ShapeData } from '../../../../src/world/shared/shape-data.js';
import { readBatch } from '../../../../src/world/shared/batch-codec.js';
import { assetName } from '../../../../src/shared/recording/asset.js';
import { bytesOfBatch } from '../../../fixtures/recordings.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import {
  RapierEvents,
  RapierWorld,
  loadRapier,
  type RapierTools,
} from '../../../../src/rapier/rapier.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import { HeldAssets } from '../../../../src/sim-worker/api/assets.js';
import { WorldContents } from '../../../../src/world/worker/world-contents.js';

const CONTEXT = {
  assets: new HeldAssets(),
  values: new Float32Array(),
} as Partial<SimulationContext> as SimulationContext;

const createBody = (batch: OpenBatch, handle: number) => batch.create('body', handle, [], {});
const ball = fieldsOfCollider(ColliderDesc.ball(1));

async function start(registry = new BodyRegistry(4)) {
  const rapier = await loadRapier();
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), registry);
  const events = new RapierEvents(rapier, physics, new EventReporter(undefined));
  onTestFinished(() => {
    events.free();
    physics.freeEngine();
  });
  const given: Partial<RapierTools> = { rapier, physics, events, context: CONTEXT };
  const tools = given as RapierTools;
  return { tools, contents: new WorldContents(tools, {}) };
}

/** @param change What a page does in a turn. */
function apply(contents: WorldContents, change: (batch: OpenBatch) => void) {
  const batch = new OpenBatch();
  change(batch);
  return contents.apply(bytesOfBatch(batch.contents()));
}

test('what the engine cannot make is left out and named, and the rest is applied', async () => {
  const { contents } = await start();
  const { ids, problems } = apply(contents, (batch) => {
    createBody(batch, 1);
    batch.create('collider', 2, [1], { shape: { ...(ball.shape as ShapeData), type: 99 } });
    batch.create('collider', 3, [1], ball);
  });
  expect(ids).toEqual([1, expect.any(Number)]);
  expect(problems).toEqual([
    { item: ['collider', 2], text: expect.stringMatching(/unknown type 99/) },
  ]);
  expect(contents.colliders.get(2)).toBeUndefined();
  expect(contents.colliders.get(3)?.parent()?.handle).toBe(contents.bodies.get(1)?.handle);
});

test('poses that are set farther away than snapOver are jumps, also after a restore', async () => {
  const registry = new BodyRegistry(4);
  const { tools, contents } = await start(registry);
  const jumps = vi.spyOn(registry, 'teleport');
  const moveBy = (distance: number, to: WorldContents): number => {
    jumps.mockClear();
    const x = (to.bodies.get(1)?.translation().x ?? Number.NaN) + distance;
    apply(to, (batch) => {
      batch.fieldsOf('body', 1).translation = { x, y: 0, z: 0 };
    });
    return jumps.mock.calls.length;
  };
  apply(contents, (batch) => createBody(batch, 1));
  expect([moveBy(0.4, contents), moveBy(0.6, contents)]).toEqual([0, 1]);
  apply(contents, (batch) => {
    batch.world.snapOver = 2;
  });
  expect([moveBy(1.9, contents), moveBy(2.1, contents)]).toEqual([0, 1]);
  const restored = new WorldContents(tools, {});
  restored.restore(contents.save());
  expect([moveBy(1.9, restored), moveBy(2.1, restored)]).toEqual([0, 1]);
});

test('a restored world publishes nothing of the values that its state has', async () => {
  const { tools } = await start();
  const context = { ...CONTEXT, values: new Float32Array(20) };
  const contents = new WorldContents({ ...tools, context }, {});
  const empty = contents.save();
  const before = [...context.values];
  // Values of a page that had sent more batches, and had a character.
  context.values.fill(7);
  contents.restore(empty);
  expect([...context.values]).toEqual(before);
});

test('a state is restored without the assets of its shapes, which the engine has', async () => {
  const { tools, contents } = await start();
  const corners = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const asset = { name: assetName(corners), bytes: new Uint8Array(corners.buffer) };
  const assets = new HeldAssets([asset]);
  const context = { ...CONTEXT, assets };
  const before = new WorldContents({ ...tools, context }, {});
  const hull = fieldsOfCollider(ColliderDesc.convexHull(corners));
  const batch = new OpenBatch();
  batch.create('collider', 1, [], { ...hull, friction: 0.25 });
  before.apply(
    bytesOfBatch(batch.contents(), (numbers) => (numbers.length > 0 ? asset.name : undefined)),
  );
  contents.restore(before.save());
  const [collider] = readBatch(contents.describe(new Set())).changed.collider;
  expect(collider?.fields).toMatchObject({ friction: 0.25 });
  expect(collider?.fields.shape).toBeUndefined();
});
