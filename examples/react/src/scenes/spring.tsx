/** Boxes that hang on springs: the more damping, the sooner they rest. */
import { RigidBody, useSpringJoint, type RapierRigidBody } from 'betwixt/react';
import { useRef, type JSX } from 'react';
import type { Object3D } from 'three';
import { Box } from '../common/meshes.js';
import { WOOD, colorOf } from '../common/palette.js';
import { Panel } from '../common/panel.js';
import { range } from '../common/spread.js';
import { Strut } from '../common/strut.js';
import type { Scene } from '../scene.js';

const SPRINGS = 5;
const HEIGHT = 5;
const MASS = 1;
const STIFFNESS = 60;
const REST_LENGTH = 1.5;
/** Without any oscillation. */
const CRITICAL_DAMPING = 2 * Math.sqrt(STIFFNESS * MASS);

interface HangingProps {
  readonly index: number;
  readonly boxes: Set<RapierRigidBody>;
}

function Hanging({ index, boxes }: HangingProps): JSX.Element {
  // Set before joints are made.
  const hook = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const box = useRef<RapierRigidBody>(undefined as unknown as RapierRigidBody);
  const [hookObject, boxObject] = [useRef<Object3D>(null), useRef<Object3D>(null)];
  const damping = (CRITICAL_DAMPING * index) / (SPRINGS - 1);
  useSpringJoint(hook, box, [[0, 0, 0], [0, 0.4, 0], REST_LENGTH, STIFFNESS, damping]);
  const x = index * 1.8 - 3.6;
  const keep = (body: RapierRigidBody | null): void => {
    boxes.delete(box.current);
    if (body === null) return;
    box.current = body;
    boxes.add(body);
  };
  return (
    <>
      <RigidBody ref={hook} type="fixed" colliders={false} position={[x, HEIGHT, 0]}>
        <group ref={hookObject} />
      </RigidBody>
      <RigidBody
        ref={keep}
        name={`box ${index}`}
        mass={MASS}
        canSleep={false}
        lockRotations
        position={[x, HEIGHT - REST_LENGTH - 0.4, 0]}
      >
        <Box ref={boxObject} color={colorOf(index)} args={[0.8, 0.8, 0.8]} />
      </RigidBody>
      <Strut
        from={{ object: hookObject }}
        to={{ object: boxObject, at: [0, 0.4, 0] }}
        color="#cfd6df"
        radius={0.05}
      />
    </>
  );
}

function Content(): JSX.Element {
  const boxes = useRef(new Set<RapierRigidBody>()).current;
  const pull = (): void => {
    for (const box of boxes) box.applyImpulse({ x: 0, y: -6 * MASS, z: 0 }, true);
  };
  return (
    <>
      {range(SPRINGS).map((index) => (
        <Hanging key={index} index={index} boxes={boxes} />
      ))}
      <Box color={WOOD} args={[10, 0.3, 0.8]} position={[0, HEIGHT + 0.15, 0]} />
      <Panel>
        <button type="button" onClick={pull}>
          Pull
        </button>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  title: 'Spring joint',
  about: 'Boxes on springs of the same stiffness: from left to right, the damping grows.',
  camera: { position: [0, 3, 11], target: [0, 2.5, 0] },
  Content,
};
