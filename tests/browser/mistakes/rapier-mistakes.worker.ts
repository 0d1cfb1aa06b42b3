/// <reference lib="webworker" />
/** A scene that does something to the engine's bodies behind the library's back, in its third tick. */
import { rapierSimulation } from '../../../src/rapier/rapier.js';
import { runSimulation } from '../../../src/sim-worker/index.js';

export const simulation = runSimulation(
  rapierSimulation(({ context, rapier, physics }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    const ball = physics.world.createRigidBody(RigidBodyDesc.dynamic());
    physics.world.createCollider(ColliderDesc.ball(0.5), ball);
    const id = physics.add(ball);
    return {
      step(dt, tick) {
        physics.step(dt);
        if (tick !== 3) return;
        if (context.setup === 'removed') physics.world.removeRigidBody(ball);
        if (context.setup === 'despawned') context.bodies.despawn(id);
      },
    };
  }),
);
