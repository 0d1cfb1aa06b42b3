/** Towers whose boxes keep a distance of none, a little, and more. */
import { RigidBody } from 'betwixt/react';
import { useState, type JSX } from 'react';
import { Box } from '../common/meshes.js';
import { GROUND, colorOf } from '../common/palette.js';
import { Panel } from '../common/panel.js';
import { range } from '../common/spread.js';
import type { Scene } from '../scene.js';

const SKINS = [0, 0.05, 0.15];
const FLOORS = 5;

function Content(): JSX.Element {
  const [hasSkin, setSkin] = useState(true);
  return (
    <>
      {SKINS.flatMap((skin, tower) =>
        range(FLOORS).map((floor) => (
          <RigidBody
            // New towers: the engine looks at the skin when a contact begins.
            key={`${tower} ${floor} ${hasSkin}`}
            name={`box ${tower} ${floor}`}
            contactSkin={hasSkin ? skin : 0}
            position={[tower * 2.5 - 2.5, 0.5 + floor * 1.4, 0]}
          >
            <Box color={colorOf(tower)} />
          </RigidBody>
        )),
      )}
      <RigidBody type="fixed" name="floor">
        <Box color={GROUND} args={[9, 0.5, 4]} position={[0, -0.25, 0]} />
      </RigidBody>
      <Panel>
        <label>
          <input
            type="checkbox"
            checked={hasSkin}
            onChange={({ target }) => setSkin(target.checked)}
          />
          Contact skin
        </label>
      </Panel>
    </>
  );
}

export const scene: Scene = {
  title: 'Contact skin',
  about: 'The boxes of the three towers keep a distance of 0, 0.1 and 0.3 m from each other.',
  camera: { position: [3, 4, 10], target: [0, 2.5, 0] },
  Content,
};
