/** A marble that rolls and jumps by keys. Written as tutorials do: JavaScript, without `wakeUp`, and with a ray for the ground. */
import { CuboidCollider, RigidBody, useRapier } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';
import { axis, held } from '../common/held.js';
import { Ball, Box } from '../common/meshes.js';
import { STONE, WOOD, colorOf } from '../../../stage/stage.js';

const LENGTH = 24;

function Marble() {
  const marble = useRef();
  const { rapier, world } = useRapier();

  useFrame((_, delta) => {
    const body = marble.current;
    if (!body) return;
    const [right, ahead] = [axis('KeyD', 'KeyA'), axis('KeyW', 'KeyS')];
    body.applyImpulse({ x: 0.6 * right * delta, y: 0, z: -0.6 * ahead * delta });
    body.applyTorqueImpulse({ x: -0.2 * ahead * delta, y: 0, z: -0.2 * right * delta });

    if (held.has('KeyE')) {
      const origin = body.translation();
      origin.y -= 0.31;
      const hit = world.castRay(new rapier.Ray(origin, { x: 0, y: -1, z: 0 }), 10, true);
      if (hit?.timeOfImpact < 0.15) body.applyImpulse({ x: 0, y: 0.5, z: 0 });
    }

    const { y, z } = body.translation();
    if (y < -4 || z < -LENGTH) {
      body.setTranslation({ x: 0, y: 1, z: 0 });
      body.setLinvel({ x: 0, y: 0, z: 0 });
      body.setAngvel({ x: 0, y: 0, z: 0 });
    }
  });

  return (
    <RigidBody
      ref={marble}
      colliders="ball"
      restitution={0.2}
      friction={1}
      linearDamping={0.5}
      angularDamping={0.5}
      position={[0, 1, 0]}
      canSleep={false}
      userData={{ name: 'marble' }}
    >
      <Ball color={colorOf(2)} args={[0.3, 32, 16]} />
    </RigidBody>
  );
}

const Content = () => (
  <>
    <Marble />
    <RigidBody type="fixed" restitution={0.2} friction={0}>
      {[-1, 1].map((side) => (
        <Box
          key={side}
          color={WOOD}
          args={[0.2, 1, LENGTH]}
          position={[side * 2.1, 0.5, 2 - LENGTH / 2]}
        />
      ))}
    </RigidBody>
    <RigidBody type="fixed" restitution={0.2} friction={1}>
      <Box color={WOOD} args={[4, 0.4, 0.4]} position={[0, 0.2, -6]} />
      <CuboidCollider args={[2, 0.1, LENGTH / 2]} position={[0, -0.1, 2 - LENGTH / 2]} />
      <Box color={STONE} args={[4, 0.2, LENGTH]} position={[0, -0.1, 2 - LENGTH / 2]} />
    </RigidBody>
  </>
);

export const scene = {
  camera: { position: [0, 6, 8], target: [0, 0, -6], aspect: 0.9 },
  keys: 'WSADE',
  Content,
};
