/** The worker of the one-way platforms. */
import { defineSystem, runWorld } from 'betwixt/world/worker';

/** What the page says of a platform. */
export interface OneWayProps {
  [name: string]: number;
  /** The handle of its collider. */
  platform: number;
  /** The height of its upper side, in m. */
  top: number;
  /** Of the balls, in m. */
  radius: number;
}

/** How far a ball may have sunk into a platform that holds it, in m. */
const MARGIN = 0.1;

/** A ball that is not above the platform passes through it. */
const oneWay = defineSystem(({ physics, handleOf }) => {
  // A filter runs inside the engine's step and may not ask it anything, so heights are stored before. What sleeps is not
  // listed any more: it lies where it was.
  const heights = new Map<number | undefined, number>();
  return {
    beforeStep() {
      physics.world.forEachActiveRigidBody((body) =>
        heights.set(handleOf(body), body.translation().y),
      );
    },
    filterContact({ collider1, collider2, body1, body2 }, { platform, top, radius }: OneWayProps) {
      if (collider1 !== platform && collider2 !== platform) return undefined;
      const height = heights.get(collider1 === platform ? body2 : body1) ?? Infinity;
      return height - radius < top - MARGIN ? null : undefined;
    },
  };
});

export const simulation = runWorld({ oneWay });
