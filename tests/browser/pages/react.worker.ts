/** A world whose engine panics in each step with a body that has {@link PANICS} as its gravity scale. */
import { defineSystem, runWorld } from '../../../src/sim-worker/world/index.js';
import { PANICS } from '../../fixtures/panics.js';

const panicking = defineSystem(({ physics }) => ({
  beforeStep() {
    for (const body of physics.world.bodies.getAll()) {
      if (body.gravityScale() === PANICS) throw new WebAssembly.RuntimeError('unreachable');
    }
  },
}));

export const simulation = runWorld({ panicking });
