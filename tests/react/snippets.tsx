/** Bodies and colliders of tests, for either library, with any props. */
import type { JSX } from 'react';
import type { Library } from './run-on-peer.js';

export type Props = Readonly<Record<string, unknown>>;

export const Box = (props: Props): JSX.Element => (
  <mesh {...props}>
    <boxGeometry args={[1, 2, 3]} />
  </mesh>
);

/** A body with the collider of a mesh, and another one. */
export const body = (
  { RigidBody: Body, CuboidCollider: Cuboid }: Library,
  props: Props,
): JSX.Element => (
  <Body userData={{ name: 'a' }} {...props}>
    <Box />
    <Cuboid args={[1, 1, 1]} position={[3, 0, 0]} />
  </Body>
);

export const withoutMeshes = (library: Library, props: Props): JSX.Element =>
  body(library, { colliders: false, ...props });

/** In a body. */
export const collider = (
  { RigidBody: Body, CuboidCollider: Cuboid }: Library,
  props: Props,
): JSX.Element => (
  <Body position={[1, 2, 3]} rotation={[0, 0, 1]} userData={{ name: 'a' }}>
    <Cuboid args={[1, 2, 3]} {...props} />
  </Body>
);

/** Without a body. */
export const alone = ({ CuboidCollider: Cuboid }: Library, props: Props): JSX.Element => (
  <Cuboid args={[1, 2, 3]} {...props} />
);
