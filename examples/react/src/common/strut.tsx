/** A thin line between two points that move with objects, where these are drawn. */
import { useFrame } from '@react-three/fiber';
import { useRef, type JSX, type RefObject } from 'react';
import { Vector3, type ColorRepresentation, type Mesh, type Object3D } from 'three';

interface End {
  readonly object: RefObject<Object3D | null>;
  /** Relative to the object. Default: its place. */
  readonly at?: readonly [x: number, y: number, z: number];
}

export interface StrutProps {
  readonly from: End;
  readonly to: End;
  readonly color: ColorRepresentation;
  readonly radius?: number;
}

const UP = new Vector3(0, 1, 0);
const [start, end] = [new Vector3(), new Vector3()];

function placeOf({ object, at = [0, 0, 0] }: End, result: Vector3): boolean {
  result.set(...at);
  object.current?.localToWorld(result);
  return object.current !== null;
}

export function Strut({ from, to, color, radius = 0.03 }: StrutProps): JSX.Element {
  const mesh = useRef<Mesh>(null);
  useFrame(() => {
    if (mesh.current === null || !placeOf(from, start) || !placeOf(to, end)) return;
    const length = start.distanceTo(end);
    mesh.current.position.copy(start).add(end).divideScalar(2);
    mesh.current.quaternion.setFromUnitVectors(UP, end.sub(start).normalize());
    mesh.current.scale.set(radius, length, radius);
  });
  return (
    <mesh ref={mesh} castShadow>
      <cylinderGeometry args={[1, 1, 1, 8]} />
      <meshStandardMaterial color={color} />
    </mesh>
  );
}
