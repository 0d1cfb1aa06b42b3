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
      'Now and then the machine stands still for 180 ms. A makes up for it in one long step, which carries the shot ' +
      'from before the wall to behind it. B takes steps of 17 ms, however many, and sees the wall each time.',
    settings: { left: 'variable', hitches: HITCHES_AT_WALL, speed: 0.5, view: [500, 2500] },
    stillAtMs: 1100,
  },
  'frame-skip': {
    title: 'Frame skip',
    look:
      'A simulates 50 times a second and draws 144 times: two of three pictures are the one before once more. ' +
      'B has the same 50 states and draws between them.',
    settings: { left: 'frame-skip', displayHz: 144, tickHz: 50, speed: 0.25, view: [500, 1000] },
    stillAtMs: 900,
  },
  'fixed-predict': {
    title: 'Fixed step, predicted',
    look:
      'A goes on from the newest state by its speed, which is right until something turns round: between a bounce ' +
      'and the tick that notices it the ball is drawn inside the floor. B never shows what has not happened.',
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
      'A is smooth, exact, and late: between two states that are both known lies the past, at 20 ticks a second a ' +
      'twentieth of one. Look how far it is behind its ghost. B shows now, by steps that no other machine repeats.',
    settings: { left: 'fixed', right: 'variable', displayHz: 144, tickHz: 20, speed: 0.5 },
  },
  'refresh-multiple': {
    title: 'Multiples of the refresh interval',
    look:
      'A simulates four refreshes at most in one step, but here it is told to let everything pass when it is behind ' +
      '(pass-through): after a lag of 180 ms one huge step goes through the wall.',
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
      'Nothing is due most of the time, and A wakes each millisecond to find that out: the slivers in its lane of ' +
      'waits, a thousand turns a second. B sleeps as much in a third of the turns: it knows when it is wanted next. ' +
      'A draws 144 pictures of 60 states.',
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
      'A takes equal steps of at most 20 ms until it has passed now. This display shows a picture each 20.8 ms: for ' +
      'one it takes two steps, the second up to 19 ms before its time, for the next none: its dots come in pairs. B moves ' +
      'evenly.',
    settings: { left: 'bounded-variable', displayHz: 48, updateMs: 1, frameMs: 2, speed: 0.25 },
  },
} as const satisfies Readonly<Partial<Record<StepperKind, Preset>>>;
