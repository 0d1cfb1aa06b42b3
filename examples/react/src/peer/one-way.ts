/** The system of `one-way.worker.ts`, by the hooks that `@react-three/rapier` has because its engine is on the page. */
import { useBeforePhysicsStep, useFilterContactPair, useRapier } from '@react-three/rapier';
import { useRef } from 'react';
import type { OneWayProps } from '../one-way.worker.js';

const MARGIN = 0.1;

export function useSystem(_name: 'oneWay', { platform, top, radius }: OneWayProps): void {
  const { rapier } = useRapier();
  // By the handles of bodies. A filter may not ask the engine for them.
  const heights = useRef(new Map<number, number>()).current;
  useBeforePhysicsStep((world) =>
    world.forEachActiveRigidBody((body) => {
      heights.set(body.handle, body.translation().y);
    }),
  );
  useFilterContactPair((collider1, collider2, body1, body2) => {
    if (collider1 !== platform && collider2 !== platform) return null;
    const height = heights.get(collider1 === platform ? body2 : body1) ?? Infinity;
    return height - radius < top - MARGIN ? rapier.SolverFlags.EMPTY : null;
  });
}
