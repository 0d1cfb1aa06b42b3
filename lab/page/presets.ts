/** The situations that the lab shows, each with what to look for. Pure. */
import type { StepperKind } from '../engine/loops/registry.js';
import { LOOP_PRESETS } from './loop-presets.js';
import type { SharedSettings } from './settings.js';
import type { GivenOptions } from './stepper-options.js';

export interface Preset {
  readonly title: string;
  /** What to look for, in a sentence or two. */
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
      'Both loops simulate only 25 times a second. A also draws only then: it stands while its ghost goes on, and leaps after it. B draws between ' +
      'two states at each of 144 refreshes: the same simulation, smooth, and one tick behind its ghost.',
    settings: { displayHz: 144, tickHz: 25 },
  },
  'slow-machine': {
    title: 'Slow machine',
    look:
      'A frame takes 24 ms here, more than a 60 Hz display leaves. A updates once a frame and falls into ' +
      'slow motion, away from its ghost. B runs two updates before each frame: fewer pictures, right speed.',
    settings: { machineSpeed: 0.25, updateMs: 1, frameMs: 6 },
  },
  'fast-machine': {
    title: 'Fast machine',
    look:
      'Nothing holds the loops back. A makes one step for each frame and races round its ghost, almost ' +
      'seven times too fast. B makes even more frames and keeps its speed: it asks what time it is.',
    settings: { left: 'unpaced', vsync: false, machineSpeed: 4, updateMs: 2, frameMs: 8 },
  },
  'one-lag': {
    title: 'One long lag',
    look:
      'At 1.5 s the machine stands still for half a second. A then plays in fast motion until it has ' +
      'caught up. B takes a quarter of a second of it in one go, gives up the rest, and stays behind for good.',
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
      'An update costs 25 ms and simulates only 16.7. A owes more before each frame than before the last, ' +
      'and its frames die out. B owes at most a quarter of a second: slow motion, but alive.',
    settings: { left: 'semi-fixed', updateMs: 25, view: [0, 6000] },
    stillAtMs: 4000,
  },
  '59-94': {
    title: '59.94 against 60',
    look:
      'The rates differ by 1 in 1,000: every 17 s they beat against each other, and stamps are 0.2 ms off, ' +
      'as in life. Around the beat A shows a picture twice and skips the next, for two seconds. B does not notice.',
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
    title: 'Noisy stamps',
    look:
      'Every reading of the clock is up to 2 ms off. A decides by it whether an update is due, and the ' +
      'picture stands still or leaps by two. B is off by no more than the noise.',
    settings: { left: 'frame-skip', noiseMs: 2, speed: 0.25 },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof SITUATIONS | keyof typeof LOOP_PRESETS;
export const PRESETS: Readonly<Record<PresetName, Preset>> = { ...SITUATIONS, ...LOOP_PRESETS };
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];
/** Those named after an event, not after a loop. */
export const SITUATION_NAMES = Object.keys(SITUATIONS) as readonly PresetName[];

/** The preset that shows a loop's fault (as loop A), and the fault in one to three words. */
export const FAULT_OF: Readonly<Record<StepperKind, { preset: PresetName; fault: string }>> = {
  unpaced: { preset: 'fast-machine', fault: 'runs too fast' },
  'frame-locked': { preset: 'slow-machine', fault: 'slow motion' },
  variable: { preset: 'variable', fault: 'through walls' },
  'frame-skip': { preset: 'frame-skip', fault: 'repeats pictures' },
  'fixed-predict': { preset: 'fixed-predict', fault: 'inside the floor' },
  'semi-fixed': { preset: 'spiral', fault: 'spiral of death' },
  fixed: { preset: 'fixed', fault: 'a tick late' },
  'refresh-multiple': { preset: 'refresh-multiple', fault: 'through walls' },
  'rate-groups': { preset: 'rate-groups', fault: '1,000 turns a second' },
  'bounded-variable': { preset: 'bounded-variable', fault: 'leaps ahead, waits' },
};
