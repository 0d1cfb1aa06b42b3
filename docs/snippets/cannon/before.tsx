import { useBox, useHingeConstraint, usePlane, useRaycastClosest } from '@react-three/cannon';
import { useEffect, useRef } from 'react';
import type { InstancedMesh, Mesh } from 'three';

// #region box
function Box() {
  const [ref, api] = useBox<Mesh>(() => ({ mass: 1, args: [2, 1, 2], position: [0, 5, 0] }));
  const speed = useRef(0);
  useEffect(
    () => api.velocity.subscribe(([x, y, z]) => (speed.current = Math.hypot(x, y, z))),
    [api],
  );
  return (
    <mesh ref={ref} onClick={() => speed.current < 1 && api.applyImpulse([0, 5, 0], [0, 0, 0])}>
      <boxGeometry args={[2, 1, 2]} />
    </mesh>
  );
}
// #endregion

// #region plane
function Ground() {
  const [ref] = usePlane<Mesh>(() => ({ rotation: [-Math.PI / 2, 0, 0] }));
  return (
    <mesh ref={ref}>
      <planeGeometry args={[100, 100]} />
    </mesh>
  );
}
// #endregion

// #region instances
function Cubes({ count }: { count: number }) {
  const mesh = useRef<InstancedMesh>(null);
  const [ref, { at }] = useBox(
    (index) => ({ mass: 1, args: [1, 1, 1], position: [0, 5 + 2 * index, 0] }),
    mesh,
  );
  return (
    <instancedMesh
      ref={ref}
      args={[undefined, undefined, count]}
      onClick={({ instanceId = 0 }) => at(instanceId).position.set(0, 9, 0)}
    >
      <boxGeometry />
    </instancedMesh>
  );
}
// #endregion

// #region hinge
function Door() {
  const [frame] = useBox<Mesh>(() => ({ type: 'Static', args: [0.2, 2, 0.2] }));
  const [door] = useBox<Mesh>(() => ({
    mass: 1,
    args: [1, 2, 0.1],
    position: [0.6, 0, 0],
    onCollide: ({ contact }) => console.log(contact.impactVelocity),
  }));
  useHingeConstraint(frame, door, {
    pivotA: [0.1, 0, 0],
    pivotB: [-0.5, 0, 0],
    axisA: [0, 1, 0],
    axisB: [0, 1, 0],
  });
  return (
    <>
      <mesh ref={frame} />
      <mesh ref={door} />
    </>
  );
}
// #endregion

// #region ray
function Sensor({ onNear }: { onNear: (isNear: boolean) => void }) {
  useRaycastClosest({ from: [0, 1, 0], to: [0, 1, 10] }, ({ hasHit, distance }) =>
    onNear(hasHit && distance < 2),
  );
  return null;
}
// #endregion

export const BEFORE = { Box, Ground, Cubes, Door, Sensor };
