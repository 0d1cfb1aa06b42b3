/** Rings that spread and fade: a fixed number of meshes, of which the oldest is used again. */
import { useFrame } from '@react-three/fiber';
import { useCallback, useMemo, useRef, type JSX } from 'react';
import { Vector3, type Group, type Mesh, type MeshBasicMaterial } from 'three';

const COUNT = 24;
const SECONDS = 0.8;
const FORWARD = new Vector3(0, 0, 1);

type Point = { readonly x: number; readonly y: number; readonly z: number };

/** Shows a ring at a point of a surface. @param normal Of the surface, either way. */
export type ShowRing = (point: Point, normal: Point) => void;

export function useRings(): readonly [rings: JSX.Element, show: ShowRing] {
  const group = useRef<Group>(null);
  const ages = useMemo(() => new Float32Array(COUNT).fill(SECONDS), []);
  const shown = useRef(0);
  useFrame((_, delta) => {
    for (const [index, mesh] of (group.current?.children ?? []).entries()) {
      const age = Math.min(SECONDS, (ages[index] ?? 0) + delta);
      ages[index] = age;
      mesh.visible = age < SECONDS;
      mesh.scale.setScalar(0.15 + age);
      ((mesh as Mesh).material as MeshBasicMaterial).opacity = 1 - age / SECONDS;
    }
  });
  const show = useCallback<ShowRing>(
    ({ x, y, z }, { x: nx, y: ny, z: nz }) => {
      const index = shown.current % COUNT;
      shown.current += 1;
      const mesh = group.current?.children[index];
      if (mesh === undefined) return;
      const up = new Vector3(nx, ny, nz).multiplyScalar(ny < 0 ? -1 : 1);
      mesh.quaternion.setFromUnitVectors(FORWARD, up);
      mesh.position.set(x, y, z).addScaledVector(up, 0.02);
      ages[index] = 0;
    },
    [ages],
  );
  const rings = (
    <group ref={group} name="rings">
      {Array.from({ length: COUNT }, (_, index) => (
        <mesh key={index} visible={false}>
          <ringGeometry args={[0.75, 1, 32]} />
          <meshBasicMaterial color="#fff3c4" transparent depthWrite={false} />
        </mesh>
      ))}
    </group>
  );
  return [rings, show];
}
