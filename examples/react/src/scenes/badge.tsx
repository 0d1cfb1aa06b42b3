/** A badge that hangs on a band of three rope joints, and is tugged. */
import {
  BallCollider,
  CuboidCollider,
  RigidBody,
  useRopeJoint,
  useSphericalJoint,
  type RapierRigidBody,
  type RigidBodyProps,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX, type RefObject } from 'react';
import type { Object3D } from 'three';
import { axis } from '../common/held.js';
import { Box } from '../common/meshes.js';
import { WOOD, colorOf } from '../../../stage/stage.js';
import { Strut } from '../common/strut.js';
import type { Scene } from '../scene.js';

const TOP = 4;
const BAND = '#d8dee9';
const SEGMENT: RigidBodyProps = {
  colliders: false,
  canSleep: true,
  angularDamping: 2,
  linearDamping: 2,
};

/** Set before joints are made. */
const useBody = (): RefObject<RapierRigidBody> =>
  useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);

const useObject = (): RefObject<Object3D | null> => useRef<Object3D>(null);

function Content(): JSX.Element {
  const [hook, one, two, three, card] = [useBody(), useBody(), useBody(), useBody(), useBody()];
  const knots = [useObject(), useObject(), useObject(), useObject()] as const;
  useRopeJoint(hook, one, [[0, 0, 0], [0, 0, 0], 1]);
  useRopeJoint(one, two, [[0, 0, 0], [0, 0, 0], 1]);
  useRopeJoint(two, three, [[0, 0, 0], [0, 0, 0], 1]);
  useSphericalJoint(three, card, [
    [0, 0, 0],
    [0, 0.75, 0],
  ]);
  useFrame((_, delta) => {
    // One of the two libraries has it later.
    if (!card.current) return;
    const tug = axis('KeyD', 'KeyA');
    if (tug !== 0) card.current.applyImpulse({ x: 4 * tug * delta, y: 0, z: 2 * delta }, true);
    // So that its face turns to the front.
    const { x, y, z } = card.current.angvel();
    card.current.setAngvel({ x, y: y - card.current.rotation().y * 0.25, z }, false);
  });
  return (
    <>
      {[hook, one, two, three].map((body, index) => (
        <RigidBody
          key={index}
          ref={body}
          {...SEGMENT}
          type={index === 0 ? 'fixed' : 'dynamic'}
          position={[0.5 * index, TOP, 0]}
          userData={{ name: `knot ${index}` }}
        >
          <BallCollider args={[0.1]} />
          <group ref={knots[index] ?? null} />
        </RigidBody>
      ))}
      <RigidBody ref={card} {...SEGMENT} position={[2, TOP - 0.75, 0]} userData={{ name: 'card' }}>
        <CuboidCollider args={[0.5, 0.7, 0.05]} />
        <Box color={colorOf(5)} args={[1, 1.4, 0.1]} />
        <Box color={colorOf(1)} args={[0.8, 0.4, 0.11]} position={[0, 0.2, 0]} />
      </RigidBody>
      <Strut from={{ object: knots[0] }} to={{ object: knots[1] }} color={BAND} />
      <Strut from={{ object: knots[1] }} to={{ object: knots[2] }} color={BAND} />
      <Strut from={{ object: knots[2] }} to={{ object: knots[3] }} color={BAND} />
      <Box color={WOOD} args={[3, 0.2, 0.4]} position={[0, TOP + 0.2, 0]} />
    </>
  );
}

export const scene: Scene = {
  camera: { position: [0, 2, 9], target: [0, 1.5, 0], aspect: 0.75 },
  keys: 'AD',
  Content,
};
