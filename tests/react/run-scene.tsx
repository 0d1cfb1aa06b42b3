/** Runs React components on a world in this thread: a test advances the ticks and draws the frames. */
import { StrictMode, act, type JSX, type ReactNode } from 'react';
import { create } from '@react-three/test-renderer';
import type { Object3D } from 'three';
import {
  Physics,
  useRapier,
  type PhysicsProps,
  type RapierContext,
} from '../../src/render-main/react/index.js';
import type { World, WorldHandle } from '../../src/render-main/world/index.js';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** What a test has of a scene. */
export interface RunningScene {
  /** What `useRapier` returns. */
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
  unmount(): Promise<void>;
}

/** @param props Of `<Physics>`, which is paused. */
export async function runScene(
  children: ReactNode,
  props: Partial<PhysicsProps> & { readonly isStrict?: boolean } = {},
): Promise<RunningScene> {
  let context: RapierContext | undefined;
  const Reader = (): null => {
    context = useRapier();
    return null;
  };
  const { isStrict = false, ...rest } = props;
  const sceneOf = (content: ReactNode, changed: Partial<PhysicsProps> = {}): JSX.Element => {
    const scene = (
      <Physics transport="local" paused {...rest} {...changed}>
        <Reader />
        {content}
      </Physics>
    );
    return isStrict ? <StrictMode>{scene}</StrictMode> : scene;
  };
  const renderer = await create(sceneOf(children));
  const present = (): RapierContext => {
    if (context === undefined) throw new Error('the scene was not rendered');
    return context;
  };
  const simulation = await act(() => present().world.ready);
  // Frames are sampled by real time: what is paused is drawn as it is, a delay after its last tick.
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
    unmount: () => renderer.unmount(),
  };
}
