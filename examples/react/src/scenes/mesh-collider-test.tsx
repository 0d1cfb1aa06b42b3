/** Colliders of models: of triangles where nothing moves, of hulls where something does, and several kinds in one body. */
import { MeshCollider, RigidBody } from 'betwixt/react';
import { useMemo, type JSX } from 'react';
import type { BufferGeometry } from 'three';
import { Ball, Box, Solid } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { bowl, knot, pawn, ringAside, waves } from '../common/models.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

function Content(): JSX.Element {
  return (
    <>
      <RigidBody type="fixed" colliders="trimesh" position={[0, -2, 0]}>
        <Model color={GROUND} make={() => waves(24, 0.5)} />
      </RigidBody>
      <RigidBody type="fixed" colliders="trimesh" position={[-6, 0, 1]}>
        <Model color="#9aa5b5" make={() => bowl(2.6)} />
      </RigidBody>
      <RigidBody type="fixed" colliders="trimesh" position={[0, 1.5, -2]} rotation={[1.2, 0, 0]}>
        <Model color={colorOf(3)} make={() => knot(1.3)} />
      </RigidBody>
      {range(9).map((index) => (
        <RigidBody
          key={index}
          name={`ball ${index}`}
          colliders="ball"
          position={[-7 + (index % 3) * 1.1, 4 + index, 0.5 + (index % 2)]}
        >
          <Ball color={colorOf(index)} args={[0.4, 24, 16]} />
        </RigidBody>
      ))}
      {range(3).map((index) => (
        <RigidBody
          key={index}
          name={`pawn ${index}`}
          colliders="hull"
          position={[index * 1.6 - 1, 5 + index, -2]}
          rotation={[0.3 * index, 0, 0.5]}
        >
          <Model color={colorOf(5)} make={pawn} />
        </RigidBody>
      ))}
      {/* Its middle is far from the origin of its geometry. */}
      <RigidBody name="ring" colliders="hull" position={[3, 4, 2]} rotation={[0.2, 0, 0.2]}>
        <Model color={colorOf(4)} make={() => ringAside(1.5)} />
      </RigidBody>
      {/* Three kinds in one body. */}
      <RigidBody name="mixed" colliders={false} position={[6, 5, -1]} rotation={[0.4, 0, 0.6]}>
        <MeshCollider type="ball">
          <Ball color={colorOf(2)} args={[0.6, 24, 16]} position={[-1, 0, 0]} />
        </MeshCollider>
        <MeshCollider type="cuboid">
          <Box color={colorOf(0)} args={[1.4, 0.4, 0.4]} />
        </MeshCollider>
        <MeshCollider type="hull">
          <Solid color={colorOf(1)} position={[1, 0, 0]}>
            <dodecahedronGeometry args={[0.6]} />
          </Solid>
        </MeshCollider>
      </RigidBody>
    </>
  );
}

interface ModelProps {
  readonly color: string;
  /** Called once. */
  readonly make: () => BufferGeometry;
}

function Model({ color, make }: ModelProps): JSX.Element {
  // A model stays as it is.
  const geometry = useMemo(make, []);
  return <Solid color={color} geometry={geometry} />;
}

export const scene: Scene = {
  title: 'Mesh colliders',
  about:
    'Ground, bowl and knot are triangles, and hold what falls on and into them. Pawns and the ring are convex hulls.',
  camera: { position: [0, 8, 16], target: [0, 0, 0] },
  Content,
};
