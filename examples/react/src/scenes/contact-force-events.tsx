/** Balls that get an impulse whenever they press on something: they bounce forever, and bars show the forces. */
import { RigidBody, type ContactForcePayload, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import type { Group } from 'three';
import { Ball, Box } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import type { Scene } from '../scene.js';

const BALLS = [
  { mass: 0.5, speed: 5 },
  { mass: 1, speed: 6 },
  { mass: 2, speed: 7 },
] as const;
/** What a bar of 1 m shows, in N. */
const FORCE_OF_BAR = 200;
const LONGEST_BAR = 4;

interface BouncerProps {
  readonly x: number;
  readonly mass: number;
  readonly speed: number;
  readonly color: string;
}

function Bouncer({ x, mass, speed, color }: BouncerProps): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const bar = useRef<Group>(null);
  // Forces are reported for each tick of a contact, but each contact gets one impulse.
  const isPushed = useRef(false);
  const press = ({ totalForceMagnitude }: ContactForcePayload): void => {
    if (bar.current !== null) {
      const length = Math.max(bar.current.scale.y, totalForceMagnitude / FORCE_OF_BAR);
      bar.current.scale.y = Math.min(LONGEST_BAR, length);
    }
    if (isPushed.current) return;
    isPushed.current = true;
    body.current?.applyImpulse({ x: 0, y: mass * speed, z: 0 }, true);
  };
  useFrame((_, delta) => {
    if (bar.current !== null) bar.current.scale.y *= Math.exp(-delta);
  });
  return (
    <>
      <RigidBody
        ref={body}
        name={`ball of ${mass} kg`}
        colliders="ball"
        mass={mass}
        position={[x, 2.5, 0]}
        enabledTranslations={[false, true, false]}
        onContactForce={press}
        onCollisionExit={() => {
          isPushed.current = false;
        }}
      >
        <Ball color={color} args={[0.3 + mass * 0.15, 32, 16]} />
      </RigidBody>
      <group ref={bar} name={`force on ${mass} kg`} position={[x + 1.1, 0, 0]} scale-y={0.01}>
        <Box color={color} args={[0.25, 1, 0.25]} position={[0, 0.5, 0]} />
      </group>
    </>
  );
}

function Content(): JSX.Element {
  return (
    <>
      {BALLS.map((ball, index) => (
        <Bouncer key={ball.mass} {...ball} x={index * 3 - 3} color={colorOf(index)} />
      ))}
      <RigidBody type="fixed" name="floor">
        <Box color={GROUND} args={[12, 0.5, 5]} position={[0, -0.25, 0]} />
      </RigidBody>
    </>
  );
}

export const scene: Scene = {
  title: 'Contact force events',
  about: 'A ball that presses on the floor gets an impulse; the bars show the forces.',
  camera: { position: [0, 2.5, 9.5], target: [0, 1.4, 0] },
  Content,
};
