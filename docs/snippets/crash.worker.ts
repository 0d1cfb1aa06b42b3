import { rapierSimulation } from 'betwixt/rapier';
import { runSimulation } from 'betwixt/worker';

export const simulation = runSimulation(
  rapierSimulation(({ context, rapier, physics, events }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    physics.world.createCollider(ColliderDesc.cuboid(10, 0.1, 10));
    const car = physics.world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 8, 0));
    const hull = physics.world.createCollider(ColliderDesc.cuboid(1, 0.5, 2), car);
    physics.add(car);
    events.watchCollisions(hull);
    let damage = 0;
    events.onCollision(({ phase, isSensor, impactSpeed }) => {
      if (phase === 'end' || isSensor || impactSpeed < 5) return;
      damage += impactSpeed - 5;
      context.events.emit('damage', damage);
    });
    return {
      events: {} as { damage: number },
      save: () => damage,
      restore: (saved: number) => {
        damage = saved;
      },
    };
  }),
);
