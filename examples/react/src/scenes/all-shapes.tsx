/** Every primitive of three.js with every kind of collider that a mesh can get. */
import { RigidBody, type RigidBodyAutoCollider } from 'betwixt/react';
import type { JSX, ReactNode } from 'react';
import { Plate, Solid } from '../common/meshes.js';
import { colorOf } from '../../../stage/stage.js';
import type { Scene } from '../scene.js';

const KINDS: readonly Exclude<RigidBodyAutoCollider, false>[] = [
  'cuboid',
  'ball',
  'hull',
  'trimesh',
];

const GEOMETRIES: readonly (readonly [name: string, geometry: ReactNode])[] = [
  ['box', <boxGeometry key="geometry" args={[1, 1, 1]} />],
  ['sphere', <sphereGeometry key="geometry" args={[0.6, 24, 16]} />],
  ['cylinder', <cylinderGeometry key="geometry" args={[0.5, 0.5, 1, 24]} />],
  ['cone', <coneGeometry key="geometry" args={[0.6, 1.1, 24]} />],
  ['capsule', <capsuleGeometry key="geometry" args={[0.4, 0.6, 6, 16]} />],
  ['torus', <torusGeometry key="geometry" args={[0.5, 0.2, 10, 24]} />],
  ['knot', <torusKnotGeometry key="geometry" args={[0.4, 0.14, 48, 8]} />],
  ['tetrahedron', <tetrahedronGeometry key="geometry" args={[0.8]} />],
  ['octahedron', <octahedronGeometry key="geometry" args={[0.7]} />],
  ['dodecahedron', <dodecahedronGeometry key="geometry" args={[0.65]} />],
  ['icosahedron', <icosahedronGeometry key="geometry" args={[0.65]} />],
];

function Content(): JSX.Element {
  return (
    <>
      {/* Bodies of triangles have no inside: what carries them needs one. */}
      <RigidBody type="fixed" colliders="cuboid">
        <Plate size={26} />
      </RigidBody>
      <group position={[0, 1.5, 0]} rotation-y={-0.15}>
        {KINDS.map((kind, row) => (
          <group key={kind} position={[0, 0, (row - 1.5) * 2.6]}>
            {GEOMETRIES.map(([name, geometry], column) => (
              <RigidBody
                key={name}
                name={`${name} ${kind}`}
                colliders={kind}
                position={[(column - (GEOMETRIES.length - 1) / 2) * 1.9, 0, 0]}
                rotation={[0.4, 0, 0.2]}
              >
                <Solid color={colorOf(row)}>{geometry}</Solid>
              </RigidBody>
            ))}
          </group>
        ))}
      </group>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [0, 12, 19], target: [0, 0, 0] },
  Content,
};
