import { expect, test } from 'vitest';
import { JointData, ColliderDesc } from '../../../../src/render-main/world/index.js';
import { fieldsOfCollider } from '../../../../src/render-main/world/collider-desc.js';
import { OpenBatch } from '../../../../src/render-main/world/open-batch.js';
import { fieldsOfJoint } from '../../../../src/render-main/world/joint-data.js';
import { decodeBatch, encodeBatch } from '../../../../src/shared/world/world-batch.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import {
  RapierWorld,
  loadRapier,
  type RapierTools,
} from '../../../../src/sim-worker/engines/rapier.js';
import { WorldContents } from '../../../../src/sim-worker/world/world-contents.js';

const NO_CHANGES = new OpenBatch().contents();

const handlesIn = (contents: WorldContents) => {
  const { body, collider, joint } = decodeBatch(contents.describe(new Set())).changed;
  return [body, collider, joint].map((list) => list.map(({ handle }) => handle));
};

test('colliders and joints of a body that is removed are forgotten', async () => {
  const rapier = await loadRapier();
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(4));
  const contents = new WorldContents({ rapier, physics, context: {} } as RapierTools, {});
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
  physics.freeEngine();
});
