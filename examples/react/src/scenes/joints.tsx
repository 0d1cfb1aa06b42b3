/** One of each kind of joint. */
import {
  RigidBody,
  useFixedJoint,
  usePrismaticJoint,
  useRevoluteJoint,
  useRopeJoint,
  useSphericalJoint,
  useSpringJoint,
  type RapierRigidBody,
  type RigidBodyProps,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useEffect, useRef, type JSX, type RefObject } from 'react';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Ball, Box, Cylinder } from '../common/meshes.js';
import { STONE, WOOD, colorOf } from '../../../stage/stage.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

type Triple = [number, number, number];
type BodyRef = RefObject<RapierRigidBody>;

const LINKS = 8;
const NOT_TURNED: [number, number, number, number] = [0, 0, 0, 1];

/** Refs are set before joints are made. */
const useBody = (): BodyRef => useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);

function Content(): JSX.Element {
  return (
    <>
      <Chain position={[-7, 6, 0]} />
      <Door position={[-3, 3, 0]} />
      <Piston position={[1, 2, 0]} />
      <Glued position={[4, 4, 0]} />
      <OnRope position={[7, 6, 0]} />
      <OnSpring position={[10, 6, 0]} />
      <RigidBody type="fixed">
        <Box color={STONE} args={[30, 1, 12]} position={[1, -2.5, 0]} />
      </RigidBody>
    </>
  );
}

/** Spherical joints, from a handle that moves. */
function Chain({ position: [x, y, z] }: { readonly position: Triple }): JSX.Element {
  const handle = useBody();
  const refs = [handle, ...range(LINKS).map(useBody)];
  const angle = useRef(0);
  useFrame((_, delta) => {
    angle.current += Math.min(delta, LONGEST_FRAME) * 1.5;
    const swing = Math.sin(angle.current) * 1.5;
    handle.current?.setNextKinematicTranslation({ x: x + swing, y, z });
  });
  return (
    <>
      <RigidBody ref={handle} name="handle" type="kinematicPosition" position={[x, y, z]}>
        <Box color={WOOD} args={[0.6, 0.6, 0.6]} />
      </RigidBody>
      {range(LINKS).map((link) => (
        <ChainLink
          key={link}
          name={`link ${link}`}
          before={refs[link] as BodyRef}
          body={refs[link + 1] as BodyRef}
          position={[x + (link + 1) * 0.7, y, z]}
          color={colorOf(link)}
        />
      ))}
    </>
  );
}

interface LinkProps extends RigidBodyProps {
  readonly before: BodyRef;
  readonly body: BodyRef;
  readonly color: number;
}

function ChainLink({ before, body, color, ...props }: LinkProps): JSX.Element {
  useSphericalJoint(before, body, [
    [0.35, 0, 0],
    [-0.35, 0, 0],
  ]);
  return (
    <RigidBody ref={body} colliders="ball" linearDamping={0.3} angularDamping={0.3} {...props}>
      <Ball color={color} args={[0.3, 24, 16]} />
    </RigidBody>
  );
}

/** A revolute joint with limits. A ball pushes the door open. */
function Door({ position: [x, y, z] }: { readonly position: Triple }): JSX.Element {
  const [post, door] = [useBody(), useBody()];
  useRevoluteJoint(post, door, [
    [0.15, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [-1.2, 1.2],
  ]);
  return (
    <>
      <RigidBody ref={post} type="fixed" position={[x, y, z]}>
        <Box color={WOOD} args={[0.3, 3, 0.3]} />
      </RigidBody>
      <RigidBody ref={door} name="door" position={[x + 1.15, y, z]} angularDamping={0.5}>
        <Box color={colorOf(1)} args={[1.8, 2.6, 0.15]} />
      </RigidBody>
      <RigidBody
        colliders="ball"
        position={[x + 1.7, y, z + 4]}
        linearVelocity={[0, 2.5, -9]}
        density={0.5}
      >
        <Ball color={colorOf(2)} args={[0.35, 24, 16]} />
      </RigidBody>
    </>
  );
}

/** A prismatic joint, driven by a wheel's motor in the page: its target changes in every frame. */
function Piston({ position: [x, y, z] }: { readonly position: Triple }): JSX.Element {
  const [base, head] = [useBody(), useBody()];
  const joint = usePrismaticJoint(base, head, [
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
    [0.5, 2.5],
  ]);
  useFrame(({ clock }) => {
    joint.current?.configureMotorPosition(1.5 + Math.sin(clock.elapsedTime * 2), 300, 30);
  });
  return (
    <>
      <RigidBody ref={base} type="fixed" position={[x, y - 2, z]}>
        <Cylinder color={WOOD} args={[0.5, 0.6, 1, 32]} />
      </RigidBody>
      <RigidBody ref={head} name="piston" position={[x, y - 0.5, z]} canSleep={false}>
        <Cylinder color={colorOf(3)} args={[0.8, 0.8, 0.4, 32]} />
      </RigidBody>
      <RigidBody position={[x, y + 1, z]}>
        <Box color={colorOf(4)} args={[0.6, 0.6, 0.6]} />
      </RigidBody>
    </>
  );
}

/** A fixed joint: two bodies that fall as one. */
function Glued({ position: [x, y, z] }: { readonly position: Triple }): JSX.Element {
  const [left, right] = [useBody(), useBody()];
  useFixedJoint(left, right, [[0.5, 0.5, 0], NOT_TURNED, [-0.5, -0.5, 0], NOT_TURNED]);
  return (
    <>
      <RigidBody ref={left} name="left" position={[x, y, z]} rotation={[0, 0, 0.3]}>
        <Box color={colorOf(5)} />
      </RigidBody>
      <RigidBody ref={right} name="right" position={[x + 1, y + 1, z]} rotation={[0, 0, 0.3]}>
        <Box color={colorOf(0)} />
      </RigidBody>
    </>
  );
}

/** A rope: at most 3 m. */
function OnRope({ position: [x, y, z] }: { readonly position: Triple }): JSX.Element {
  const [hook, load] = [useBody(), useBody()];
  useRopeJoint(hook, load, [[0, 0, 0], [0, 0, 0], 3]);
  return (
    <>
      <RigidBody ref={hook} name="hook" type="fixed" position={[x, y, z]}>
        <Box color={WOOD} args={[0.5, 0.3, 0.5]} />
      </RigidBody>
      <RigidBody
        ref={load}
        name="load"
        colliders="ball"
        position={[x + 1.5, y - 1, z]}
        linearVelocity={[0, 0, 3]}
        angularDamping={0.5}
      >
        <Ball color={colorOf(1)} args={[0.45, 24, 16]} />
      </RigidBody>
    </>
  );
}

/** A spring. What it carries is pushed once, when the component is there. */
function OnSpring({ position: [x, y, z] }: { readonly position: Triple }): JSX.Element {
  const [hook, load] = [useBody(), useBody()];
  useSpringJoint(hook, load, [[0, 0, 0], [0, 0, 0], 2, 40, 0.4]);
  useEffect(() => {
    load.current?.applyImpulse({ x: 0, y: -4, z: 0 }, true);
  }, [load]);
  return (
    <>
      <RigidBody ref={hook} type="fixed" position={[x, y, z]}>
        <Box color={WOOD} args={[0.5, 0.3, 0.5]} />
      </RigidBody>
      <RigidBody ref={load} name="bob" position={[x, y - 2, z]} canSleep={false}>
        <Box color={colorOf(2)} args={[0.9, 0.9, 0.9]} />
      </RigidBody>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [1, 5, 21], target: [1.5, 2, 0], aspect: 1.2 },
  Content,
};
