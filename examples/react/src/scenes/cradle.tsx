/** Newton's cradle, turned and scaled. */
import { BallCollider, RigidBody, useRevoluteJoint, type RapierRigidBody } from 'betwixt/react';
import { useRef, type JSX } from 'react';
import { Ball, Box, Cylinder } from '../common/meshes.js';
import { WOOD } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const BALLS = 5;
const LENGTH_M = 3;
const RADIUS_M = 0.5;
/** A little apart: what touches would be hit as one. */
const APART_M = 2 * RADIUS_M + 0.02;
const RAISED = 0.9;

function Content(): JSX.Element {
  return (
    <group rotation={[0, -0.4, 0]} scale={1.2}>
      <Frame />
      {range(BALLS).map((index) => (
        <Pendulum
          key={index}
          name={`ball ${index}`}
          x={(index - (BALLS - 1) / 2) * APART_M}
          angle={index === 0 ? -RAISED : 0}
        />
      ))}
    </group>
  );
}

interface PendulumProps {
  readonly name: string;
  readonly x: number;
  /** Radians from the vertical. */
  readonly angle: number;
}

function Pendulum({ name, x, angle }: PendulumProps): JSX.Element {
  const hook = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const body = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  // The anchors are in the units of the world: the scale of the group is no concern of a joint.
  useRevoluteJoint(hook, body, [
    [0, 0, 0],
    [0, LENGTH_M * 1.2, 0],
    [0, 0, 1],
  ]);
  return (
    <>
      <RigidBody ref={hook} type="fixed" position={[x, LENGTH_M, 0]} />
      <RigidBody
        ref={body}
        name={name}
        colliders={false}
        position={[x + Math.sin(angle) * LENGTH_M, LENGTH_M * (1 - Math.cos(angle)), 0]}
        rotation={[0, 0, angle]}
        canSleep={false}
      >
        <BallCollider args={[RADIUS_M]} restitution={1} friction={0} />
        <Ball color="#cfd6df" args={[RADIUS_M, 32, 24]} />
        <Cylinder
          color="#eceff4"
          args={[0.02, 0.02, LENGTH_M, 8]}
          position={[0, LENGTH_M / 2, 0]}
          castShadow={false}
        />
      </RigidBody>
    </>
  );
}

const Frame = (): JSX.Element => (
  <>
    <Box color={WOOD} args={[7, 0.25, 0.25]} position={[0, LENGTH_M, 0]} />
    {[-1, 1].map((side) => (
      <Box
        key={side}
        color={WOOD}
        args={[0.25, LENGTH_M + 1.2, 0.25]}
        position={[side * 3.4, LENGTH_M / 2 - 0.5, 0]}
      />
    ))}
    <Box color={WOOD} args={[8, 0.3, 3]} position={[0, -1.2, 0]} />
  </>
);

export const scene: Scene = {
  title: 'Cradle',
  about:
    'Newton’s cradle: what one ball gives, the last one takes. Its group is turned and scaled.',
  camera: { position: [0, 3, 13], target: [0, 1.2, 0] },
  Content,
};
