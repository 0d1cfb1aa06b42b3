/** A paused world that a button advances, and how often the hooks of steps were called. */
import { RigidBody, useAfterPhysicsStep, useBeforePhysicsStep, useRapier } from 'betwixt/react';
import { useState, type JSX } from 'react';
import { Box } from '../common/meshes.js';
import { STONE, colorOf } from '../../../stage/stage.js';
import { Panel } from '../common/panel.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const STEP_SECONDS = 1 / 60;

function Steps(): JSX.Element {
  const { step } = useRapier();
  const [before, setBefore] = useState(0);
  const [after, setAfter] = useState(0);
  useBeforePhysicsStep(() => setBefore((count) => count + 1));
  useAfterPhysicsStep(() => setAfter((count) => count + 1));
  const advance = async (count: number): Promise<void> => {
    // A promise in betwixt, nothing in @react-three/rapier: either way, a step is over before the next one begins.
    for (let index = 0; index < count; index++) await step(STEP_SECONDS);
  };
  return (
    <Panel>
      {[1, 10, 60].map((count) => (
        <button key={count} type="button" onClick={() => void advance(count)}>
          {count === 1 ? '1 step' : `${count} steps`}
        </button>
      ))}
      <output>
        {before} before, {after} after
      </output>
    </Panel>
  );
}

function Content(): JSX.Element {
  return (
    <>
      {range(9).map((index) => (
        <RigidBody
          key={index}
          name={`domino ${index}`}
          position={[index * 0.75 - 3, 0.8, 0]}
          rotation={[0, 0, index === 0 ? -0.25 : 0]}
        >
          <Box color={colorOf(index)} args={[0.2, 1.6, 0.9]} />
        </RigidBody>
      ))}
      <RigidBody type="fixed" name="floor">
        <Box color={STONE} args={[10, 0.5, 4]} position={[0, -0.25, 0]} />
      </RigidBody>
      <Steps />
    </>
  );
}

export const scene: Scene = {
  camera: { position: [1.5, 2.8, 7.5], target: [0, 0.6, 0] },
  physics: { paused: true },
  Content,
};
