/** Step hooks of `transport="local"`, compared with those of `@react-three/rapier`. */
import { createRef, type JSX } from 'react';
import { expect, test } from 'vitest';
import * as own from '../../src/react/index.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';

type Answer = number | null | undefined;

const Filter = ({
  library,
  answer,
}: {
  readonly library: Library;
  readonly answer: Answer;
}): null => {
  library.useFilterContactPair(() => answer as number | null);
  return null;
};

const FILTERS: readonly (readonly Answer[])[] = [
  [null],
  [0],
  [1],
  [undefined],
  [null, 0],
  [0, 1],
  [1, 0],
  [undefined, 1],
];

test.each(FILTERS.map((answers) => [answers] as const))(
  'filters that answer %j do what they do on the peer',
  async (answers) => {
    const contents = (library: Library, body: React.Ref<own.RapierRigidBody>): JSX.Element => (
      <>
        {answers.map((answer, index) => (
          <Filter key={index} library={library} answer={answer} />
        ))}
        <library.CuboidCollider args={[5, 0.5, 5]} />
        <library.RigidBody ref={body} position={[0, 1.2, 0]} colliders={false}>
          <library.BallCollider args={[0.5]} />
        </library.RigidBody>
      </>
    );
    const [mine, theirs] = [createRef<own.RapierRigidBody>(), createRef<own.RapierRigidBody>()];
    const scene = await runScene(contents(own, mine));
    const peer = await runOnPeer(contents(peerLibrary, theirs));
    for (const { current } of [mine, theirs]) current?.collider(0).setActiveHooks(1);
    await scene.ticks(40);
    await peer.ticks(40);
    expect(mine.current?.translation().y).toBeCloseTo(
      theirs.current?.translation().y ?? Number.NaN,
      2,
    );
  },
);
