/** A drone that hovers: a force for each step, which is taken away after it. */
import { RigidBody, useAfterPhysicsStep, useBeforePhysicsStep } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';
import { axis } from '../common/held.js';
import { Box, Cylinder, Plate } from '../common/meshes.js';
import { colorOf } from '../../../stage/stage.js';

const PLACES = [-1, 1].flatMap((x) => [-1, 1].map((z) => [x * 0.7, 0.1, z * 0.7]));

function Drone() {
  const drone = useRef();
  const height = useRef(2);
  useFrame((_, delta) => {
    height.current += axis('KeyW', 'KeyS') * delta * 2;
  });
  useBeforePhysicsStep(() => {
    const body = drone.current;
    if (!body) return;
    const lift = 9.81 + 20 * (height.current - body.translation().y) - 6 * body.linvel().y;
    body.addForce({ x: axis('KeyD', 'KeyA') * body.mass(), y: lift * body.mass(), z: 0 });
  });
  useAfterPhysicsStep(() => drone.current?.resetForces());
  return (
    <RigidBody
      ref={drone}
      position={[0, 2, 0]}
      lockRotations
      canSleep={false}
      userData={{ name: 'drone' }}
    >
      <Box color={colorOf(1)} args={[0.8, 0.25, 0.8]} />
      {PLACES.map((place) => (
        <Cylinder
          key={place.join(' ')}
          color="#cfd6df"
          args={[0.3, 0.3, 0.05, 24]}
          position={place}
        />
      ))}
    </RigidBody>
  );
}

const Content = () => (
  <>
    <Drone />
    <RigidBody type="fixed">
      <Plate size={20} />
    </RigidBody>
  </>
);

export const scene = {
  camera: { position: [0, 4, 10], target: [0, 2, 0], aspect: 0.9 },
  keys: 'WSAD',
  Content,
};
