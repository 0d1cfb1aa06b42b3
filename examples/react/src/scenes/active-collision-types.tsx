/** Gates that a kinematic shuttle passes: a fixed sensor notices it only with a flag. */
import { CuboidCollider, RigidBody, useRapier, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import type { Mesh } from 'three';
import { glow } from '../common/glow.js';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Box, Solid } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import type { Scene } from '../scene.js';

interface GateProps {
  readonly x: number;
  readonly name: string;
  readonly color: string;
  readonly activeCollisionTypes?: number;
}

function Gate({ x, name, color, activeCollisionTypes }: GateProps): JSX.Element {
  const mesh = useRef<Mesh>(null);
  return (
    <RigidBody type="fixed" colliders={false} position={[x, 1.3, 0]}>
      <Solid ref={mesh} name={name} color={color} rotation={[0, Math.PI / 2, 0]}>
        <torusGeometry args={[1.2, 0.12, 16, 64]} />
      </Solid>
      <CuboidCollider
        sensor
        args={[0.3, 0.9, 0.9]}
        {...(activeCollisionTypes === undefined ? {} : { activeCollisionTypes })}
        onIntersectionEnter={() => glow(mesh, color)}
        onIntersectionExit={() => glow(mesh, 'black')}
      />
    </RigidBody>
  );
}

/** It goes back and forth, and nothing stops it. */
function Shuttle(): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const angle = useRef(0);
  useFrame((_, delta) => {
    angle.current += Math.min(delta, LONGEST_FRAME);
    body.current?.setNextKinematicTranslation({ x: Math.sin(angle.current) * 5, y: 1.3, z: 0 });
  });
  return (
    <RigidBody ref={body} type="kinematicPosition" name="shuttle" position={[0, 1.3, 0]}>
      <Box color={colorOf(5)} args={[1, 0.6, 0.6]} />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  const { ActiveCollisionTypes } = useRapier().rapier;
  return (
    <>
      <Gate x={-2.5} name="blind gate" color={colorOf(2)} />
      <Gate
        x={2.5}
        name="seeing gate"
        color={colorOf(3)}
        activeCollisionTypes={ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.KINEMATIC_FIXED}
      />
      <Shuttle />
      <Box color={GROUND} args={[13, 0.3, 4]} position={[0, -0.15, 0]} />
    </>
  );
}

export const scene: Scene = {
  title: 'Active collision types',
  about:
    'Both gates are fixed sensors, but only the green one looks at kinematic bodies, and lights up.',
  camera: { position: [3, 3.5, 9.5], target: [0, 1, 0] },
  Content,
};
