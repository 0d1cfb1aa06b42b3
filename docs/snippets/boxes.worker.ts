import { rapierSimulation } from 'betwixt/rapier';
import { runSimulation } from 'betwixt/worker';

export const simulation = runSimulation(
  rapierSimulation(({ context, rapier, physics, events, input }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    physics.world.createCollider(ColliderDesc.cuboid(10, 0.1, 10));
    let dropped = 0;

    function drop(height: number) {
      const desc = RigidBodyDesc.dynamic().setTranslation(context.random.between(-3, 3), height, 0);
      const box = physics.world.createRigidBody(desc);
      physics.world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), box);
      events.watchContacts(box);
      dropped += 1;
      return physics.add(box);
    }
    drop(5);

    return {
      step(dt) {
        if (input.wasPressed('Space')) drop(8);
        physics.step(dt);
      },
      commands: { drop },
      queries: { dropped: () => dropped },
      // State that is neither in the world nor in the poses.
      save: () => dropped,
      restore: (saved: number) => {
        dropped = saved;
      },
    };
  }),
);
