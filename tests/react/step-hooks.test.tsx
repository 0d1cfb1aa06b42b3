/** Step hooks of `transport="local"`, compared with those of `@react-three/rapier`. */
import { act, createRef, useRef, useState, type JSX } from 'react';
import { expect, test, vi } from 'vitest';
import * as own from '../../src/react/index.js';
import type { WorldHandle } from '../../src/world/page/index.js';
import { runCanvas } from './run-canvas.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { warningsOfTest } from '../fixtures/worlds.js';
import { AS_IN_WORKER, errorOf, runScene } from './run-scene.js';

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

const Logged = ({
  library,
  name,
  log,
}: {
  readonly library: Library;
  readonly name: string;
  readonly log: string[];
}): null => {
  const body = useRef(0);
  library.useAfterPhysicsStep(() => log.push(`after ${name} ${body.current}`));
  library.useBeforePhysicsStep(() => {
    body.current += 1;
    log.push(`before ${name} ${body.current}`);
  });
  return null;
};

/** A hook that mounts and unmounts others, and a body, while it runs. */
const Switch = ({
  library,
  log,
}: {
  readonly library: Library;
  readonly log: string[];
}): JSX.Element => {
  const [calls, setCalls] = useState(0);
  library.useBeforePhysicsStep((world) => {
    log.push(`bodies ${world.bodies.len()}`);
    setCalls((count) => count + 1);
  });
  return (
    <>
      {calls < 2 && <Logged key="a" name="a" log={log} library={library} />}
      {calls > 0 && <Logged key="b" name="b" log={log} library={library} />}
      {calls > 1 && <library.RigidBody />}
    </>
  );
};

test('what a hook mounts and unmounts is there and gone when it is on the peer', async () => {
  const [mine, theirs]: [string[], string[]] = [[], []];
  const scene = await runScene(<Switch library={own} log={mine} />);
  const peer = await runOnPeer(<Switch library={peerLibrary} log={theirs} />);
  await scene.ticks(4);
  await peer.ticks(4);
  expect(mine).toEqual(theirs);
  expect(mine).toContain('after b 3');
});

const { useFilterContactPair, useFilterIntersectionPair } = own;

test.each(Object.entries({ useFilterContactPair, useFilterIntersectionPair }))(
  'with a worker, %s is an error that names all ways out',
  async (hook, useFilter) => {
    const Strange = (): null => {
      useFilter(() => null as never);
      return null;
    };
    const message = await errorOf(<Strange />, AS_IN_WORKER);
    expect(message).toContain(`${hook} cannot work on the page`);
    for (const way of ['useSystem', 'oneWay', 'ignores', 'transport="local"'])
      expect(message).toContain(way);
  },
);

const Broken = (): null => {
  own.useAfterPhysicsStep(() => {
    throw new Error('no');
  });
  return null;
};

test('a step hook that throws fails the scene', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const failures: string[] = [];
  const scene = await runScene(<Broken />, {
    recovery: 'none',
    onFailure: ({ message }) => failures.push(message),
  });
  await act(() => scene.context.step(1 / 60).catch(() => {}));
  expect(failures).toEqual([expect.stringContaining('failed in afterStep: no')]);
});

const Pusher = ({
  reads,
  pushes,
}: {
  readonly reads: number;
  readonly pushes: (tick: number) => boolean;
}): JSX.Element => {
  const body = useRef<own.RapierRigidBody>(null);
  const tick = useRef(0);
  own.useBeforePhysicsStep(() => {
    tick.current += 1;
    for (let count = 0; count < reads; count++) body.current?.linvel();
    if (pushes(tick.current)) body.current?.addForce({ x: 0, y: 1, z: 0 }, true);
  });
  return <own.RigidBody ref={body} name="hover" />;
};

test('in a worker, a control loop gets one warning that names the ways out', async () => {
  const warnings = warningsOfTest();
  const scene = await runScene(null, AS_IN_WORKER);
  // Neither what only pushes, nor what does so for a while.
  await scene.render(
    <>
      <Pusher reads={0} pushes={() => true} />
      <Pusher reads={1} pushes={(tick) => tick % 60 !== 0} />
    </>,
  );
  await scene.ticks(130);
  expect(warnings()).toEqual([]);
  await scene.render([
    <Pusher key="1" reads={1} pushes={() => true} />,
    <Pusher key="2" reads={1} pushes={() => true} />,
  ]);
  await scene.ticks(130);
  expect(warnings()).toHaveLength(1);
  for (const part of ['"hover"', 'useSystem', 'useVehicle', 'transport="local"'])
    expect(warnings()[0]).toContain(part);
});

const Walker = (): JSX.Element => {
  const body = useRef<own.RapierRigidBody>(null);
  own.useBeforePhysicsStep(() => {
    const { x, y, z } = body.current?.translation() ?? { x: 0, y: 0, z: 0 };
    body.current?.setNextKinematicTranslation({ x: x + 0.1, y, z });
  });
  return <own.RigidBody ref={body} type="kinematicPosition" name="walker" />;
};

test('in a worker, a body that is moved on from where it is in each tick gets a warning', async () => {
  const warnings = warningsOfTest();
  const scene = await runScene(<Walker />, AS_IN_WORKER);
  await scene.ticks(130);
  expect(warnings()).toEqual([expect.stringMatching(/"walker".* useCharacter/)]);
});

test('hooks are called for every tick of a world that runs, from the first one on', async () => {
  const calls = { before: 0, after: 0 };
  let simulation: WorldHandle | undefined;
  const Counter = (): null => {
    own.useBeforePhysicsStep(() => void (calls.before += 1));
    own.useAfterPhysicsStep(() => void (calls.after += 1));
    return null;
  };
  const canvas = await runCanvas(
    'always',
    <own.Physics transport="local" onReady={(_, handle) => (simulation = handle)}>
      <Counter />
    </own.Physics>,
  );
  await canvas.until(() => (simulation?.stats().tick ?? 0) > 3);
  const { tick } = simulation?.stats() ?? {};
  expect(calls).toEqual({ before: tick, after: tick });
});
