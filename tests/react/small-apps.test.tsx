/** Small apps, as tutorials write them: one file on both libraries, drawn by the same frames, ends alike. */
import { create } from '@react-three/test-renderer';
import { act, type ComponentType } from 'react';
import { Vector3, type Object3D } from 'three';
import { expect, onTestFinished, test, vi } from 'vitest';
import { VirtualTime } from '../fixtures/virtual-time.js';
import { runOnPeer } from './run-on-peer.js';
import { runScene, setActing } from './run-scene.js';

interface Module {
  readonly App: ComponentType;
}
const ours = import.meta.glob<Module>('./small-apps/*.{tsx,jsx}');
const theirs = import.meta.glob<Module>('./small-apps/*.{tsx,jsx}', { query: '?peer' });

/** How many frames each is drawn, and how many in a second. */
const FRAMES: Readonly<Record<string, readonly [frames: number, hz: number]>> = {
  masses: [300, 60],
  dice: [300, 60],
  'own-steps': [120, 60],
  rays: [300, 60],
  platform: [300, 144],
  'own-loop': [200, 60],
};

type Place = [x: number, y: number, z: number];

/** The highest and the last place of each named object that is drawn. */
type Shown = Record<string, { top: number; at: Place }>;

async function play(
  { App }: Module,
  [frames, hz]: readonly [number, number],
  time: VirtualTime,
): Promise<Shown> {
  setActing(true);
  const renderer = await create(<App />);
  const named = (): Object3D[] =>
    renderer.scene.findAll(({ instance }) => instance.name !== '').map(({ instance }) => instance);
  const shown: Shown = {};
  for (let frame = 0; frame < frames; frame++) {
    await act(() => time.advance(1000 / hz));
    await act(() => renderer.advanceFrames(1, 1 / hz));
    for (const object of named()) {
      const at = object.getWorldPosition(new Vector3()).toArray();
      shown[object.name] = { top: Math.max(shown[object.name]?.top ?? at[1], at[1]), at };
    }
  }
  await act(() => renderer.unmount());
  // The simulation ends, too.
  await act(() => time.advance(1000));
  return shown;
}

test.each(Object.entries(FRAMES))(
  'the small app %s shows the same in both libraries',
  async (name, frames) => {
    const load = (files: Record<string, () => Promise<Module>>): Promise<Module> => {
      const [, file] = Object.entries(files).find(([path]) => path.includes(`/${name}.`)) ?? [];
      if (file === undefined) throw new Error(`there is no app ${name}`);
      return file();
    };
    const modules = [await load(theirs), await load(ours)] as const;
    // Modules and engines load in real time.
    await runOnPeer(null);
    await (await runScene(null)).unmount();
    const time = new VirtualTime();
    // The stamps of frames never go back.
    time.nowMs = 1000 * Math.ceil(performance.now() / 1000);
    // An app's own loop runs at 60 frames a second.
    vi.stubGlobal('requestAnimationFrame', (loop: () => void) => setTimeout(loop, 1000 / 60));
    vi.stubGlobal('cancelAnimationFrame', clearTimeout);
    onTestFinished(() => void vi.unstubAllGlobals());
    const there = await play(modules[0], frames, time);
    const here = await play(modules[1], frames, time);
    expect(Object.keys(here)).toEqual(Object.keys(there));
    for (const [object, { top, at }] of Object.entries(there)) {
      const mine = here[object] as Shown[string];
      const within = 0.03 * Math.max(1, Math.hypot(...at));
      expect(Math.abs(mine.top / top - 1), object).toBeLessThan(0.03);
      expect(new Vector3(...mine.at).distanceTo(new Vector3(...at)), object).toBeLessThan(within);
    }
  },
);
