/** A world, its worker and its bodies, while components come, wait, hide and go. */
import {
  Activity,
  Suspense,
  createRef,
  use,
  useRef,
  type JSX,
  type ReactNode,
  type Ref,
} from 'react';
import { Scene } from 'three';
import { createPortal } from '@react-three/fiber';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  BallCollider,
  Physics,
  RigidBody,
  useAfterPhysicsStep,
  useRapier,
  useSphericalJoint,
  type PhysicsProps,
  type RapierRigidBody,
  type SphericalJointParams,
} from '../../src/react/index.js';
import { type World, type WorldHandle } from '../../src/world/page/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation } from '../../src/world/worker/index.js';
import { withResolvers } from '../../src/render-main/util/promises.js';
import { eventually } from '../fixtures/eventually.js';
import { Boundary } from './boundary.js';
import { replaceComponent } from './hot-reload.js';
import { runCanvas, type RunningCanvas } from './run-canvas.js';

/** Workers of the running test. */
const workers = { made: 0, ended: 0 };
/** Errors that were reported on the console or as uncaught. */
const errors: unknown[] = [];
const noteError = (error: unknown): void => void errors.push(error);

/** @param loaded The worker is there when it has resolved. */
const workerAfter = (loaded: Promise<unknown>) => async () => {
  await loaded;
  workers.made += 1;
  const made = runLocally(createWorldSimulation());
  let isEnded = false;
  return {
    ...made,
    terminate: () => {
      // A worker that is still starting may be terminated twice: when no one waits for it, and when its start fails.
      if (!isEnded) workers.ended += 1;
      isEnded = true;
      made.terminate();
    },
  };
};
const worker = workerAfter(Promise.resolve());

beforeEach(() => {
  Object.assign(workers, { made: 0, ended: 0 });
  errors.length = 0;
  vi.spyOn(console, 'error').mockImplementation(noteError);
  process.on('uncaughtException', noteError);
  process.on('unhandledRejection', noteError);
});
afterEach(async ({ task }) => {
  await canvas.unmount();
  // Whatever a test has done: no worker is left, and nothing was reported.
  if (task.result?.state !== 'fail') {
    await eventually(() => expect(workers.ended).toBe(workers.made));
    expect(errors).toEqual([]);
  }
  process.off('uncaughtException', noteError);
  process.off('unhandledRejection', noteError);
});

const TestPhysics = ({ children, ...props }: Partial<PhysicsProps>): JSX.Element => (
  <Physics transport="local" capacity={64} worker={worker} {...props}>
    {children}
  </Physics>
);

const Ball = ({ body }: { readonly body?: Ref<RapierRigidBody> }): JSX.Element => (
  <RigidBody ref={body} position={[0, 100, 0]} colliders={false}>
    <BallCollider args={[0.5]} />
  </RigidBody>
);

/** The world of the last scene that has this component. */
let world: World;
const Reader = (): null => {
  ({ world } = useRapier());
  return null;
};

/** Something that is loaded: waited for until `load` is called. */
function loading(): { readonly load: () => void; readonly Loaded: () => JSX.Element } {
  const { promise, resolve: load } = withResolvers<void>();
  const Loaded = (): JSX.Element => {
    use(promise);
    return (
      <mesh>
        <boxGeometry />
      </mesh>
    );
  };
  return { load, Loaded };
}

const ANCHORS: SphericalJointParams = [
  [0, 100, 0],
  [0, 0, 0],
];

/** The canvas of the running test. */
let canvas: RunningCanvas;
const start = async (children: ReactNode): Promise<void> => {
  canvas = await runCanvas('always', children);
};
const y = (body: RapierRigidBody | null | undefined): number => body?.translation().y ?? Number.NaN;

test('several worlds on one page, and one in a portal, do not disturb each other', async () => {
  const bodies = [0, 1, 2].map(() => createRef<RapierRigidBody>());
  const worlds = bodies.map((body, index) => (
    <TestPhysics key={index} gravity={[0, -10 * (index + 1), 0]}>
      <Ball body={body} />
    </TestPhysics>
  ));
  const inPortal = <group key="portal">{createPortal(worlds[2], new Scene())}</group>;
  await start([worlds[0], worlds[1], inPortal]);
  await canvas.until(() => bodies.every(({ current }) => y(current) < 95));
  expect(new Set(bodies.map(({ current }) => current)).size).toBe(3);
  canvas.render([worlds[0]]);
  await canvas.until(() => workers.ended === 2);
  const before = y(bodies[0]?.current);
  await canvas.until(() => y(bodies[0]?.current) < before - 1);
  expect(workers.made).toBe(3);
});

test('a world that is unmounted before its worker is there leaves none behind', async () => {
  const { promise, resolve: load } = withResolvers<void>();
  const failed = vi.fn<(error: Error) => void>();
  await start(
    <TestPhysics worker={workerAfter(promise)} onFailure={failed}>
      <Ball />
    </TestPhysics>,
  );
  await canvas.until(() => canvas.pictures > 3);
  canvas.render(null);
  await canvas.until(() => canvas.pictures > 40);
  load();
  await canvas.until(() => canvas.pictures > 80);
  expect(failed).not.toHaveBeenCalled();
});

test('a world may be unmounted while it shows a recording', async () => {
  let ready: WorldHandle | undefined;
  await start(
    <TestPhysics onReady={(_, handle) => void (ready = handle)}>
      <Ball />
    </TestPhysics>,
  );
  await canvas.until(() => (ready?.stats().ticks ?? 0) > 30);
  await ready?.openReplay(ready.recording());
  canvas.render(null);
  await canvas.until(() => workers.ended === 1);
});

test('a render that is thrown away creates no worker, and a world that it has read ends', async () => {
  const { Loaded } = loading();
  const loaded = <Loaded />;
  const sceneOf = (key: string, reader?: JSX.Element): JSX.Element => (
    <Suspense key={key} fallback={null}>
      <TestPhysics>
        {reader}
        <Ball />
        {loaded}
      </TestPhysics>
    </Suspense>
  );
  await start(sceneOf('1'));
  await canvas.until(() => canvas.pictures > 20);
  expect(workers.made).toBe(0);
  canvas.render(sceneOf('2', <Reader />));
  await canvas.until(() => workers.made > 0);
  await canvas.until(() => workers.ended === workers.made);
});

test('a body and its joint stay while a boundary around it is suspended, and a model gets its collider when it is loaded', async () => {
  const [body, anchor] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const crate = createRef<RapierRigidBody>();
  const { load, Loaded } = loading();
  const Joined = (): null => {
    useSphericalJoint(anchor, body, ANCHORS);
    return null;
  };
  const sceneOf = (isLoading: boolean): JSX.Element => (
    <TestPhysics>
      <Reader />
      <Joined />
      {/* A body that comes is a reason to look for what joints lack. */}
      {isLoading && (
        <RigidBody ref={crate}>
          <Suspense fallback={null}>
            <Loaded />
          </Suspense>
        </RigidBody>
      )}
      <RigidBody ref={anchor} type="fixed" />
      <Suspense fallback={null}>
        <Ball body={body} />
        {isLoading && <Loaded />}
      </Suspense>
    </TestPhysics>
  );
  await start(sceneOf(false));
  await canvas.until(() => body.current !== null);
  const first = body.current;
  const joints = world.impulseJoints.getAll();
  expect(joints).toHaveLength(1);
  canvas.render(sceneOf(true));
  await canvas.until(() => body.current === null);
  await canvas.until(() => world.bodies.len() === 3);
  expect(first?.isValid()).toBe(true);
  await canvas.until(() => crate.current?.numColliders() === 0);
  load();
  await canvas.until(() => crate.current?.numColliders() === 1);
  await canvas.until(() => body.current !== null);
  expect(body.current).toBe(first);
  expect(world.impulseJoints.getAll()).toEqual(joints);
});

test('a world that is hidden ends, and another one begins when it is shown', async () => {
  const body = createRef<RapierRigidBody>();
  const worlds = new Set<World>();
  const scene = (
    <TestPhysics onReady={(made) => void worlds.add(made)}>
      <Ball body={body} />
    </TestPhysics>
  );
  await start(<Activity mode="visible">{scene}</Activity>);
  await canvas.until(() => y(body.current) < 99);
  canvas.render(<Activity mode="hidden">{scene}</Activity>);
  await canvas.until(() => workers.ended === 1);
  canvas.render(<Activity mode="visible">{scene}</Activity>);
  await canvas.until(() => worlds.size === 2);
  const before = y(body.current);
  await canvas.until(() => y(body.current) < before - 1);
  expect(workers.made).toBe(2);
});

const broken = (): Promise<never> => Promise.reject(new Error('no such script'));
const Failing = (): null => {
  useAfterPhysicsStep(() => {
    throw new Error('no such body');
  });
  return null;
};

test('what goes wrong is thrown to the nearest error boundary, or reported to onFailure', async () => {
  const [caught, reported]: [Error[], Error[]] = [[], []];
  const onFailure = (error: Error): void => void reported.push(error);
  await start(
    <>
      <Boundary errors={caught}>
        <TestPhysics worker={broken} />
      </Boundary>
      <TestPhysics worker={broken} onFailure={onFailure} />
      <TestPhysics recovery="none" onFailure={onFailure}>
        <Failing />
      </TestPhysics>
    </>,
  );
  await canvas.until(() => caught.length > 0 && reported.length > 1);
  expect([...caught, ...reported].map(String).toSorted()).toEqual([
    'Error: no such script',
    'Error: no such script',
    expect.stringContaining('failed in afterStep: no such body'),
  ]);
  // An error that a boundary has caught is on the console, too.
  expect(errors.splice(0)).not.toEqual([]);
});

const allItems = () => [...world.bodies.getAll(), ...world.impulseJoints.getAll()];

test('after a hot reload of their component, bodies continue, and so does what hooks have made', async () => {
  const body = createRef<RapierRigidBody>();
  const renders: string[] = [];
  const componentOf = (name: string) => (): JSX.Element => {
    renders.push(name);
    const anchor = useRef<RapierRigidBody>(null);
    useSphericalJoint(anchor, body, ANCHORS);
    return (
      <>
        <RigidBody ref={anchor} type="fixed" />
        <RigidBody ref={body} position={[0, 100, 0]} linearVelocity={[0, 0, 3]} />
      </>
    );
  };
  const First = componentOf('first');
  await start(
    <TestPhysics gravity={[0, 0, 0]}>
      <Reader />
      <First />
    </TestPhysics>,
  );
  await canvas.until(() => (body.current?.translation().z ?? 0) > 0.1);
  const before = allItems();
  expect(before).toHaveLength(3);
  replaceComponent(First, componentOf('edited'));
  await canvas.until(() => renders.includes('edited'));
  const { pictures } = canvas;
  await canvas.until(() => canvas.pictures > pictures + 10);
  expect(allItems()).toEqual(before);
  expect(body.current?.linvel().z).not.toBe(0);
  expect(body.current?.translation().z).toBeGreaterThan(0.1);
});
