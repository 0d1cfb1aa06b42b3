/** Small apps, as tutorials write them: one file on both libraries, drawn by the same frames, ends alike. */
import type { ComponentType } from 'react';
import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { present } from '../fixtures/present.js';
import { VirtualTime } from '../fixtures/virtual-time.js';
import { runCanvas } from './run-canvas.js';
import { runOnPeer } from './run-on-peer.js';
import { runScene } from './run-scene.js';

interface Module {
  readonly App: ComponentType;
}
const ours = import.meta.glob<Module>('./small-apps/*.tsx');
const theirs = import.meta.glob<Module>('./small-apps/*.tsx', { query: '?peer' });

type Frames = readonly [frames: number, hz: number, frameloop?: 'always' | 'demand'];

/** How many frames each may be drawn, and how many in a second. */
const FRAMES: Readonly<Record<string, Frames>> = {
  platform: [300, 144],
  'own-loop': [120, 60],
  demand: [480, 60, 'demand'],
};

type Place = [x: number, y: number, z: number];

/** The highest place of each named object that is drawn, and its last one each time that frames ended, and at the end. */
type Shown = Record<string, { top: number; at: Place[] }>;

async function play(
  { App }: Module,
  [frames, hz, frameloop = 'always']: Frames,
  time: VirtualTime,
): Promise<Shown> {
  // As on a page, where canvases draw before engines are loaded.
  const canvas = await runCanvas(frameloop, null);
  canvas.frame();
  await time.advance(50);
  canvas.render(<App />);
  const shown: Shown = {};
  let ends = 0;
  let isDrawn = false;
  for (let frame = 0; frame < frames; frame++) {
    const { pictures } = canvas;
    await time.advance(1000 / hz);
    canvas.frame();
    if (isDrawn && canvas.pictures === pictures) ends += 1;
    isDrawn = canvas.pictures > pictures;
    canvas.scene.traverse((object) => {
      if (object.name === '') return;
      const at = object.getWorldPosition(new Vector3()).toArray();
      const known = (shown[object.name] ??= { top: at[1], at: [] });
      known.top = Math.max(known.top, at[1]);
      known.at[ends] = at;
    });
  }
  await time.until(canvas.unmount());
  // The simulation ends, too.
  await time.advance(1000);
  return shown;
}

test.each(Object.entries(FRAMES))(
  'the small app %s shows the same in both libraries',
  async (name, frames) => {
    const load = (files: Record<string, () => Promise<Module>>): Promise<Module> =>
      present(files[`./small-apps/${name}.tsx`])();
    const modules = [await load(theirs), await load(ours)] as const;
    // Modules and engines load in real time.
    await runOnPeer(null);
    await (await runScene(null)).unmount();
    const time = new VirtualTime();
    // The stamps of frames never go back.
    time.nowMs = 1000 * Math.ceil(performance.now() / 1000);
    const there = await play(modules[0], frames, time);
    const here = await play(modules[1], frames, time);
    expect(Object.keys(here)).toEqual(Object.keys(there));
    for (const [object, { top, at }] of Object.entries(there)) {
      const mine = here[object] as Shown[string];
      expect(Math.abs(mine.top / top - 1), object).toBeLessThan(0.03);
      expect(mine.at, object).toHaveLength(at.length);
      for (const [end, place] of at.entries()) {
        const away = new Vector3(...place).distanceTo(new Vector3(...(mine.at[end] as Place)));
        expect(away, object).toBeLessThan(0.03 * Math.max(1, Math.hypot(...place)));
      }
    }
  },
);
