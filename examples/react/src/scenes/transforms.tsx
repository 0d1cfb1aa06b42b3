/** Bodies in groups that are moved, turned and scaled. */
import { CuboidCollider, RigidBody } from 'betwixt/react';
import type { JSX } from 'react';
import { Ball, Box, Plate, Solid } from '../common/meshes.js';
import { colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

function Content(): JSX.Element {
  return (
    <>
      <RigidBody type="fixed">
        <Plate size={24} />
      </RigidBody>
      <group position={[-5, 2, 0]} rotation={[0, 0.6, 0]}>
        <group rotation={[0.3, 0, 0.4]} scale={0.7}>
          <Tower first={0} />
        </group>
      </group>
      <group position={[0, 3, 0]} scale={[1.5, 0.6, 1]}>
        <Tower first={1} />
      </group>
      <group position={[5, 2, 0]} rotation={[0, Math.PI / 4, 0]}>
        <RigidBody name="scaled" scale={[0.6, 1.6, 0.6]} position={[0, 1, 0]}>
          <Box color={colorOf(2)} />
          <Box color={colorOf(3)} args={[2, 0.3, 0.3]} position={[0, 0.5, 0]} rotation-z={0.3} />
        </RigidBody>
        <RigidBody position={[0, 4, 0]} colliders={false} scale={0.8}>
          <group scale={1.5} rotation-y={0.5}>
            <CuboidCollider args={[0.5, 0.25, 0.5]} />
            <Box color={colorOf(4)} args={[1, 0.5, 1]} />
          </group>
        </RigidBody>
      </group>
      {/* Small, and fixed: its place comes from three groups. */}
      <group position={[0, 0, 5]}>
        <group rotation-y={0.8}>
          <group scale={2}>
            <RigidBody type="fixed" name="ramp" rotation={[0, 0, 0.4]}>
              <Box color="#9aa5b5" args={[2, 0.2, 1]} />
            </RigidBody>
            <RigidBody name="roller" colliders="ball" position={[0.6, 1.5, 0]}>
              <Ball color={colorOf(5)} args={[0.25, 24, 16]} />
            </RigidBody>
          </group>
        </group>
      </group>
    </>
  );
}

function Tower({ first }: { readonly first: number }): JSX.Element {
  return (
    <>
      {range(4).map((level) => (
        <RigidBody
          key={level}
          name={`tower ${first} ${level}`}
          colliders="hull"
          position={[0, level * 1.6, 0]}
          rotation={[0, level * 0.3, 0]}
        >
          {level % 2 === 0 ? (
            <Box color={colorOf(first + level)} />
          ) : (
            <Solid color={colorOf(first + level)}>
              <icosahedronGeometry args={[0.7]} />
            </Solid>
          )}
        </RigidBody>
      ))}
    </>
  );
}

export const scene: Scene = {
  title: 'Transforms',
  about:
    'Bodies below moved, turned and scaled groups: their colliders are where their meshes are, which Debug shows.',
  camera: { position: [0, 8, 15], target: [0, 1.5, 0] },
  Content,
};
