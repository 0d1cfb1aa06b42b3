/** The situations that the lab shows, each with what to look for. Pure. */
import type { StepperKind } from '../engine/loops/registry.js';
import { LOOP_PRESETS } from './loop-presets.js';
import type { SharedSettings } from './settings.js';
import type { GivenOptions } from './stepper-options.js';

export interface Preset {
  readonly title: string;
  /** A hint where to look, in a sentence or two. */
  readonly look: string;
  /** Differences from the common settings. */
  readonly settings: Partial<SharedSettings>;
  /** Where a paused page shows the fault, in ms. Default: 700 after the beginning of the range. */
  readonly stillAtMs?: number;
  /** Options of its loops. Default none. */
  readonly options?: GivenOptions;
}

const SITUATIONS = {
  '144-hz': {
    title: '144 Hz display',
    look:
      'Both loops simulate only 25 times per second. A draws only new states: it stops while its ghost continues, then jumps after it. B interpolates ' +
      'at each of 144 refreshes: the same simulation, smooth, and one tick behind its ghost.',
    settings: { displayHz: 144, tickHz: 25 },
  },
  'slow-machine': {
    title: 'Slow machine',
    look:
      'A frame takes 24 ms here, longer than the interval of a 60 Hz display. A updates once per frame and falls into ' +
      'slow motion, away from its ghost. B runs two updates before each frame: fewer frames at the right speed.',
    settings: { machineSpeed: 0.25, updateMs: 1, frameMs: 6 },
  },
  'fast-machine': {
    title: 'Fast machine',
    look:
      'Nothing limits the loops. A takes one step per frame and runs almost seven times too fast, far ahead of its ' +
      'ghost. B draws even more frames at the right speed, because it reads the clock.',
    settings: { left: 'unpaced', vsync: false, machineSpeed: 4, updateMs: 2, frameMs: 8 },
  },
  'one-lag': {
    title: 'One long stall',
    look:
      'At 1.5 s the machine stalls for half a second. A then runs in fast motion until it has caught up. B catches up ' +
      'a quarter of a second at once, drops the rest, and stays behind permanently.',
    settings: {
      tickHz: 25,
      hitches: [{ atMs: 1500, durationMs: 500 }],
      speed: 0.5,
      view: [1000, 3000],
    },
    stillAtMs: 2300,
  },
  spiral: {
    title: 'Spiral of death',
    look:
      'An update costs 25 ms and simulates only 16.7. A falls further behind with each frame until it draws no more. ' +
      'B catches up at most a quarter of a second: slow motion, but it keeps running.',
    settings: { left: 'semi-fixed', updateMs: 25, view: [0, 6000] },
    stillAtMs: 4000,
  },
  '59-94': {
    title: '59.94 Hz and 60 Hz',
    look:
      'The rates differ by 1 in 1,000, so they beat every 17 s, and timestamps are up to 0.2 ms off, as on real ' +
      'machines. Around the beat, A repeats and skips frames for two seconds. B is unaffected.',
    settings: {
      left: 'frame-skip',
      displayHz: 59.94,
      noiseMs: 0.2,
      seconds: 20,
      speed: 0.25,
      view: [14_500, 15_500],
    },
  },
  'noisy-stamps': {
    title: 'Noisy timestamps',
    look:
      'Every reading of the clock is up to 2 ms off. A uses it to decide whether an update is due, so it repeats ' +
      'frames or jumps by two. B is off by no more than the noise.',
    settings: { left: 'frame-skip', noiseMs: 2, speed: 0.25 },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof SITUATIONS | keyof typeof LOOP_PRESETS;
export const PRESETS: Readonly<Record<PresetName, Preset>> = { ...SITUATIONS, ...LOOP_PRESETS };
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];
/** Presets named after an event, not after a loop. */
export const SITUATION_NAMES = Object.keys(SITUATIONS) as readonly PresetName[];

/** The preset that shows a loop's fault (as loop A), and the fault in one to three words. */
export const FAULT_OF: Readonly<Record<StepperKind, { preset: PresetName; fault: string }>> = {
  unpaced: { preset: 'fast-machine', fault: 'runs too fast' },
  'frame-locked': { preset: 'slow-machine', fault: 'slow motion' },
  variable: { preset: 'variable', fault: 'through walls' },
  'frame-skip': { preset: 'frame-skip', fault: 'repeats frames' },
  'fixed-predict': { preset: 'fixed-predict', fault: 'inside the floor' },
  'semi-fixed': { preset: 'spiral', fault: 'spiral of death' },
  fixed: { preset: 'fixed', fault: 'a tick late' },
  'refresh-multiple': { preset: 'refresh-multiple', fault: 'through walls' },
  'rate-groups': { preset: 'rate-groups', fault: '1,000 iterations per second' },
  'bounded-variable': { preset: 'bounded-variable', fault: 'jumps ahead, waits' },
};
