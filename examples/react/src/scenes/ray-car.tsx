/** A car without wheels that touch: four rays, each with a spring that pushes the chassis. */
import { RigidBody, useBeforePhysicsStep, useRapier, type RapierRigidBody } from 'betwixt/react';
import { useRef, type JSX } from 'react';
import { Quaternion, Vector3 } from 'three';
import { axis } from '../common/held.js';
import { Box, Plate } from '../common/meshes.js';
import { WOOD, colorOf } from '../../../stage/stage.js';
import type { Scene } from '../scene.js';

const WHEELS = [-0.8, 0.8].flatMap((x) => [-1.3, 1.3].map((z) => new Vector3(x, -0.2, z)));
/** How long a spring is at rest, in m. */
const REST = 0.8;
/** In N/m and N·s/m, for each wheel. */
const [STIFFNESS, DAMPING] = [60, 8];
const [DRIVE, TURN] = [5, 12];

const turn = new Quaternion();
const [down, ahead, right] = [new Vector3(), new Vector3(), new Vector3()];
const [center, velocity, spin] = [new Vector3(), new Vector3(), new Vector3()];
const [wheel, speed, impulse] = [new Vector3(), new Vector3(), new Vector3()];

function Car(): JSX.Element {
  const { rapier, world } = useRapier();
  const chassis = useRef<RapierRigidBody>(null);
  useBeforePhysicsStep(() => {
    const body = chassis.current;
    if (body === null) return;
    const dt = world.timestep;
    turn.copy(body.rotation());
    center.copy(body.translation());
    // Before the first impulse: all wheels push from the same state.
    velocity.copy(body.linvel());
    spin.copy(body.angvel());
    down.set(0, -1, 0).applyQuaternion(turn);
    ahead.set(0, 0, -1).applyQuaternion(turn);
    right.set(1, 0, 0).applyQuaternion(turn);
    for (const place of WHEELS) {
      wheel.copy(place).applyQuaternion(turn).add(center);
      const ray = new rapier.Ray(wheel, down);
      const hit = world.castRay(ray, REST, true, undefined, undefined, undefined, body);
      if (hit === null) continue;
      speed.copy(wheel).sub(center).cross(spin).negate().add(velocity);
      const spring = STIFFNESS * (REST - hit.timeOfImpact) + DAMPING * speed.dot(down);
      impulse.copy(down).multiplyScalar(-Math.max(0, spring) * dt);
      impulse.addScaledVector(ahead, axis('KeyW', 'KeyS') * DRIVE * dt);
      // Tires hardly slide.
      impulse.addScaledVector(right, -speed.dot(right) * 6 * dt);
      body.applyImpulseAtPoint(impulse, wheel, true);
    }
    body.applyTorqueImpulse({ x: 0, y: axis('KeyA', 'KeyD') * TURN * dt, z: 0 }, true);
  });
  return (
    <RigidBody
      ref={chassis}
      position={[0, 1.2, 4]}
      linearDamping={0.2}
      angularDamping={1}
      canSleep={false}
      userData={{ name: 'car' }}
    >
      <Box color={colorOf(2)} args={[1.6, 0.4, 3]} />
      <Box color="#2a303a" args={[1.2, 0.4, 1.4]} position={[0, 0.4, 0.2]} />
    </RigidBody>
  );
}

const Content = (): JSX.Element => (
  <>
    <Car />
    <RigidBody type="fixed">
      <Plate size={60} />
      <Box color={WOOD} args={[6, 0.4, 4]} position={[0, 0.1, -10]} rotation-x={0.15} />
    </RigidBody>
  </>
);

export const scene: Scene = {
  camera: { position: [5, 4, 11], target: [0, 0.5, 1] },
  keys: 'WSAD',
  // Springs bounce when their pushes come a tick late: the callback runs within the tick.
  isLocal: true,
  Content,
};
