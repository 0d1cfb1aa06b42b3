import { RigidBodyDesc, createWorld } from 'betwixt/world';

const world = createWorld({ transport: 'local' });
const lamp = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 3, 0));

/** Pulls the lamp up, like a spring with a damper. */
export const release = world.addStepHooks({
  beforeStep() {
    const [{ y }, speed] = [lamp.translation(), lamp.linvel()];
    lamp.applyImpulse({ x: 0, y: (200 * (2 - y) - 10 * speed.y) * world.timestep, z: 0 }, true);
  },
});
