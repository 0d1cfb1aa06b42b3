import { expect, test } from 'vitest';
import { JointData, ColliderDesc } from '../../../../src/render-main/world/index.js';
import { fieldsOfCollider } from '../../../../src/render-main/world/collider-desc.js';
import { fieldsOfJoint } from '../../../../src/render-main/world/joint-data.js';
import { encodeBatch, type WorldBatch } from '../../../../src/shared/world/world-batch.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { RapierWorld, loadRapier } from '../../../../src/sim-worker/engines/rapier.js';
import { WorldContents } from '../../../../src/sim-worker/world/world-contents.js';

const NOTHING: WorldBatch = {
  removedJoints: [],
  removedColliders: [],
  removedBodies: [],
  world: {},
  bodies: [],
  colliders: [],
  joints: [],
};

const handlesIn = (lists: ReturnType<WorldContents['save']>) =>
  Object.values(lists).map((list) => list.map(([handle]) => handle));

test('colliders and joints of a body that is removed are forgotten', async () => {
  const rapier = await loadRapier();
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(4));
  const contents = new WorldContents(rapier, physics);
  const middle = { x: 0, y: 0, z: 0 };
  contents.apply(
    encodeBatch({
      ...NOTHING,
      bodies: [1, 2].map((handle) => ({ handle, isNew: true, fields: {} })),
      colliders: [1, 2].map((parent) => ({
        handle: parent + 2,
        parent,
        fields: fieldsOfCollider(ColliderDesc.ball(1)),
      })),
      joints: [
        {
          handle: 5,
          body1: 1,
          body2: 2,
          fields: fieldsOfJoint(JointData.spherical(middle, middle)),
        },
      ],
    }),
  );
  expect(handlesIn(contents.save())).toEqual([[1, 2], [3, 4], [5]]);
  contents.apply(encodeBatch({ ...NOTHING, removedBodies: [1] }));
  expect(handlesIn(contents.save())).toEqual([[2], [4], []]);
  physics.freeEngine();
});
