/** A board of pegs, and shapes that fall through it. */
import { CuboidCollider, RigidBody } from 'betwixt/react';
import { useState, type JSX } from 'react';
import { Ball, Box, Cone, Cylinder, Solid } from '../common/meshes.js';
import { WOOD, colorOf } from '../../../stage/stage.js';
import { range, spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

const FIRST_SHAPES = 24;
const PEG_ROWS = 7;

function Content(): JSX.Element {
  const [count, setCount] = useState(FIRST_SHAPES);
  return (
    <>
      <Board onClick={() => setCount((shapes) => shapes + 6)} />
      {range(count).map((index) => (
        <Shape key={index} index={index} />
      ))}
    </>
  );
}

/** One of five shapes, each with the kind of collider that suits it. */
function Shape({ index }: { readonly index: number }): JSX.Element {
  const color = colorOf(index);
  const turn = spread(index, 2) * 6;
  // Later shapes start from the top again.
  const height = 9 + (index < FIRST_SHAPES ? index * 0.9 : (index % 6) * 0.9);
  const [colliders, mesh] = [
    ['ball', <Ball key="ball" color={color} args={[0.4, 24, 16]} />],
    ['cuboid', <Box key="box" color={color} args={[0.6, 0.6, 0.6]} />],
    ['hull', <Cylinder key="cylinder" color={color} args={[0.35, 0.35, 0.7, 20]} />],
    ['hull', <Cone key="cone" color={color} args={[0.45, 0.8, 20]} />],
    [
      'hull',
      <Solid key="gem" color={color}>
        <octahedronGeometry args={[0.5]} />
      </Solid>,
    ],
  ][index % 5] as ['ball' | 'cuboid' | 'hull', JSX.Element];
  return (
    <RigidBody
      name={`shape ${index}`}
      colliders={colliders}
      position={[(spread(index) - 0.5) * 3, height, 0]}
      rotation={[turn, turn / 2, 0]}
      restitution={0.3}
    >
      {mesh}
    </RigidBody>
  );
}

function Board({ onClick }: { readonly onClick: () => void }): JSX.Element {
  return (
    <group
      onClick={(event) => {
        event.stopPropagation();
        onClick();
      }}
    >
      <RigidBody type="fixed" colliders="hull">
        {range(PEG_ROWS).flatMap((row) =>
          range(row % 2 === 0 ? 6 : 5).map((peg) => (
            <Cylinder
              key={`${row} ${peg}`}
              color="#cfd6df"
              args={[0.15, 0.15, 1.8, 16]}
              position={[(peg - (row % 2 === 0 ? 2.5 : 2)) * 1.5, 1 + row, 0]}
              rotation={[Math.PI / 2, 0, 0]}
            />
          )),
        )}
      </RigidBody>
      <RigidBody type="fixed">
        <Box color={WOOD} args={[10, 20, 0.3]} position={[0, 5, -1]} />
        <Box color={WOOD} args={[0.4, 20, 2]} position={[-4.8, 5, 0]} />
        <Box color={WOOD} args={[0.4, 20, 2]} position={[4.8, 5, 0]} />
        <Box color={WOOD} args={[10, 0.4, 2]} position={[0, -5, 0]} />
        {range(5).map((wall) => (
          <Box key={wall} color={WOOD} args={[0.15, 4, 2]} position={[(wall - 2) * 1.6, -3, 0]} />
        ))}
        {/* The pane in front, which is not seen. */}
        <CuboidCollider args={[5, 25, 0.1]} position={[0, 20, 1.1]} />
      </RigidBody>
    </group>
  );
}

export const scene: Scene = {
  camera: { position: [0, 5, 26], target: [0, 4, 0], aspect: 0.8 },
  Content,
};
