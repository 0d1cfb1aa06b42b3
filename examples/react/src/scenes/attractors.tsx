/** A cloud of balls around three attractors: one of each kind. */
import { Attractor, RigidBody } from 'betwixt/react';
import { useState, type JSX } from 'react';
import { Ball } from '../common/meshes.js';
import { colorOf } from '../../../stage/stage.js';
import { Panel } from '../common/panel.js';
import { range, spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

const BALLS = 80;
const ATTRACTORS = [
  { type: 'static', position: [-5, 0, 0], strength: 0.015 },
  { type: 'linear', position: [5, 0, 0], strength: 0.04 },
  { type: 'newtonian', position: [0, 5, 0], strength: 1, gravitationalConstant: 0.5 },
] as const;

function Content(): JSX.Element {
  const [sign, setSign] = useState(1);
  return (
    <>
      {ATTRACTORS.map(({ position: [x, y, z], strength, ...attractor }, index) => (
        <RigidBody
          key={attractor.type}
          type="fixed"
          colliders="ball"
          name={attractor.type}
          position={[x, y, z]}
        >
          <Attractor {...attractor} range={6} strength={strength * sign} />
          <mesh>
            <icosahedronGeometry args={[0.7, 3]} />
            <meshBasicMaterial color={colorOf(index)} />
          </mesh>
        </RigidBody>
      ))}
      {range(BALLS).map((index) => (
        <RigidBody
          key={index}
          name={`ball ${index}`}
          colliders="ball"
          linearDamping={0.5}
          position={[
            (spread(index) - 0.5) * 10,
            (spread(index, 2) - 0.3) * 6,
            (spread(index, 3) - 0.5) * 6,
          ]}
        >
          <Ball color={colorOf(index)} args={[0.2 + spread(index, 4) * 0.1, 24, 16]} />
        </RigidBody>
      ))}
      <Panel>
        <button type="button" onClick={() => setSign(-sign)}>
          {sign > 0 ? 'Repel' : 'Attract'}
        </button>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [0, 4, 17], target: [0, 1.5, 0], aspect: 1.1 },
  physics: { gravity: [0, 0, 0] },
  Content,
};
