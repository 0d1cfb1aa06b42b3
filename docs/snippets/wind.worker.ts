import { defineSystem, runWorld } from 'betwixt/world/worker';

/** Blows on bodies that are high enough. */
const wind = defineSystem(({ bodyOf, random }) => ({
  beforeStep({ bodies, force }: { bodies: number[]; force: number }, { dt }) {
    for (const handle of bodies) {
      const body = bodyOf(handle); // Rapier's own
      if (body === undefined || body.translation().y < 2) continue;
      body.applyImpulse({ x: force * dt * random.between(0.5, 1.5), y: 0, z: 0 }, true);
    }
  },
}));

/** Bodies that fall on a platform stay there, and bodies that rise pass through. */
const oneWay = defineSystem(({ rapier, physics, handleOf }) => {
  const rising = new Set<number | undefined>();
  return {
    beforeStep() {
      rising.clear();
      physics.world.forEachActiveRigidBody((body) => {
        if (body.linvel().y > 0) rising.add(handleOf(body));
      });
    },
    filterContact({ collider1, collider2, body1, body2 }, { platform }: { platform: number }) {
      if (collider1 !== platform && collider2 !== platform) return undefined;
      const other = collider1 === platform ? body2 : body1;
      return rising.has(other) ? null : rapier.SolverFlags.COMPUTE_IMPULSE;
    },
  };
});

export const simulation = runWorld({ wind, oneWay });
