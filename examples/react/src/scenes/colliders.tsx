/** Which colliders a body has: those of its meshes, its own, both, or none; and what falls is sent back. */
import {
  BallCollider,
  CapsuleCollider,
  CuboidCollider,
  RigidBody,
  type RapierRigidBody,
  type RigidBodyProps,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, useState, type JSX } from 'react';
import { Ball, Box, Cylinder, Solid } from '../common/meshes.js';
import { WOOD, colorOf } from '../common/palette.js';
import { spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

function Content(): JSX.Element {
  return (
    <>
      {/* Without a body, colliders are fixed. */}
      <CuboidCollider args={[3, 0.25, 3]} position={[-4, -1, 0]} rotation={[0, 0, -0.15]} />
      <Box color={WOOD} args={[6, 0.5, 6]} position={[-4, -1, 0]} rotation={[0, 0, -0.15]} />
      <RigidBody type="fixed" position={[4, -3, 0]} rotation={[0, 0, 0.15]}>
        <Box color={WOOD} args={[8, 0.5, 6]} />
      </RigidBody>
      <Returning name="box" index={0}>
        <Box color={colorOf(0)} />
      </Returning>
      <Returning name="ball" index={1} colliders="ball">
        <Ball color={colorOf(1)} args={[0.6, 24, 16]} />
      </Returning>
      <Returning name="capsule" index={2} colliders={false}>
        <CapsuleCollider args={[0.5, 0.4]} />
        <Solid color={colorOf(2)}>
          <capsuleGeometry args={[0.4, 1, 6, 16]} />
        </Solid>
      </Returning>
      {/* Its own collider besides those of the meshes: a ball at the end of a stick. */}
      <Returning name="pin" index={3}>
        <Cylinder color={colorOf(3)} args={[0.15, 0.15, 1.6, 16]} />
        <BallCollider args={[0.45]} position={[0, 0.9, 0]} />
        <group>
          <Ball color={colorOf(3)} args={[0.2, 16, 12]} position={[0, 0.9, 0]} />
        </group>
      </Returning>
      <Growing index={4} />
    </>
  );
}

interface ReturningProps extends RigidBodyProps {
  readonly index: number;
}

/** It goes back, turned differently, when it has fallen far enough. */
function Returning({ index, children, ...props }: ReturningProps): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const x = -5.5 + index * 0.9;
  const returns = useRef(0);
  useFrame(({ scene: objects }) => {
    if (body.current === null || body.current.translation().y > -10) return;
    returns.current++;
    body.current.setTranslation({ x, y: 5, z: spread(returns.current, index + 1) - 0.5 }, true);
    body.current.setLinvel({ x: 0, y: 0, z: 0 }, true);
    const object = objects.getObjectByName(props.name ?? '');
    if (object !== undefined) object.userData['returns'] = returns.current;
  });
  return (
    <RigidBody ref={body} position={[x, 3 + index * 1.5, 0]} {...props}>
      {children}
    </RigidBody>
  );
}

/** A click adds a box to it, with its collider: the body stays the same. */
function Growing({ index }: { readonly index: number }): JSX.Element {
  const [size, setSize] = useState(1);
  return (
    <Returning name="growing" index={index}>
      <group
        onClick={(event) => {
          event.stopPropagation();
          setSize((boxes) => (boxes % 4) + 1);
        }}
      >
        <Box color={colorOf(4)} />
        {[-1, 1, 2].slice(0, size - 1).map((x) => (
          <Box key={x} color={colorOf(5)} position={[x, 0.2, 0]} />
        ))}
      </group>
    </Returning>
  );
}

export const scene: Scene = {
  title: 'Colliders',
  about:
    'Colliders of meshes, of components, of both, and one without a body. What falls starts again; a click on the violet box makes it longer.',
  camera: { position: [0, 4, 16], target: [0, -1, 0] },
  Content,
};
