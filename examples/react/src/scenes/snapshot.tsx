/** A state of the whole world that is saved and restored. */
import { RigidBody, useRapier, type RapierContext, type RapierRigidBody } from 'betwixt/react';
import { useRef, useState, type JSX } from 'react';
import { Ball, Box } from '../common/meshes.js';
import { STONE, colorOf } from '../../../stage/stage.js';
import { Panel } from '../common/panel.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

type SavedState = Parameters<RapierContext['setWorld']>[0];

const FLOORS = 6;
const START = { x: -7, y: 2, z: 0 };

function Content(): JSX.Element {
  const { world, setWorld } = useRapier();
  const [saved, setSaved] = useState<SavedState>();
  const ball = useRef<RapierRigidBody>(null);
  const save = async (): Promise<void> => setSaved(await (await world.ready).save());
  const shoot = (): void => {
    ball.current?.setTranslation(START, true);
    ball.current?.setLinvel({ x: 14, y: 2, z: 0 }, true);
    ball.current?.setAngvel({ x: 0, y: 0, z: 0 }, true);
  };
  return (
    <>
      {range(FLOORS).flatMap((floor) =>
        range(3).map((index) => (
          <RigidBody
            key={`${floor} ${index}`}
            name={`box ${floor} ${index}`}
            position={[2, 0.5 + floor, index - 1]}
          >
            <Box color={colorOf(floor)} args={[0.95, 1, 0.95]} />
          </RigidBody>
        )),
      )}
      <RigidBody
        ref={ball}
        name="ball"
        colliders="ball"
        density={3}
        position={[START.x, START.y, START.z]}
      >
        <Ball color="#d8dee9" args={[0.6, 32, 16]} />
      </RigidBody>
      <RigidBody type="fixed" name="floor">
        <Box color={STONE} args={[24, 0.5, 12]} position={[0, -0.25, 0]} />
      </RigidBody>
      <Panel>
        <button type="button" onClick={() => void save()}>
          Save
        </button>
        <button type="button" onClick={shoot}>
          Shoot
        </button>
        <button
          type="button"
          disabled={saved === undefined}
          onClick={() => saved !== undefined && void setWorld(saved)}
        >
          Restore
        </button>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [-3, 6, 14], target: [0, 2, 0] },
  Content,
};
