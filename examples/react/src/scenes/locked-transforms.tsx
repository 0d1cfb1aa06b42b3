/** Bodies that cannot move along, or turn about, some of the axes, in a rain of balls. */
import { RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useRef, useState, type JSX } from 'react';
import { Ball, Box, Cylinder } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { Panel } from '../common/panel.js';
import { range, spread } from '../common/spread.js';
import { useReturn } from '../common/use-return.js';
import type { Scene } from '../scene.js';

const DROPS = 36;
const TOP = 7;
const LOWEST = -2;

/** It begins again at the top. */
function Drop({ index }: { readonly index: number }): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const x = (spread(index) - 0.5) * 11;
  const z = (spread(index, 2) - 0.5) * 1.4;
  useReturn(body, { x, y: TOP, z }, LOWEST);
  return (
    <RigidBody
      ref={body}
      name={`drop ${index}`}
      colliders="ball"
      restitution={0.4}
      position={[x, TOP + index * 0.35, z]}
    >
      <Ball color="#b9d6f2" args={[0.18, 16, 12]} />
    </RigidBody>
  );
}

function Content(): JSX.Element {
  const [isLocked, setLocked] = useState(true);
  return (
    <>
      <RigidBody
        name="mill"
        position={[-4, 2.5, 0]}
        lockTranslations
        enabledRotations={[!isLocked, !isLocked, true]}
      >
        <Box color={colorOf(0)} args={[2.4, 0.15, 1.2]} />
        <Box color={colorOf(0)} args={[0.15, 2.4, 1.2]} />
      </RigidBody>
      <RigidBody name="pivot" position={[-1.3, 2, 0]} lockTranslations={isLocked}>
        <Box color={colorOf(1)} args={[2, 0.15, 1.6]} />
      </RigidBody>
      <RigidBody
        name="slider"
        colliders="hull"
        position={[1.6, 2, 0]}
        lockRotations={isLocked}
        enabledTranslations={[true, !isLocked, !isLocked]}
        linearDamping={0.4}
      >
        <Cylinder color={colorOf(3)} args={[0.8, 0.8, 1.4, 3]} rotation={[-Math.PI / 2, 0, 0]} />
      </RigidBody>
      <RigidBody name="upright" position={[3.9, 0.9, 0]} lockRotations={isLocked}>
        <Box color={colorOf(2)} args={[0.3, 1.8, 1]} />
      </RigidBody>
      <RigidBody name="free" position={[5, 0.9, 0]}>
        <Box color="#9aa5b8" args={[0.3, 1.8, 1]} />
      </RigidBody>
      {/* The floor, and the stops of the wedge. */}
      <RigidBody type="fixed" name="floor">
        <Box color={GROUND} args={[12, 0.5, 2]} position={[0, -0.25, 0]} />
        <Box color={GROUND} args={[0.2, 2, 1.6]} position={[0.2, 1, 0]} />
        <Box color={GROUND} args={[0.2, 2, 1.6]} position={[3, 1, 0]} />
      </RigidBody>
      {range(DROPS).map((index) => (
        <Drop key={index} index={index} />
      ))}
      <Panel>
        <label>
          <input
            type="checkbox"
            checked={isLocked}
            onChange={({ target }) => setLocked(target.checked)}
          />
          Locked
        </label>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  title: 'Locked transforms',
  about:
    'The mill turns about one axis, the blue board about all, the wedge slides along one, and the red stone cannot fall over as the grey one can.',
  camera: { position: [0, 3.5, 10.5], target: [0, 2, 0] },
  Content,
};
