/** Components on a world in a real worker, drawn by fiber: the tests change what is mounted, and read what is there. */
import { Canvas, useFrame, type RootState } from '@react-three/fiber';
import { StrictMode, useEffect, useState, type JSX } from 'react';
import { createRoot } from 'react-dom/client';
import {
  CuboidCollider,
  Physics,
  RigidBody,
  type PhysicsProps,
  type RapierRigidBody,
} from '../../../src/render-main/react/index.js';
import type { World, WorldHandle } from '../../../src/render-main/world/index.js';
import { pageListeners } from './page-listeners.js';
import type { simulation as panicking } from './react.worker.js';

/** What a test mounts. */
export interface Mounted {
  /** Another one is another `<Physics>`. */
  readonly key?: number;
  /** Several `<Physics>` with these keys, in the place of one. */
  readonly keys?: readonly number[];
  readonly frameloop?: 'always' | 'demand';
  readonly isStrict?: boolean;
  /** Whether there is a canvas at all. */
  readonly isShown?: boolean;
  readonly hasBall?: boolean;
  /** Of the ball: see {@link PANICS}. */
  readonly gravityScale?: number;
  /** Of the library, or one in which a body can make the engine panic. */
  readonly worker?: 'panicking';
  readonly transport?: 'shared' | 'transfer' | 'local';
}

const events: string[] = [];
/** Every worker that was created, and whether it was ended. */
const workers: { isEnded: boolean }[] = [];
let frames = 0;
let ready = 0;
let world: World | undefined;
let simulation: WorldHandle | undefined;
const simulations = new Map<number, WorldHandle>();
let ball: RapierRigidBody | null = null;
let state: RootState | undefined;

const OriginalWorker = globalThis.Worker;
globalThis.Worker = class extends OriginalWorker {
  readonly #entry = { isEnded: false };

  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    workers.push(this.#entry);
  }

  override terminate(): void {
    this.#entry.isEnded = true;
    super.terminate();
  }
};

const createPanicking = () =>
  new Worker(new URL('./react.worker.ts', import.meta.url), { type: 'module' });

function Frames(): null {
  useFrame((current) => {
    frames += 1;
    state = current;
  });
  return null;
}

function Scene({
  hasBall,
  gravityScale,
}: Required<Pick<Mounted, 'hasBall' | 'gravityScale'>>): JSX.Element {
  return (
    <>
      <Frames />
      <RigidBody type="fixed" name="plate">
        <CuboidCollider args={[5, 0.5, 5]} position={[0, -0.5, 0]} />
      </RigidBody>
      <CuboidCollider
        sensor
        args={[5, 0.5, 5]}
        position={[0, 3, 0]}
        onIntersectionEnter={() => events.push('enters the sensor')}
        onIntersectionExit={() => events.push('leaves the sensor')}
      />
      {hasBall && (
        <RigidBody
          name="ball"
          colliders="ball"
          position={[0, 6, 0]}
          gravityScale={gravityScale}
          ref={(body) => {
            ball = body;
          }}
          onCollisionEnter={({ other }) => events.push(`touches ${other.rigidBodyObject?.name}`)}
          onSleep={() => events.push('sleeps')}
        >
          <mesh>
            <sphereGeometry args={[0.5]} />
          </mesh>
        </RigidBody>
      )}
    </>
  );
}

function App(): JSX.Element {
  const [mounted, setMounted] = useState<Mounted>({ isShown: false });
  // A test may call as soon as this is there: not before there is something that it changes.
  useEffect(() => {
    globalThis.components = { show: setMounted, ...reported };
  }, []);
  const { frameloop = 'always', isShown = true, isStrict = false, key = 0, transport } = mounted;
  const { keys = [key] } = mounted;
  const propsOf = (name: number): Omit<PhysicsProps, 'children'> => ({
    ...(transport === undefined ? {} : { transport }),
    ...(mounted.worker === undefined ? {} : { worker: createPanicking }),
    onReady(readyWorld, handle) {
      ready += 1;
      world = readyWorld;
      simulation = handle;
      simulations.set(name, handle);
      handle.on('status', ({ kind }) => kind === 'disposed' && simulations.delete(name));
      if (mounted.worker === 'panicking')
        (readyWorld as World<typeof panicking>).system('panicking');
    },
  });
  const physics = keys.map((name) => (
    <Physics key={name} {...propsOf(name)}>
      <Scene hasBall={mounted.hasBall ?? true} gravityScale={mounted.gravityScale ?? 1} />
    </Physics>
  ));
  return (
    <>
      {isShown && (
        <Canvas frameloop={frameloop}>
          {isStrict ? <StrictMode>{physics}</StrictMode> : physics}
        </Canvas>
      )}
    </>
  );
}

declare global {
  /** What tests do and read, when the page is rendered. */
  var components: {
    show(mounted: Mounted): void;
    /** Since the last call. */
    takeEvents(): string[];
    workers(): { made: number; ended: number };
    frames(): number;
    /** How many worlds have begun to run. */
    ready(): number;
    isRunning(): boolean;
    /** The newest ticks of those that run, by their keys. */
    ticks(): Record<number, number>;
    /** How many listeners the window and the document have. */
    listeners(): number;
    transport(): string | undefined;
    /** The newest height of the ball. */
    height(): number | undefined;
    /** The height of its object. */
    drawnHeight(): number | undefined;
    bodies(): number;
  };
}

const reported: Omit<typeof components, 'show'> = {
  takeEvents: () => events.splice(0),
  workers: () => ({
    made: workers.length,
    ended: workers.filter(({ isEnded }) => isEnded).length,
  }),
  frames: () => frames,
  ready: () => ready,
  isRunning: () => simulation?.state === 'running',
  ticks: () =>
    Object.fromEntries([...simulations].map(([name, handle]) => [name, handle.stats().tick])),
  listeners: pageListeners,
  transport: () => simulation?.transport.kind,
  height: () => ball?.translation().y,
  drawnHeight: () => state?.scene.getObjectByName('ball')?.position.y,
  bodies: () => world?.bodies.len() ?? 0,
};

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
