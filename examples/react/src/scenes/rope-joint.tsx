/** Weights on ropes, which are slack until they are as long as they can be. */
import { RigidBody, useRopeJoint, type RapierRigidBody } from 'betwixt/react';
import { useRef, type JSX } from 'react';
import type { Object3D } from 'three';
import { Ball, Box } from '../common/meshes.js';
import { GROUND, WOOD, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import { Strut } from '../common/strut.js';
import type { Scene } from '../scene.js';

const HOOK_HEIGHT = 6;
const ROPES = [
  { x: -3, length: 3, start: [0.8, -0.6, 0], radius: 0.4 },
  { x: 0, length: 4.6, start: [-3.4, -0.9, 0], radius: 0.6 },
  { x: 3, length: 2, start: [0, -0.5, 0.4], radius: 0.4 },
] as const;

type Rope = (typeof ROPES)[number] & { readonly index: number };

/** A weight on a rope. */
function Weight({ x, length, start: [dx, dy, dz], radius, index }: Rope): JSX.Element {
  // Set before joints are made.
  const hook = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const weight = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const [hookMesh, weightMesh] = [useRef<Object3D>(null), useRef<Object3D>(null)];
  useRopeJoint(hook, weight, [[0, 0, 0], [0, radius, 0], length]);
  return (
    <>
      <RigidBody ref={hook} type="fixed" colliders={false} position={[x, HOOK_HEIGHT, 0]}>
        <group ref={hookMesh} />
      </RigidBody>
      <RigidBody
        ref={weight}
        name={`weight ${index}`}
        colliders="ball"
        density={4}
        position={[x + dx, HOOK_HEIGHT + dy, dz]}
      >
        <Ball ref={weightMesh} color={colorOf(index)} args={[radius, 32, 16]} />
      </RigidBody>
      <Strut
        from={{ object: hookMesh }}
        to={{ object: weightMesh, at: [0, radius, 0] }}
        color="#f2e2b6"
      />
    </>
  );
}

function Content(): JSX.Element {
  return (
    <>
      {ROPES.map((rope, index) => (
        <Weight key={rope.x} {...rope} index={index} />
      ))}
      <RigidBody type="fixed" name="gallows">
        <Box color={WOOD} args={[9, 0.3, 0.5]} position={[0, HOOK_HEIGHT + 0.15, 0]} />
        <Box color={WOOD} args={[0.3, HOOK_HEIGHT, 0.5]} position={[-4.6, HOOK_HEIGHT / 2, 0]} />
        <Box color={WOOD} args={[0.3, HOOK_HEIGHT, 0.5]} position={[4.6, HOOK_HEIGHT / 2, 0]} />
        <Box color={GROUND} args={[12, 0.5, 6]} position={[0, -0.25, 0]} />
      </RigidBody>
      {/* What the weight in the middle swings into. */}
      {range(9).map((index) => (
        <RigidBody
          key={index}
          name={`box ${index}`}
          position={[1.6, 0.4 + Math.floor(index / 3) * 0.8, ((index % 3) - 1) * 0.8]}
        >
          <Box color={colorOf(index + 3)} args={[0.78, 0.78, 0.78]} />
        </RigidBody>
      ))}
    </>
  );
}

export const scene: Scene = {
  title: 'Rope joint',
  about: 'Weights fall until their ropes hold them. The one in the middle swings into the boxes.',
  camera: { position: [2, 5, 12], target: [0, 2.8, 0] },
  Content,
};
