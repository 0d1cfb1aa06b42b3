/** A ring spreads from the point of each collision, and a ball glows while it touches something. */
import { RigidBody, type CollisionEnterPayload, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import type { Mesh } from 'three';
import { glow } from '../common/glow.js';
import { Ball, Box } from '../common/meshes.js';
import { STONE, colorOf } from '../../../stage/stage.js';
import { useRings, type ShowRing } from '../common/rings.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const TOP = 5;
const LOWEST = -4;

function Bouncing({
  index,
  show,
}: {
  readonly index: number;
  readonly show: ShowRing;
}): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const mesh = useRef<Mesh>(null);
  const touched = useRef(0);
  const touch = (change: number): void => {
    touched.current += change;
    glow(mesh, touched.current > 0 ? colorOf(index) : 'black');
  };
  const enter = ({ manifold }: CollisionEnterPayload): void => {
    touch(1);
    if (manifold.numSolverContacts() > 0) show(manifold.solverContactPoint(0), manifold.normal());
  };
  const start = { x: -3.2, y: TOP, z: index * 0.9 - 1.35 };
  useFrame(() => {
    if (body.current === null || body.current.translation().y > LOWEST) return;
    body.current.setTranslation(start, true);
    body.current.setLinvel({ x: 0, y: 0, z: 0 }, true);
  });
  return (
    <RigidBody
      ref={body}
      name={`ball ${index}`}
      colliders="ball"
      restitution={0.8}
      position={[start.x, TOP + index * 1.5, start.z]}
      onCollisionEnter={enter}
      onCollisionExit={() => touch(-1)}
    >
      <Ball ref={mesh} color={colorOf(index)} args={[0.35, 32, 16]} />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  const [rings, show] = useRings();
  return (
    <>
      {range(3).map((step) => (
        <RigidBody
          key={step}
          type="fixed"
          name={`step ${step}`}
          position={[step * 2.6 - 3, 1.6 - step * 1.4, 0]}
          rotation={[0, 0, -0.12]}
          restitution={0.8}
        >
          <Box color={STONE} args={[2.4, 0.3, 4.5]} />
        </RigidBody>
      ))}
      {range(4).map((index) => (
        <Bouncing key={index} index={index} show={show} />
      ))}
      {rings}
    </>
  );
}

export const scene: Scene = {
  camera: { position: [-0.5, 4, 10.5], target: [-0.5, 1.4, 0] },
  Content,
};
