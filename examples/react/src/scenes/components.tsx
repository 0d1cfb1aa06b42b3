/** Things made of several meshes: components that contain a body, used like any other. */
import {
  CylinderCollider,
  RigidBody,
  type RapierRigidBody,
  type RigidBodyProps,
} from 'betwixt/react';
import type { ThreeEvent } from '@react-three/fiber';
import { useRef, type JSX } from 'react';
import { Ball, Box, Cone, Cylinder, Plate } from '../common/meshes.js';
import { WOOD, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

type ThingProps = Pick<RigidBodyProps, 'name' | 'position' | 'rotation'>;

function Content(): JSX.Element {
  return (
    <>
      <RigidBody type="fixed">
        <Plate size={24} />
      </RigidBody>
      {range(3).map((row) => (
        <group key={row} position={[0, 1 + row * 4, 0]} rotation-y={row * 0.7}>
          <Chair name={`chair ${row}`} position={[-4, 0, 0]} rotation={[0.3, row, 0]} />
          <Snowman name={`snowman ${row}`} position={[-1, 0.5, 1]} />
          <Hammer name={`hammer ${row}`} position={[2, 1, 0]} rotation={[0, 0, 0.8]} />
          <Spinner name={`spinner ${row}`} position={[5, 1, 0]} />
        </group>
      ))}
    </>
  );
}

/** A body that a click tosses up. */
function Thing({ children, ...props }: RigidBodyProps): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const toss = (event: ThreeEvent<MouseEvent>): void => {
    event.stopPropagation();
    const mass = body.current?.mass() ?? 0;
    body.current?.applyImpulse({ x: 0, y: mass * 7, z: 0 }, true);
    body.current?.applyTorqueImpulse({ x: mass * 0.3, y: mass * 0.5, z: 0 }, true);
  };
  return (
    <RigidBody ref={body} {...props}>
      <group onClick={toss}>{children}</group>
    </RigidBody>
  );
}

/** Six boxes, six colliders. */
const Chair = (props: ThingProps): JSX.Element => (
  <Thing {...props}>
    <Box color={WOOD} args={[1.2, 0.15, 1.2]} />
    <Box color={WOOD} args={[1.2, 1.4, 0.12]} position={[0, 0.7, -0.54]} />
    {[-1, 1].flatMap((x) =>
      [-1, 1].map((z) => (
        <Box
          key={`${x} ${z}`}
          color="#6b5438"
          args={[0.15, 0.9, 0.15]}
          position={[x * 0.5, -0.5, z * 0.5]}
        />
      )),
    )}
  </Thing>
);

/** Balls for the body, a hull for the hat. */
const Snowman = (props: ThingProps): JSX.Element => (
  <Thing {...props} colliders="hull" angularDamping={1}>
    <Ball color="#f4f6fa" args={[0.7, 16, 12]} />
    <Ball color="#f4f6fa" args={[0.5, 16, 12]} position={[0, 1, 0]} />
    <Ball color="#f4f6fa" args={[0.35, 16, 12]} position={[0, 1.7, 0]} />
    <Cone
      color={colorOf(2)}
      args={[0.08, 0.5, 12]}
      position={[0, 1.7, 0.5]}
      rotation-x={Math.PI / 2}
    />
    <Cylinder color="#2a303a" args={[0.25, 0.3, 0.4, 20]} position={[0, 2.15, 0]} />
  </Thing>
);

/** A heavy head on a light handle, each with its own density. */
const Hammer = (props: ThingProps): JSX.Element => (
  <Thing {...props} colliders={false}>
    <CylinderCollider args={[1, 0.1]} density={0.5} />
    <Cylinder color={WOOD} args={[0.1, 0.1, 2, 16]} />
    <CylinderCollider
      args={[0.5, 0.35]}
      position={[0, 1, 0]}
      rotation={[0, 0, Math.PI / 2]}
      density={8}
    />
    <Cylinder
      color="#9aa5b5"
      args={[0.35, 0.35, 1, 24]}
      position={[0, 1, 0]}
      rotation={[0, 0, Math.PI / 2]}
    />
  </Thing>
);

/** It starts with a spin. */
const Spinner = (props: ThingProps): JSX.Element => (
  <Thing {...props} angularVelocity={[0, 14, 0]}>
    {range(3).map((arm) => (
      <group key={arm} rotation-y={(arm * Math.PI * 2) / 3}>
        <Box color={colorOf(arm)} args={[0.35, 0.35, 1.2]} position={[0, 0, 0.75]} />
      </group>
    ))}
    <Cylinder color="#cfd6df" args={[0.35, 0.35, 0.5, 24]} />
  </Thing>
);

export const scene: Scene = {
  title: 'Components',
  about:
    'Chairs, snowmen, hammers and spinners: each is a component with a body made of several meshes. Click one to toss it.',
  camera: { position: [0, 8, 15], target: [0, 1.5, 0] },
  Content,
};
