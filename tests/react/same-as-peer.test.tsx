/** The same components on this library and on `@react-three/rapier`: the same bodies and colliders. */
import type { JSX } from 'react';
import { BoxGeometry } from 'three';
import { expect, test } from 'vitest';
import * as ours from '../../src/react/index.js';
import { describeMasses, describeWorld, differences } from './described-world.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';
import { Box } from './snippets.js';

type Snippet = (library: Library) => JSX.Element;
type Triple = [number, number, number];

const HULL = new Float32Array([-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, -1.5]);
const TRIANGLES: [Float32Array, Uint32Array] = [HULL, new Uint32Array([0, 1, 2, 1, 2, 3, 2, 3, 4])];
const tilted: Triple = [0.3, 0.5, -0.4];
const off: Triple = [1, -2, 3];
const named = (name: string): object => ({ userData: { name } });
/** A tilted body away from the origin. */
const placed = { position: off, rotation: tilted, ...named('a') };

/** Every component of a collider. */
const everyCollider = (library: Library, props: object = {}): JSX.Element => (
  <group>
    {Object.entries({
      CuboidCollider: [1, 2, 3],
      RoundCuboidCollider: [1, 2, 3, 0.1],
      BallCollider: [0.7],
      CapsuleCollider: [0.5, 0.3],
      CylinderCollider: [0.6, 0.4],
      RoundCylinderCollider: [0.8, 0.5, 0.1],
      ConeCollider: [0.9, 0.2],
      RoundConeCollider: [1.1, 0.6, 0.15],
      ConvexHullCollider: [HULL],
      TrimeshCollider: TRIANGLES,
    }).map(([name, args]) => {
      const Collider = library[name as 'BallCollider'];
      return (
        <Collider
          key={name}
          args={args as [number]}
          position={[1, 1, 1]}
          rotation={[1, 0, 0]}
          {...props}
        />
      );
    })}
  </group>
);

const ofGeometries =
  (kind: 'cuboid' | 'ball' | 'hull' | 'trimesh'): Snippet =>
  ({ RigidBody }) => (
    <RigidBody colliders={kind} scale={2} {...placed}>
      <Box />
      <mesh position={[5, 0, 0]}>
        <sphereGeometry args={[0.5, 8, 8]} />
      </mesh>
      <mesh position={[0, 5, 0]} rotation={[1, 0, 0]}>
        <octahedronGeometry args={[1]} />
      </mesh>
      <mesh position={[0, 0, 5]} geometry={new BoxGeometry().translate(2, 1, 0)} />
    </RigidBody>
  );

const SNIPPETS: Readonly<Record<string, Snippet>> = {
  'bodies of all types': ({ RigidBody }) => (
    <>
      {(['dynamic', 'fixed', 'kinematicPosition', 'kinematicVelocity'] as const).map((type) => (
        <RigidBody
          key={type}
          type={type}
          linearVelocity={[1, 2, 3]}
          angularVelocity={[1, 2, 3]}
          {...named(type)}
        />
      ))}
    </>
  ),
  'a body in groups that are moved, turned and scaled': ({ RigidBody, CuboidCollider }) => (
    <>
      <group position={[5, 0, 0]} rotation={tilted} scale={2}>
        <group position={off} rotation={[0, 1, 0]}>
          <RigidBody {...placed}>
            <Box position={[0.5, 0, 0]} />
          </RigidBody>
        </group>
      </group>
      <group position={[5, 0, 0]} scale={[2, 3, 0.5]}>
        <RigidBody position={[1, 1, 1]} {...named('unevenly')}>
          <Box position={[0.5, 0.25, 0]} />
          <CuboidCollider args={[1, 1, 1]} position={[2, 1, 1]} />
        </RigidBody>
      </group>
    </>
  ),
  'a scaled body with nested meshes, and children that are no meshes': ({ RigidBody }) => (
    <RigidBody scale={[2, 3, 0.5]} {...placed}>
      <mesh position={[1, 0, 0]}>
        <sphereGeometry args={[0.5, 8, 8]} />
        <Box position={[0, 4, 0]} />
      </mesh>
      <group position={[-3, 1, 0]} scale={2}>
        <Box position={[0, 5, 0]} />
      </group>
      <pointLight />
      <lineSegments>
        <boxGeometry />
      </lineSegments>
    </RigidBody>
  ),
  'MeshColliders in a body without other colliders': ({ RigidBody, MeshCollider }) => (
    <RigidBody colliders={false} scale={2} {...placed}>
      <MeshCollider type="hull">
        <mesh position={[1, 0, 0]}>
          <octahedronGeometry args={[1]} />
        </mesh>
      </MeshCollider>
      <MeshCollider type="ball">
        <Box position={[0, 4, 0]} />
      </MeshCollider>
      <Box position={[0, 9, 0]} />
    </RigidBody>
  ),
  'MeshColliders in groups and next to other meshes': ({ RigidBody, MeshCollider }) => (
    <RigidBody friction={0.25} {...placed}>
      <group position={[1, 2, 3]} rotation={[0, 0, 1]}>
        <MeshCollider type="cuboid">
          <Box position={[0, 4, 0]} />
        </MeshCollider>
      </group>
      <MeshCollider type="trimesh">
        <group position={[2, 0, 0]} rotation={tilted}>
          <Box />
        </group>
      </MeshCollider>
      <Box position={[0, 9, 0]} />
    </RigidBody>
  ),
  'all components of colliders in a scaled body': (library) => (
    <library.RigidBody scale={2} {...placed}>
      {everyCollider(library)}
    </library.RigidBody>
  ),
  'all components of colliders, themselves scaled, in groups within a body': (library) => (
    <library.RigidBody {...placed}>
      <group position={[1, 0, 2]} rotation={[0, 1, 0]}>
        {everyCollider(library, { scale: 2 })}
      </group>
    </library.RigidBody>
  ),
  'all components of colliders without a body': (library) => everyCollider(library),
  'all components of colliders without a body, scaled, in groups': (library) => (
    <group position={off} rotation={tilted}>
      {everyCollider(library, { scale: 2 })}
    </group>
  ),
  'a heightfield': ({ HeightfieldCollider }) => (
    <HeightfieldCollider
      args={[1, 2, [0, 1, 2, 3, 4, 5], { x: 10, y: 2, z: 20 }]}
      position={off}
      rotation={[0, 1, 0]}
    />
  ),
  'colliders without a mass': ({ RigidBody, CuboidCollider }) => (
    <RigidBody {...named('none')}>
      <CuboidCollider args={[1, 2, 3]} mass={0} />
      <CuboidCollider args={[1, 2, 3]} density={0} />
    </RigidBody>
  ),
  'cuboids of geometries': ofGeometries('cuboid'),
  'balls of geometries': ofGeometries('ball'),
  'hulls of geometries': ofGeometries('hull'),
  'trimeshes of geometries': ofGeometries('trimesh'),
};

test.each(Object.entries(SNIPPETS))('both libraries make the same of %s', async (_, snippet) => {
  const mine = await runScene(snippet(ours));
  const theirs = await runOnPeer(snippet(peerLibrary));
  expect(mine.world.colliders.len() + mine.world.bodies.len()).toBeGreaterThan(0);
  expect(differences(describeWorld(mine.world), describeWorld(theirs.world))).toEqual([]);
  await mine.ticks(1);
  await theirs.ticks(1);
  const masses = [describeMasses(mine.world), describeMasses(theirs.world)] as const;
  expect(differences(...masses, 1e-4)).toEqual([]);
});
