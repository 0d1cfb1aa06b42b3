/** Runs the same components on `@react-three/rapier`, whose engine is on this page, to compare what they make. */
import { act, type JSX, type ReactNode } from 'react';
import { create } from '@react-three/test-renderer';
import * as peer from '@react-three/rapier';
import { onTestFinished } from 'vitest';
import type * as ours from '../../src/react/index.js';
import { setActing } from './run-scene.js';

/** The components that a test is written with: either library's. */
export type Library = Pick<typeof ours, keyof typeof ours & keyof typeof peer>;

/** The other library, with the types of this one. */
export const peerLibrary = peer as unknown as Library;

/** A scene, until the end of its test. */
export interface PeerScene {
  readonly world: peer.RapierContext['world'];
  /** Advances by some seconds. */
  readonly step: peer.RapierContext['step'];
  render(children: ReactNode, props?: Partial<peer.PhysicsProps>): Promise<void>;
  /** Advances that many ticks, and draws a frame after them. */
  ticks(count: number): Promise<void>;
  /** Draws a frame, whose time it simulates unless it is paused. */
  frame(seconds: number): Promise<void>;
}

export async function runOnPeer(
  children: ReactNode,
  props: Partial<peer.PhysicsProps> = {},
  { Physics, useRapier }: Pick<typeof peer, 'Physics' | 'useRapier'> = peer,
): Promise<PeerScene> {
  let context: peer.RapierContext | undefined;
  const Reader = (): null => {
    context = useRapier();
    return null;
  };
  const sceneOf = (content: ReactNode, changed: Partial<peer.PhysicsProps> = {}): JSX.Element => (
    <Physics paused {...props} {...changed}>
      <Reader />
      {content}
    </Physics>
  );
  setActing(true);
  const renderer = await create(sceneOf(children));
  onTestFinished(async () => {
    setActing(true);
    await renderer.unmount();
  });
  // The peer shows nothing until its engine is loaded.
  while (context === undefined) await act(() => new Promise((resolve) => setTimeout(resolve, 1)));
  const { world } = context;
  // Props of the world change the function.
  const step = (seconds: number): void => context?.step(seconds);
  return {
    world,
    step,
    render: async (content, changed) => {
      await renderer.update(sceneOf(content, changed));
    },
    frame: (seconds) => act(() => renderer.advanceFrames(1, seconds)),
    async ticks(count) {
      for (let tick = 0; tick < count; tick++) await act(async () => step(1 / 60));
      await act(() => renderer.advanceFrames(1, 1 / 60));
    },
  };
}
