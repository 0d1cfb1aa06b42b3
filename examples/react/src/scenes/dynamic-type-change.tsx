/** Bodies that are kinematic while they are dragged, and fixed or dynamic by a click. */
import { RigidBody, type RapierRigidBody, type RigidBodyTypeString } from 'betwixt/react';
import { useThree, type ThreeEvent } from '@react-three/fiber';
import { useRef, useState, type JSX } from 'react';
import { Plane, Vector3 } from 'three';
import { Box } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

/** What pointers drag moves in it. */
const PLANE = new Plane(new Vector3(0, 0, 1), 0);
const LOWEST = 0.5;

const pointed = ({ ray }: ThreeEvent<PointerEvent>): Vector3 | null =>
  ray.intersectPlane(PLANE, new Vector3());

interface Drag {
  last: Vector3;
  isMoved: boolean;
  readonly typeBefore: RigidBodyTypeString;
}

function Draggable({ index }: { readonly index: number }): JSX.Element {
  const [type, setType] = useState<RigidBodyTypeString>('dynamic');
  const body = useRef<RapierRigidBody>(null);
  const drag = useRef<Drag>(null);
  const controls = useThree((state) => state.controls) as { enabled: boolean } | null;

  const grab = (event: ThreeEvent<PointerEvent>): void => {
    const last = pointed(event);
    if (last === null) return;
    event.stopPropagation();
    (event.target as Element).setPointerCapture(event.pointerId);
    if (controls !== null) controls.enabled = false;
    drag.current = { last, isMoved: false, typeBefore: type };
    setType('kinematicPosition');
  };
  const move = (event: ThreeEvent<PointerEvent>): void => {
    const to = pointed(event);
    if (drag.current === null || to === null || body.current === null) return;
    const { x: dx, y: dy } = to.clone().sub(drag.current.last);
    if (dx === 0 && dy === 0) return;
    // Read, change, write: also several times between two frames.
    const { x, y, z } = body.current.nextTranslation();
    body.current.setNextKinematicTranslation({ x: x + dx, y: Math.max(LOWEST, y + dy), z });
    drag.current.last = to;
    drag.current.isMoved = true;
  };
  const release = (): void => {
    if (drag.current === null) return;
    const { isMoved, typeBefore } = drag.current;
    drag.current = null;
    if (controls !== null) controls.enabled = true;
    setType(isMoved || typeBefore === 'fixed' ? 'dynamic' : 'fixed');
  };
  return (
    <RigidBody
      ref={body}
      name={`box ${index}`}
      type={type}
      position={[(index % 4) * 1.6 - 2.4, 1 + Math.floor(index / 4) * 2, 0]}
    >
      <Box
        color={type === 'fixed' ? '#cfd6df' : colorOf(index)}
        onPointerDown={grab}
        onPointerMove={move}
        onPointerUp={release}
        onLostPointerCapture={release}
      />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  return (
    <>
      {range(8).map((index) => (
        <Draggable key={index} index={index} />
      ))}
      <RigidBody type="fixed" name="floor">
        <Box color={GROUND} args={[14, 0.5, 6]} position={[0, -0.25, 0]} />
      </RigidBody>
    </>
  );
}

export const scene: Scene = {
  title: 'Dynamic type change',
  about: 'A box is kinematic while you drag it. Click it: it is fixed until the next click.',
  camera: { position: [0, 3.5, 10], target: [0, 1.8, 0] },
  Content,
};
