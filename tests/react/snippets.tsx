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
