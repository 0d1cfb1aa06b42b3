/** Meshes with shadows. They know of no physics. */
import type { ThreeElements } from '@react-three/fiber';
import type { JSX } from 'react';
import type { ColorRepresentation } from 'three';
import { STONE } from '../../../stage/stage.js';

export interface MeshOptions extends Omit<ThreeElements['mesh'], 'args'> {
  readonly color: ColorRepresentation;
}

/** A mesh with the geometry that is its child. */
export const Solid = ({ color, children, ...props }: MeshOptions): JSX.Element => (
  <mesh castShadow receiveShadow {...props}>
    {children}
    <meshStandardMaterial color={color} roughness={0.6} />
  </mesh>
);

type Sized<Name extends 'boxGeometry' | 'sphereGeometry' | 'cylinderGeometry' | 'coneGeometry'> =
  MeshOptions & { readonly args?: ThreeElements[Name]['args'] };

export const Box = ({ args = [1, 1, 1], ...props }: Sized<'boxGeometry'>): JSX.Element => (
  <Solid {...props}>
    <boxGeometry args={args} />
  </Solid>
);

export const Ball = ({ args = [0.5, 32, 16], ...props }: Sized<'sphereGeometry'>): JSX.Element => (
  <Solid {...props}>
    <sphereGeometry args={args} />
  </Solid>
);

export const Cylinder = ({
  args = [0.5, 0.5, 1, 32],
  ...props
}: Sized<'cylinderGeometry'>): JSX.Element => (
  <Solid {...props}>
    <cylinderGeometry args={args} />
  </Solid>
);

export const Cone = ({ args = [0.5, 1, 32], ...props }: Sized<'coneGeometry'>): JSX.Element => (
  <Solid {...props}>
    <coneGeometry args={args} />
  </Solid>
);

/** A square plate whose top is at 0. */
export const Plate = ({ size = 20, color = STONE }): JSX.Element => (
  <Box color={color} args={[size, 1, size]} position={[0, -0.5, 0]} castShadow={false} />
);
