/** The prop `ignores` of `<RigidBody>`. */
import { IGNORED_PAIR, type IgnoredPairFields } from '../world/shared/built-in-systems.js';
import type { RigidBody, SystemHandle, World } from '../world/page/index.js';
import { builtInSystem } from './built-in-system.js';
import { useSlot } from './slot.js';
import type { BodyOwner } from './body-owner.js';
import type { BodyRef } from './types.js';

/** One body that another one does not touch. */
export function IgnoredBody({ owner, other }: { owner: BodyOwner; other: BodyRef }): null {
  useSlot<SystemHandle, null>('ignores of <RigidBody>', null, removePair, {
    parts: [owner, other],
    key: [],
    make: (world, parts) => {
      const [one, two] = parts as readonly [RigidBody, RigidBody];
      wake([one, two]);
      const fields = { body: one.handle, other: two.handle };
      return builtInSystem(world, IGNORED_PAIR, fields);
    },
  });
  return null;
}

function removePair(world: World, system: SystemHandle): void {
  const { body, other } = system.props() as IgnoredPairFields;
  world.removeSystem(system);
  wake([world.getRigidBody(body), world.getRigidBody(other)]);
}

/** One that sleeps on the other would stay where it is. */
function wake(bodies: readonly (RigidBody | undefined)[]): void {
  for (const body of bodies) body?.wakeUp();
}
