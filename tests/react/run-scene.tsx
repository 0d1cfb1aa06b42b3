/** Runs React components on a world in this thread: a test advances the ticks and draws the frames. */
import { StrictMode, act, type JSX, type ReactNode } from 'react';
import { create } from '@react-three/test-renderer';
import { setConsoleFunction, type Object3D } from 'three';
import { onTestFinished, vi } from 'vitest';
import {
  Physics,
  useRapier,
  type PhysicsProps,
  type RapierContext,
} from '../../src/react/index.js';
import { runLocally } from '../../src/sim-worker/run-locally.js';
import { createWorldSimulation } from '../../src/world/worker/index.js';
import type { World, WorldHandle } from '../../src/world/page/index.js';

// Fiber uses a clock that three.js warns of.
setConsoleFunction(() => {});

/** @param isAct Whether React renders in `act` alone, or when it likes. */
export function setActing(isAct: boolean): void {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = isAct;
}

/** A scene, as a test sees it. */
export interface RunningScene {
  /** The result of `useRapier`. */
  readonly context: RapierContext;
  readonly world: World;
  readonly simulation: WorldHandle;
  /** Advances that many ticks, and draws a frame after each. */
  ticks(count: number): Promise<void>;
  /** Draws a frame of the newest state. */
  frame(): Promise<void>;
  /** Renders other children. */
  render(children: ReactNode, props?: Partial<PhysicsProps>): Promise<void>;
  /** The object with a name. */
  object(name: string): Object3D;
  /** The end of the test does it, too. */
  unmount(): Promise<void>;
}

/** As in a worker: callbacks of steps are called for the ticks that the page has received. */
export const AS_IN_WORKER: Partial<PhysicsProps> = {
  transport: 'auto',
  worker: () => runLocally(createWorldSimulation()),
};

type SceneProps = Partial<PhysicsProps> & { readonly isStrict?: boolean };

/** @param props Of `<Physics>`, which is paused. */
export async function runScene(children: ReactNode, props: SceneProps = {}): Promise<RunningScene> {
  setActing(true);
  let context: RapierContext | undefined;
  const Reader = (): null => {
    context = useRapier();
    return null;
  };
  const { isStrict = false, ...rest } = props;
  const sceneOf = (content: ReactNode, changed: Partial<PhysicsProps> = {}): JSX.Element => {
    const scene = (
      // Much faster than the standard capacity.
      <Physics transport="local" paused capacity={64} {...rest} {...changed}>
        <Reader />
        {content}
      </Physics>
    );
    return isStrict ? <StrictMode>{scene}</StrictMode> : scene;
  };
  const renderer = await create(sceneOf(children));
  let isMounted = true;
  const unmount = async (): Promise<void> => {
    setActing(true);
    if (isMounted) await renderer.unmount();
    isMounted = false;
  };
  onTestFinished(unmount);
  const present = (): RapierContext => {
    if (context === undefined) throw new Error('the scene was not rendered');
    return context;
  };
  const simulation = await act(() => present().world.ready);
  // A paused world is drawn as it is.
  const frame = (): Promise<void> => act(() => renderer.advanceFrames(1, 1 / 60));
  return {
    get context() {
      return present();
    },
    get world() {
      return present().world;
    },
    simulation,
    async ticks(count) {
      for (let tick = 0; tick < count; tick++) {
        await act(() => present().step(1 / 60));
        await frame();
      }
    },
    frame,
    render: async (content, changed) => {
      await renderer.update(sceneOf(content, changed));
    },
    object: (name) => renderer.scene.findByProps({ name }).instance as Object3D,
    unmount,
  };
}

/** The error that rendering a scene throws. React also writes it on the console, which is not shown. */
export async function errorOf(children: ReactNode, props?: SceneProps): Promise<string> {
  const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {});
  try {
    const scene = await runScene(children, props).catch((error: unknown) => error as Error);
    return scene instanceof Error ? scene.message : 'nothing was thrown';
  } finally {
    console.mockRestore();
  }
}
