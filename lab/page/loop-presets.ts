/**
 * For each loop a situation that shows its weakness, and the sign to look for. Some loops share a
 * situation of presets.ts. Pure.
 */
import type { Hitch } from '../engine/index.js';
import type { StepperKind } from '../engine/loops/registry.js';
import type { Preset } from './presets.js';

/** Lags of 180 ms, each just when a shot (one in 730 ms) is before the wall. */
const HITCHES_AT_WALL: readonly Hitch[] = [1, 3, 5, 7, 9, 11].map((shot) => ({
  atMs: 730 * shot + 130,
  durationMs: 180,
}));

export const LOOP_PRESETS = {
  variable: {
    title: 'Variable step',
    look:
      'The machine stalls for 180 ms from time to time. A catches up in one long step, which carries the shot through ' +
      'the wall. B takes several steps of 17 ms and hits the wall each time.',
    settings: { left: 'variable', hitches: HITCHES_AT_WALL, speed: 0.5, view: [500, 2500] },
    stillAtMs: 1100,
  },
  'frame-skip': {
    title: 'Frame skip',
    look:
      'A simulates 50 times per second and draws 144 times: two of three frames repeat the previous one. ' +
      'B has the same 50 states and interpolates between them.',
    settings: { left: 'frame-skip', displayHz: 144, tickHz: 50, speed: 0.25, view: [500, 1000] },
    stillAtMs: 900,
  },
  'fixed-predict': {
    title: 'Fixed step, predicted',
    look:
      'A extrapolates from the newest state by its velocity, which is right until the direction changes: between a bounce ' +
      'and the next tick, the ball is drawn inside the floor. B shows only what has happened.',
    settings: {
      left: 'fixed-predict',
      displayHz: 144,
      tickHz: 20,
      speed: 0.5,
      view: [500, 1500],
    },
    stillAtMs: 1000,
  },
  fixed: {
    title: 'Fixed step, interpolated',
    look:
      'A is smooth and exact, but late: it interpolates between two known states, so at 20 ticks per second it is a ' +
      'twentieth of a second behind its ghost. B shows the present, with time steps that no other machine repeats.',
    settings: { left: 'fixed', right: 'variable', displayHz: 144, tickHz: 20, speed: 0.5 },
  },
  'refresh-multiple': {
    title: 'Multiples of the refresh interval',
    look:
      'A simulates at most four refresh intervals per step, but here it is set to pass longer times through ' +
      '(pass-through): after a stall of 180 ms, one huge step goes through the wall.',
    settings: {
      left: 'refresh-multiple',
      hitches: HITCHES_AT_WALL,
      speed: 0.5,
      view: [500, 2500],
    },
    stillAtMs: 1120,
    options: { 'refresh-multiple': { overload: 'pass-through' } },
  },
  'rate-groups': {
    title: 'Rate groups',
    look:
      'Most of the time nothing is due, but A wakes up every millisecond to check: these are the slivers in its lane of ' +
      'waits, a thousand iterations per second. B sleeps as long in a third of the iterations, because it knows when the ' +
      'next tick is due. A draws 144 frames of 60 states.',
    settings: {
      left: 'rate-groups',
      displayHz: 144,
      vsync: false,
      renderHz: 144,
      updateMs: 0.5,
      frameMs: 1,
      speed: 0.1,
      view: [1000, 1060],
    },
    stillAtMs: 1040,
  },
  'bounded-variable': {
    title: 'Bounded variable step',
    look:
      'A takes equal steps of at most 20 ms until it has passed the current time. This display shows a frame every ' +
      '20.8 ms: for one frame A takes two steps, the second up to 19 ms early, and for the next none, so its dots come in ' +
      'pairs. B moves evenly.',
    settings: { left: 'bounded-variable', displayHz: 48, updateMs: 1, frameMs: 2, speed: 0.25 },
  },
} as const satisfies Readonly<Partial<Record<StepperKind, Preset>>>;
