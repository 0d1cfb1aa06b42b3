import { ProbeDesc, type RigidBody, type World } from 'betwixt/world';

/** How high a ship hovers: a ray down from its middle, which turns with it. */
export function altimeter(world: World, ship: RigidBody): () => string {
  const down = ProbeDesc.ray({ x: 0, y: 0, z: 0 }, { x: 0, y: -1, z: 0 }, 100);
  const probe = world.createProbe(down, ship);
  // In each frame.
  return () => (probe.hit ? `${probe.distance.toFixed(1)} m` : 'very high');
}
