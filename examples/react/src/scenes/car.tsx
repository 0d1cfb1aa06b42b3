/** A car: a chassis and four wheels on hinges with motors, which are set in every frame. */
import { RigidBody, useRevoluteJoint, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX, type RefObject } from 'react';
import { axis } from '../common/held.js';
import { Box, Cylinder, Plate, Solid } from '../common/meshes.js';
import { WOOD, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

type Triple = [x: number, y: number, z: number];
type BodyRef = RefObject<RapierRigidBody>;

const WHEELS: readonly Triple[] = [
  [-1.2, -0.4, 1],
  [1.2, -0.4, 1],
  [-1.2, -0.4, -1],
  [1.2, -0.4, -1],
];
/** In rad/s. */
const SPEED = 8;
/** What a motor gains on its speed; a stronger one would turn the car over. */
const STRENGTH = 4;

function Content(): JSX.Element {
  return (
    <>
      <RigidBody type="fixed" friction={1}>
        <Plate size={60} />
        <Box color={WOOD} args={[6, 0.4, 5]} position={[15, 0.55, 0]} rotation-z={0.25} />
        <Box color={WOOD} args={[6, 0.4, 5]} position={[-15, 0.55, 0]} rotation-z={-0.25} />
        <Box color={WOOD} args={[0.6, 3, 12]} position={[26, 1, 0]} />
        <Box color={WOOD} args={[0.6, 3, 12]} position={[-26, 1, 0]} />
      </RigidBody>
      {range(10).map((crate) => (
        <RigidBody
          key={crate}
          position={[22, 0.5 + Math.floor(crate / 4) * 1.01, ((crate % 4) - 1.5) * 1.1]}
          density={0.2}
        >
          <Box color={colorOf(crate)} />
        </RigidBody>
      ))}
      <Car />
    </>
  );
}

function Car(): JSX.Element {
  const chassis = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  return (
    <group position={[0, 1.2, 0]}>
      <RigidBody ref={chassis} name="car" colliders="cuboid">
        <Box color={colorOf(2)} args={[3.4, 0.5, 1.3]} />
        <Box color="#2a303a" args={[1.6, 0.5, 1.2]} position={[-0.3, 0.5, 0]} />
      </RigidBody>
      {WHEELS.map((position, index) => (
        <Wheel
          key={position.join(' ')}
          name={`wheel ${index}`}
          chassis={chassis}
          position={position}
        />
      ))}
    </group>
  );
}

interface WheelProps {
  readonly name: string;
  readonly chassis: BodyRef;
  readonly position: Triple;
}

function Wheel({ name, chassis, position }: WheelProps): JSX.Element {
  const wheel = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const joint = useRevoluteJoint(chassis, wheel, [position, [0, 0, 0], [0, 0, 1]]);
  const direction = useRef(1);
  useFrame(() => {
    const x = chassis.current?.translation().x ?? 0;
    // Without a driver it drives back and forth.
    if (Math.abs(x) > 5) direction.current = -Math.sign(x);
    const drive = axis('KeyD', 'KeyA') || axis('ArrowRight', 'ArrowLeft') || direction.current;
    joint.current?.configureMotorVelocity(-drive * SPEED, STRENGTH);
  });
  return (
    <RigidBody
      ref={wheel}
      name={name}
      colliders="hull"
      position={position}
      friction={2}
      density={2}
      canSleep={false}
    >
      <Cylinder color="#22262d" args={[0.5, 0.5, 0.35, 24]} rotation-x={Math.PI / 2} />
      <Solid color="#cfd6df">
        <boxGeometry args={[0.7, 0.12, 0.36]} />
      </Solid>
    </RigidBody>
  );
}

export const scene: Scene = {
  title: 'Car',
  about:
    'Four wheels on hinges, whose motors the page sets in every frame. It drives back and forth; the keys ← and →, or A and D, steer it.',
  camera: { position: [0, 9, 22], target: [0, 1, 0] },
  Content,
};
