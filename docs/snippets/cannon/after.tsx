import { useFrame } from '@react-three/fiber';
import {
  CuboidCollider,
  HalfSpaceCollider,
  InstancedRigidBodies,
  RigidBody,
  useRapier,
  useRevoluteJoint,
  type RapierRigidBody,
} from 'betwixt/react';
import { useMemo, useRef } from 'react';

// #region box
function Box() {
  const body = useRef<RapierRigidBody>(null);
  const jump = () => {
    const { x, y, z } = body.current?.linvel() ?? { x: 0, y: 0, z: 0 };
    if (Math.hypot(x, y, z) < 1) body.current?.applyImpulse({ x: 0, y: 5, z: 0 }, true);
  };
  return (
    <RigidBody ref={body} position={[0, 5, 0]} mass={1} linearDamping={0.01}>
      <mesh onClick={jump}>
        <boxGeometry args={[2, 1, 2]} />
      </mesh>
    </RigidBody>
  );
}
// #endregion

// #region plane
const UP = { x: 0, y: 1, z: 0 };

function Ground() {
  return (
    <>
      <HalfSpaceCollider args={[UP]} />
      <mesh rotation={[-Math.PI / 2, 0, 0]}>
        <planeGeometry args={[100, 100]} />
      </mesh>
    </>
  );
}
// #endregion

// #region instances
function Cubes({ count }: { count: number }) {
  const bodies = useRef<(RapierRigidBody | null)[]>(null);
  const instances = useMemo(
    () =>
      Array.from({ length: count }, (_, key) => ({
        key,
        position: [0, 5 + 2 * key, 0] as [number, number, number],
      })),
    [count],
  );
  return (
    <InstancedRigidBodies ref={bodies} instances={instances} mass={1}>
      <instancedMesh
        args={[undefined, undefined, count]}
        onClick={({ instanceId = 0 }) =>
          bodies.current?.[instanceId]?.setTranslation({ x: 0, y: 9, z: 0 }, true)
        }
      >
        <boxGeometry />
      </instancedMesh>
    </InstancedRigidBodies>
  );
}
// #endregion

// #region hinge
function Door() {
  const frame = useRef<RapierRigidBody>(null);
  const door = useRef<RapierRigidBody>(null);
  useRevoluteJoint(frame, door, [
    [0.1, 0, 0],
    [-0.5, 0, 0],
    [0, 1, 0],
  ]);
  return (
    <>
      <RigidBody ref={frame} type="fixed">
        <CuboidCollider args={[0.1, 1, 0.1]} />
      </RigidBody>
      <RigidBody
        ref={door}
        position={[0.6, 0, 0]}
        onCollisionEnter={({ manifold }) => console.log(manifold.contactImpulse(0))}
      >
        <CuboidCollider args={[0.5, 1, 0.05]} mass={1} />
      </RigidBody>
    </>
  );
}
// #endregion

// #region ray
const ORIGIN = { x: 0, y: 1, z: 0 };
const AHEAD = { x: 0, y: 0, z: 1 };

function Sensor({ onNear }: { onNear: (isNear: boolean) => void }) {
  const { world, rapier } = useRapier();
  useFrame(() => onNear(world.castRay(new rapier.Ray(ORIGIN, AHEAD), 2, true) !== null));
  return null;
}
// #endregion

export const AFTER = { Box, Ground, Cubes, Door, Sensor };
