/** One mesh of many instances, each with a color. */
import type { ThreeElements } from '@react-three/fiber';
import { useLayoutEffect, useRef, type JSX } from 'react';
import { Color, type BufferGeometry, type InstancedMesh } from 'three';
import { colorOf } from '../../../stage/stage.js';

export interface InstancesProps extends Omit<ThreeElements['instancedMesh'], 'args'> {
  readonly geometry: BufferGeometry;
  /** Numbers that decide the color of each instance. */
  readonly keys: readonly number[];
  /** Room for that many. */
  readonly most: number;
}

export function Instances({ geometry, keys, most, ...props }: InstancesProps): JSX.Element {
  const mesh = useRef<InstancedMesh>(null);
  useLayoutEffect(() => {
    const color = new Color();
    for (const [index, key] of keys.entries())
      mesh.current?.setColorAt(index, color.set(colorOf(key)));
    if (mesh.current?.instanceColor) mesh.current.instanceColor.needsUpdate = true;
  }, [keys]);
  return (
    <instancedMesh
      ref={mesh}
      args={[geometry, undefined, most]}
      count={keys.length}
      castShadow
      receiveShadow
      // The mesh's box is that of one instance.
      frustumCulled={false}
      {...props}
    >
      <meshStandardMaterial roughness={0.6} />
    </instancedMesh>
  );
}
