import { useBeforePhysicsStep, type RapierRigidBody } from 'betwixt/react';
import type { RefObject } from 'react';

/** On the page: an impulse for each tick that the page has learned of, applied one tick later. */
export function useWindOnPage(body: RefObject<RapierRigidBody | null>, force: number): void {
  useBeforePhysicsStep((world) => {
    body.current?.applyImpulse({ x: force * world.timestep, y: 0, z: 0 }, true);
  });
}
