/** One body for each component of a collider. */
import {
  BallCollider,
  CapsuleCollider,
  ConeCollider,
  ConvexHullCollider,
  CuboidCollider,
  CylinderCollider,
  HeightfieldCollider,
  RigidBody,
  RoundConeCollider,
  RoundCuboidCollider,
  RoundCylinderCollider,
  TrimeshCollider,
} from 'betwixt/react';
import { useMemo, type JSX, type ReactNode } from 'react';
import { IcosahedronGeometry, PlaneGeometry, TorusGeometry, type BufferGeometry } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { Ball, Box, Cone, Cylinder, Solid } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const SQUARES = 24;
const SIZE_M = 18;

function Content(): JSX.Element {
  const hull = useMemo(() => new IcosahedronGeometry(0.7), []);
  const ring = useMemo(() => new TorusGeometry(0.6, 0.25, 12, 24), []);
  const bodies: readonly (readonly [name: string, collider: ReactNode, mesh: ReactNode])[] = [
    [
      'cuboid',
      <CuboidCollider key="collider" args={[0.5, 0.5, 0.5]} />,
      <Box key="mesh" color={colorOf(0)} />,
    ],
    [
      'round cuboid',
      <RoundCuboidCollider key="collider" args={[0.4, 0.4, 0.4, 0.15]} />,
      <Rounded key="mesh" />,
    ],
    [
      'ball',
      <BallCollider key="collider" args={[0.6]} />,
      <Ball key="mesh" color={colorOf(2)} args={[0.6, 24, 16]} />,
    ],
    [
      'capsule',
      <CapsuleCollider key="collider" args={[0.4, 0.4]} />,
      <Solid key="mesh" color={colorOf(3)}>
        <capsuleGeometry args={[0.4, 0.8, 6, 16]} />
      </Solid>,
    ],
    [
      'cylinder',
      <CylinderCollider key="collider" args={[0.5, 0.5]} />,
      <Cylinder key="mesh" color={colorOf(4)} />,
    ],
    [
      'round cylinder',
      <RoundCylinderCollider key="collider" args={[0.4, 0.5, 0.1]} />,
      <Cylinder key="mesh" color={colorOf(5)} args={[0.6, 0.6, 1, 24]} />,
    ],
    [
      'cone',
      <ConeCollider key="collider" args={[0.6, 0.6]} />,
      <Cone key="mesh" color={colorOf(0)} args={[0.6, 1.2, 24]} />,
    ],
    [
      'round cone',
      <RoundConeCollider key="collider" args={[0.5, 0.5, 0.1]} />,
      <Cone key="mesh" color={colorOf(1)} args={[0.65, 1.2, 24]} />,
    ],
    [
      'convex hull',
      <ConvexHullCollider key="collider" args={[pointsOf(hull)]} />,
      <Solid key="mesh" color={colorOf(2)} geometry={hull} />,
    ],
    [
      'trimesh',
      <TrimeshCollider key="collider" args={[pointsOf(ring), ring.index?.array ?? []]} />,
      <Solid key="mesh" color={colorOf(3)} geometry={ring} />,
    ],
  ];
  return (
    <>
      <Land />
      {bodies.map(([name, collider, mesh], index) => (
        <RigidBody
          key={name}
          name={name}
          // The engine finds no contacts of triangles with a height field.
          type={name === 'trimesh' ? 'fixed' : 'dynamic'}
          colliders={false}
          position={[((index % 5) - 2) * 2.6, 3, (Math.floor(index / 5) - 0.5) * 4]}
          rotation={[0.3, 0, 0.4]}
        >
          {collider}
          {mesh}
        </RigidBody>
      ))}
    </>
  );
}

const pointsOf = ({ attributes }: BufferGeometry) => attributes.position?.array ?? [];

const Rounded = (): JSX.Element => {
  const geometry = useMemo(() => new RoundedBoxGeometry(1.1, 1.1, 1.1, 4, 0.15), []);
  return <Solid color={colorOf(1)} geometry={geometry} />;
};

/** Hills with the heights of a height field: column by column along z. */
function Land(): JSX.Element {
  const [heights, geometry] = useMemo(() => {
    const values: number[] = [];
    const plane = new PlaneGeometry(SIZE_M, SIZE_M, SQUARES, SQUARES).rotateX(-Math.PI / 2);
    for (const column of range(SQUARES + 1)) {
      for (const row of range(SQUARES + 1)) {
        const height = 0.5 * Math.sin(column * 0.9) + 0.5 * Math.cos(row * 0.7);
        values.push(height);
        plane.attributes.position?.setY(row * (SQUARES + 1) + column, height);
      }
    }
    plane.computeVertexNormals();
    return [values, plane] as const;
  }, []);
  return (
    <RigidBody type="fixed" colliders={false}>
      <HeightfieldCollider args={[SQUARES, SQUARES, heights, { x: SIZE_M, y: 1, z: SIZE_M }]} />
      <Solid color={GROUND} geometry={geometry} castShadow={false} />
    </RigidBody>
  );
}

export const scene: Scene = {
  title: 'All colliders',
  about:
    'Each component is a shape: ten of them above a height field, of which the ring of triangles is fixed.',
  camera: { position: [0, 9, 15], target: [0, 0, 0] },
  Content,
};
