/** A truck of joints with motors: four wheels on hinges, and a fork that slides. */
import {
  CuboidCollider,
  CylinderCollider,
  RigidBody,
  usePrismaticJoint,
  useRevoluteJoint,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';
import { axis } from '../common/held.js';
import { Box, Cylinder, Plate } from '../common/meshes.js';
import { WOOD, colorOf } from '../../../stage/stage.js';

const WHEELS = [-1, 1].flatMap((x) => [-0.8, 0.8].map((z) => [x, -0.35, z]));

function Wheel({ truck, position }) {
  const wheel = useRef();
  const joint = useRevoluteJoint(truck, wheel, [position, [0, 0, 0], [0, 0, 1]]);
  useFrame(() => joint.current?.configureMotorVelocity(axis('KeyA', 'KeyD') * 8, 40));
  return (
    <RigidBody ref={wheel} colliders={false} position={position} canSleep={false}>
      <CylinderCollider args={[0.15, 0.4]} rotation={[Math.PI / 2, 0, 0]} friction={2} />
      <Cylinder color="#22262d" args={[0.4, 0.4, 0.3, 24]} rotation-x={Math.PI / 2} />
    </RigidBody>
  );
}

function Fork({ truck }) {
  const fork = useRef();
  const joint = usePrismaticJoint(truck, fork, [
    [1.6, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
    [-0.4, 1.2],
  ]);
  useFrame(() => joint.current?.configureMotorVelocity(axis('KeyW', 'KeyS') * 0.8, 500));
  return (
    <RigidBody
      ref={fork}
      colliders={false}
      position={[1.6, 0, 0]}
      canSleep={false}
      userData={{ name: 'fork' }}
    >
      <CuboidCollider args={[0.7, 0.05, 0.5]} position={[0.7, 0, 0]} />
      <Box color="#cfd6df" args={[1.4, 0.1, 1]} position={[0.7, 0, 0]} />
    </RigidBody>
  );
}

function Truck() {
  const truck = useRef();
  return (
    <group position={[-3, 0.76, 0]}>
      <RigidBody ref={truck} density={2} userData={{ name: 'truck' }}>
        <Box color={colorOf(0)} args={[2.8, 0.5, 1.2]} />
        <Box color="#2a303a" args={[0.9, 0.6, 1.1]} position={[-0.6, 0.55, 0]} />
      </RigidBody>
      {WHEELS.map((position) => (
        <Wheel key={position.join(' ')} truck={truck} position={position} />
      ))}
      <Fork truck={truck} />
    </group>
  );
}

const Content = () => (
  <>
    <Truck />
    <RigidBody type="fixed" friction={1}>
      <Plate size={30} />
      <Box color={WOOD} args={[0.6, 0.7, 0.3]} position={[3, 0.35, 0.75]} />
      <Box color={WOOD} args={[0.6, 0.7, 0.3]} position={[3, 0.35, -0.75]} />
    </RigidBody>
    <RigidBody position={[3, 0.95, 0]} density={0.2} userData={{ name: 'crate' }}>
      <Box color={colorOf(3)} args={[0.8, 0.5, 1.6]} />
    </RigidBody>
  </>
);

export const scene = {
  camera: { position: [0, 5, 12], target: [0, 1, 0] },
  keys: 'WSAD',
  Content,
};
