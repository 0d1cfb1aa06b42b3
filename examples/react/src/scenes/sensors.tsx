/** Hoops with sensors: each lights up while a ball is in it, and a plate below sends balls up again. */
import {
  CuboidCollider,
  CylinderCollider,
  RigidBody,
  type IntersectionEnterPayload,
} from 'betwixt/react';
import { useRef, useState, type JSX } from 'react';
import type { Mesh } from 'three';
import { glow } from '../common/glow.js';
import { Ball, Cylinder, Solid } from '../common/meshes.js';
import { STONE, colorOf } from '../../../stage/stage.js';
import { Panel } from '../common/panel.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const BALLS = 5;
const TOP = 5;

interface HoopProps {
  readonly index: number;
  readonly onEnter: () => void;
  readonly onExit: () => void;
}

function Hoop({ index, onEnter, onExit }: HoopProps): JSX.Element {
  const mesh = useRef<Mesh>(null);
  const inside = useRef(0);
  const change = (count: number): void => {
    inside.current += count;
    glow(mesh, inside.current > 0 ? colorOf(index) : 'black');
  };
  return (
    <group position={[0, 3.5 - index * 1.5, 0]}>
      <Solid
        ref={mesh}
        name={`hoop ${index}`}
        color={colorOf(index)}
        rotation={[Math.PI / 2, 0, 0]}
      >
        <torusGeometry args={[1.1, 0.1, 16, 64]} />
      </Solid>
      <CylinderCollider
        sensor
        args={[0.1, 1]}
        onIntersectionEnter={() => {
          change(1);
          onEnter();
        }}
        onIntersectionExit={() => {
          change(-1);
          onExit();
        }}
      />
    </group>
  );
}

/** Sends what falls into it up again. */
function lift({ other: { rigidBody } }: IntersectionEnterPayload): void {
  if (rigidBody === undefined) return;
  const { x, z } = rigidBody.translation();
  rigidBody.setTranslation({ x, y: TOP, z }, true);
  rigidBody.setLinvel({ x: 0, y: 0, z: 0 }, true);
}

function Content(): JSX.Element {
  const [entered, setEntered] = useState(0);
  const [left, setLeft] = useState(0);
  return (
    <>
      {range(3).map((index) => (
        <Hoop
          key={index}
          index={index}
          onEnter={() => setEntered((count) => count + 1)}
          onExit={() => setLeft((count) => count + 1)}
        />
      ))}
      {range(BALLS).map((index) => {
        const angle = (index / BALLS) * 2 * Math.PI;
        return (
          <RigidBody
            key={index}
            name={`ball ${index}`}
            colliders="ball"
            position={[Math.cos(angle) * 0.6, TOP + index * 0.9, Math.sin(angle) * 0.6]}
          >
            <Ball color="#d8dee9" args={[0.22, 32, 16]} />
          </RigidBody>
        );
      })}
      <RigidBody type="fixed" colliders={false} position={[0, -1.2, 0]} name="lift">
        <CuboidCollider sensor args={[2, 0.1, 2]} onIntersectionEnter={lift} />
        <Cylinder color={STONE} args={[1.7, 1.9, 0.3, 48]} position={[0, -0.4, 0]} />
      </RigidBody>
      <Panel>
        <output>
          {entered} entered, {left} left
        </output>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [3, 3.5, 9], target: [0, 1.3, 0], aspect: 0.75 },
  physics: { gravity: [0, -3, 0] },
  Content,
};
