/** Balls that jump through platforms, and land on them. */
import { CuboidCollider, RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Ball, Box } from '../common/meshes.js';
import { STONE, WOOD, colorOf } from '../../../stage/stage.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const HEIGHTS = [2, 4];
const HALF_THICKNESS = 0.1;
const RADIUS = 0.35;
/** Above the highest platform, a ball starts from the floor again. */
const HIGHEST = 4.2;
const JUMP_SPEED = 7.5;
const REST_SECONDS = 1;

const Platform = ({ y }: { readonly y: number }): JSX.Element => (
  <RigidBody type="fixed" colliders={false} position={[0, y, 0]} name={`platform ${y}`}>
    <CuboidCollider oneWay={{}} args={[4, HALF_THICKNESS, 1]} />
    <Box color={WOOD} args={[8, HALF_THICKNESS * 2, 2]} />
  </RigidBody>
);

/** A ball that jumps when it has lain for a while. */
function Jumping({ index }: { readonly index: number }): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const rested = useRef(-index * 0.3);
  const x = index * 1.4 - 2.8;
  useFrame((_, delta) => {
    if (body.current === null) return;
    const isResting = Math.abs(body.current.linvel().y) < 0.1;
    rested.current = isResting
      ? rested.current + Math.min(delta, LONGEST_FRAME)
      : Math.min(rested.current, 0);
    if (rested.current < REST_SECONDS) return;
    rested.current = 0;
    if (body.current.translation().y < HIGHEST) {
      body.current.setLinvel({ x: 0, y: JUMP_SPEED, z: 0 }, true);
    } else {
      body.current.setTranslation({ x, y: RADIUS, z: 0 }, true);
    }
  });
  return (
    <RigidBody
      ref={body}
      name={`ball ${index}`}
      colliders="ball"
      lockRotations
      position={[x, RADIUS, 0]}
    >
      <Ball color={colorOf(index)} args={[RADIUS, 32, 16]} />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  return (
    <>
      {HEIGHTS.map((y) => (
        <Platform key={y} y={y} />
      ))}
      {range(5).map((index) => (
        <Jumping key={index} index={index} />
      ))}
      <RigidBody type="fixed" name="floor">
        <Box color={STONE} args={[12, 0.5, 5]} position={[0, -0.25, 0]} />
      </RigidBody>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [3, 4, 11], target: [0, 2.5, 0] },
  Content,
};
