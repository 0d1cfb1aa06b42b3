/** Dynamic bodies that are put a little further in every frame, and from the end of their way back to its beginning. */
import { RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Box } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const HALF_WAY = 8;
/** In m/s. */
const SPEEDS = [2, 5, 9];

interface TrainProps {
  readonly z: number;
  readonly speed: number;
  readonly color: string;
}

function Train({ z, speed, color }: TrainProps): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  useFrame((_, delta) => {
    if (body.current === null) return;
    const { x, y } = body.current.translation();
    const next = x + speed * Math.min(delta, LONGEST_FRAME);
    body.current.setTranslation({ x: next > HALF_WAY ? -HALF_WAY : next, y, z }, true);
  });
  return (
    <RigidBody
      ref={body}
      name={`train ${speed}`}
      gravityScale={0}
      lockRotations
      position={[-HALF_WAY, 0.55, z]}
    >
      {range(3).map((wagon) => (
        <Box key={wagon} color={color} args={[0.8, 0.7, 0.8]} position={[-wagon * 0.95, 0, 0]} />
      ))}
    </RigidBody>
  );
}

function Content(): JSX.Element {
  return (
    <>
      {SPEEDS.map((speed, index) => {
        const z = index * 2 - 2;
        return (
          <group key={speed}>
            <Train z={z} speed={speed} color={colorOf(index)} />
            <Box color={GROUND} args={[HALF_WAY * 2 + 3.5, 0.2, 1.3]} position={[-0.8, 0, z]} />
          </group>
        );
      })}
    </>
  );
}

export const scene: Scene = {
  title: 'Stuttering',
  about: 'Bodies that are put a little further in every frame move evenly; at the end, they jump.',
  camera: { position: [0, 8, 18], target: [-0.8, 0, 0] },
  Content,
};
