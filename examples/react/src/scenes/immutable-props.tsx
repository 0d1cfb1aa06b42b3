/** Props that need another body or another collider, and a fixed body that is turned in every frame. */
import {
  CuboidCollider,
  RigidBody,
  type RapierCollider,
  type RapierRigidBody,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useEffect, useId, useRef, useState, type JSX, type RefObject } from 'react';
import { Quaternion, Vector3 } from 'three';
import { LONGEST_FRAME } from '../common/longest-frame.js';
import { Box, Solid } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { Panel } from '../common/panel.js';
import type { Scene } from '../scene.js';

const SHAPES = ['cuboid', 'ball', 'hull'] as const;
const UP = new Vector3(0, 1, 0);

interface TurntableProps {
  readonly isWide: boolean;
  readonly wall: RefObject<RapierCollider | null>;
}

/** Fixed bodies do not move by themselves, but can be turned. */
function Turntable({ isWide, wall }: TurntableProps): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const angle = useRef(0);
  const rotation = useRef(new Quaternion());
  useFrame((_, delta) => {
    angle.current += Math.min(delta, LONGEST_FRAME);
    body.current?.setRotation(rotation.current.setFromAxisAngle(UP, angle.current), true);
  });
  const halfWidth = isWide ? 2.5 : 1;
  return (
    <RigidBody ref={body} type="fixed" colliders={false} name="turntable">
      <CuboidCollider args={[3, 0.25, 3]} position={[0, -0.25, 0]} />
      <Box color={GROUND} args={[6, 0.5, 6]} position={[0, -0.25, 0]} />
      <CuboidCollider ref={wall} args={[halfWidth, 0.4, 0.15]} position={[0, 0.4, -2]} />
      <Box color={colorOf(0)} args={[halfWidth * 2, 0.8, 0.3]} position={[0, 0.4, -2]} />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  const [shape, setShape] = useState<(typeof SHAPES)[number]>('cuboid');
  const [canSleep, setCanSleep] = useState(true);
  const [isWide, setWide] = useState(false);
  const [handles, setHandles] = useState('');
  const group = useId();
  const body = useRef<RapierRigidBody>(null);
  const wall = useRef<RapierCollider>(null);
  // Refs have the body and the collider that are there now.
  useEffect(() => {
    setHandles(`body ${body.current?.handle}, wall ${wall.current?.handle}`);
  }, [shape, canSleep, isWide]);
  return (
    <>
      <Turntable isWide={isWide} wall={wall} />
      <RigidBody
        ref={body}
        name="gem"
        colliders={shape}
        canSleep={canSleep}
        position={[0.5, 3, 0.5]}
        rotation={[0.4, 0, 0.3]}
      >
        <Solid color={colorOf(1)}>
          <icosahedronGeometry args={[0.8]} />
        </Solid>
      </RigidBody>
      <Panel>
        {SHAPES.map((known) => (
          <label key={known}>
            <input
              type="radio"
              name={group}
              checked={known === shape}
              onChange={() => setShape(known)}
            />
            {known}
          </label>
        ))}
        <label>
          <input
            type="checkbox"
            checked={canSleep}
            onChange={({ target }) => setCanSleep(target.checked)}
          />
          Can sleep
        </label>
        <label>
          <input
            type="checkbox"
            checked={isWide}
            onChange={({ target }) => setWide(target.checked)}
          />
          Wide wall
        </label>
        <output>{handles}</output>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  title: 'Immutable props',
  about:
    'Other colliders or canSleep make another body, and other args another collider. The fixed table is turned in every frame.',
  camera: { position: [5, 5, 7], target: [0, 0.5, 0] },
  Content,
};
