/** Bodies that the page moves, by targets and by velocities, and balls that it sends back. */
import { RigidBody, euler, quat, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Ball, Box, Cylinder } from '../common/meshes.js';
import { WOOD, colorOf } from '../../../stage/stage.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

function Content(): JSX.Element {
  return (
    <>
      <Lift />
      <Mill />
      <Rotor />
      {range(12).map((index) => (
        <Returning key={index} index={index} />
      ))}
    </>
  );
}

/** Read, change, write: its next place is one step from its last. */
function Lift(): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const seconds = useRef(0);
  useFrame((_, delta) => {
    if (body.current === null) return;
    const frame = Math.min(delta, LONGEST_FRAME);
    seconds.current += frame;
    const next = body.current.translation();
    next.x += Math.cos(seconds.current) * 3 * frame;
    body.current.setNextKinematicTranslation(next);
  });
  return (
    <RigidBody ref={body} name="lift" type="kinematicPosition" position={[-4, 0, 0]}>
      <Box color={WOOD} args={[5, 0.4, 5]} />
      <Box color={WOOD} args={[0.3, 0.8, 5]} position={[-2.6, 0.2, 0]} />
    </RigidBody>
  );
}

/** Turned to an angle in every frame. */
function Mill(): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const angle = useRef(0);
  useFrame((_, delta) => {
    angle.current += Math.min(delta, LONGEST_FRAME);
    const turn = euler({ x: 0, y: 0, z: angle.current });
    body.current?.setNextKinematicRotation(quat().setFromEuler(turn));
  });
  return (
    <RigidBody ref={body} name="mill" type="kinematicPosition" position={[3.5, 1, 0]}>
      <Box color={colorOf(1)} args={[5, 0.3, 4]} />
      <Box color={colorOf(1)} args={[0.3, 5, 4]} />
    </RigidBody>
  );
}

/** Given a velocity once: the engine keeps it. */
function Rotor(): JSX.Element {
  return (
    <RigidBody
      name="rotor"
      type="kinematicVelocity"
      colliders="hull"
      position={[-1, -4, 0]}
      angularVelocity={[0, 2, 0]}
    >
      <Cylinder color="#9aa5b5" args={[5, 5, 0.4, 48]} />
      {range(4).map((arm) => (
        <group key={arm} rotation-y={(arm * Math.PI) / 2}>
          <Box color="#cfd6df" args={[4.4, 0.4, 0.2]} position={[2.5, 0.4, 0]} />
        </group>
      ))}
    </RigidBody>
  );
}

/** A ball that goes back when it has fallen far enough. It counts how often. */
function Returning({ index }: { readonly index: number }): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const returns = useRef(0);
  const [x, y, z] = [-5.5 + index * 0.9, 5 + index * 0.7, Math.sin(index * 2) * 1.2] as const;
  useFrame(({ scene: objects }) => {
    if (body.current === null || body.current.translation().y > -10) return;
    body.current.setTranslation({ x, y, z }, true);
    body.current.setLinvel({ x: 0, y: 0, z: 0 }, true);
    returns.current++;
    const ball = objects.getObjectByName(`ball ${index}`);
    if (ball !== undefined) ball.userData['returns'] = returns.current;
  });
  return (
    <RigidBody ref={body} name={`ball ${index}`} colliders="ball" position={[x, y, z]}>
      <Ball color={colorOf(index)} args={[0.45, 24, 16]} />
    </RigidBody>
  );
}

export const scene: Scene = {
  camera: { position: [0, 5, 17], target: [0, -0.5, 0], aspect: 1.2 },
  Content,
};
