/** Hundreds of meshes of six kinds that slide off a cone, and begin again at the top. */
import { RigidBody, type RapierRigidBody, type RigidBodyAutoCollider } from 'betwixt/react';
import { useRef, useState, type JSX } from 'react';
import {
  BoxGeometry,
  CapsuleGeometry,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  MeshStandardMaterial,
  SphereGeometry,
  type BufferGeometry,
} from 'three';
import { Cone } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { Panel } from '../common/panel.js';
import { range, spread } from '../common/spread.js';
import { useReturn } from '../common/use-return.js';
import type { Scene } from '../scene.js';

interface Kind {
  readonly geometry: BufferGeometry;
  readonly material: MeshStandardMaterial;
  readonly colliders: RigidBodyAutoCollider;
}

const START = 300;
const CHANGE = 100;
const MOST = 1000;
const TOP = 9;
const LOWEST = -10;

/** What falls: each kind has one geometry and one material. */
const KINDS: readonly Kind[] = (
  [
    [new BoxGeometry(0.5, 0.5, 0.5), 'cuboid'],
    [new SphereGeometry(0.3, 24, 16), 'ball'],
    [new CylinderGeometry(0.25, 0.25, 0.6, 24), 'hull'],
    [new ConeGeometry(0.35, 0.6, 24), 'hull'],
    [new CapsuleGeometry(0.2, 0.35, 6, 16), 'hull'],
    [new IcosahedronGeometry(0.35), 'hull'],
  ] as const
).map(([geometry, colliders], index) => ({
  geometry,
  colliders,
  material: new MeshStandardMaterial({ color: colorOf(index), roughness: 0.5 }),
}));

function Falling({ index }: { readonly index: number }): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const { geometry, material, colliders } = KINDS[index % KINDS.length] as Kind;
  const angle = spread(index) * 2 * Math.PI;
  const radius = 0.5 + spread(index, 2) * 4;
  const x = Math.cos(angle) * radius;
  const z = Math.sin(angle) * radius;
  useReturn(body, { x, y: TOP, z }, LOWEST);
  return (
    <RigidBody
      ref={body}
      name={`body ${index}`}
      colliders={colliders}
      friction={0.2}
      position={[x, 3 + (index % START) * 0.08, z]}
      rotation={[index, index * 2, 0]}
    >
      <mesh castShadow receiveShadow geometry={geometry} material={material} />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  const [count, setCount] = useState(START);
  return (
    <>
      {range(count).map((index) => (
        <Falling key={index} index={index} />
      ))}
      <RigidBody type="fixed" colliders="hull" name="cone" friction={0.2}>
        <Cone color={GROUND} args={[6, 3, 48]} />
      </RigidBody>
      <Panel>
        <button type="button" disabled={count === 0} onClick={() => setCount(count - CHANGE)}>
          Fewer
        </button>
        <button type="button" disabled={count === MOST} onClick={() => setCount(count + CHANGE)}>
          More
        </button>
        <output>{count} bodies</output>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  title: 'Performance',
  about: 'Hundreds of meshes slide off a cone, fall, and begin again at the top.',
  camera: { position: [0, 7, 18], target: [0, 1, 0] },
  Content,
};
