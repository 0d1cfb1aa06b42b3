/** The parts of a walk: how it connects, and its sequence of operations. */
import fc from 'fast-check';
import type { ConnectOptions, InterpolationMode } from '../../../src/render-main/index.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';
import { present } from '../../fixtures/present.js';
import { stepsOf, type Operation, type Operations } from '../../fixtures/walk.js';
import { nth, type Caller, type WalkMore, type WalkStep, type Walker } from './walker.js';

const RATES = [1, 20, 60, 240, 1000];
const SCALES = [0.01, 0.5, 1, 7, 100];
/** On the clock that measures options on workers: a check, a stall, a worker that is given up. */
const PASSING_MS = [100, 2500, 7000];

/** A call with the options of its step. */
const call =
  (make: (by: Caller, n: number) => Promise<unknown>): Operation<Walker, WalkMore> =>
  (walker, n, step) =>
    walker.call(step, (by) => make(by, n));

/** A call of one that there may be. */
const callOf =
  <T>(
    find: (walker: Walker, n: number) => T | undefined,
    make: (one: T, by: Caller, n: number, walker: Walker) => Promise<unknown>,
  ): Operation<Walker, WalkMore> =>
  (walker, n, step) => {
    const one = find(walker, n);
    return one && walker.call(step, (by) => make(one, by, n, walker));
  };

/** Usually the last, or the one before. */
const replayOf = ({ replays }: Walker, n: number) => replays.at(-1 - (n % 2));

export const OPERATIONS: Operations<Walker, WalkMore> = {
  note: [
    8,
    (walker, n, step) => {
      const id = walker.nextId();
      const more = Float64Array.from({ length: n }, (_, index) => id + index);
      const make = ({ handle: { commands } }: Caller) =>
        n % 2 === 0 ? commands.note(id) : commands.note(id, more);
      return walker.call(step, make, id);
    },
  ],
  noteAndThrow(walker, _, step) {
    const id = walker.nextId();
    return walker.call(step, ({ handle: { commands } }) => commands.noteAndThrow(id), id);
  },
  poison(walker, _, step) {
    const id = walker.nextId();
    return walker.call(step, ({ handle: { commands } }) => commands.poison(id));
  },
  input: [4, (walker) => walker.push()],
  pause: [2, call(({ handle, options }) => handle.pause(options))],
  resume: [4, call(({ handle, options }) => handle.resume(options))],
  step: [4, call(({ handle, options }, n) => handle.step(1 + n, options))],
  seek: [
    3,
    call(({ handle, options }, n) => handle.seek(Math.max(0, handle.stats().tick - n), options)),
  ],
  restore: [
    2,
    callOf(
      ({ states }, n) => nth(states, n),
      (state, { handle, options }) => handle.restore(state, options),
    ),
  ],
  openReplay: [
    2,
    callOf(
      ({ recordings }, n) => nth(recordings, n),
      (recording, { options }, _, walker) => walker.openReplay(recording, options),
    ),
  ],
  seekInReplay: [3, callOf(replayOf, (replay, { options }, n) => replay.seek(n, options))],
  closeReplay: [3, callOf(replayOf, (replay, { options }) => replay.close(options))],
  rebuild: call(({ handle: { queries } }) => queries.rebuild()),
  save: [2, (walker, _, step) => walker.call(step, (by) => walker.save(by))],
  recording: [2, (walker, _, step) => walker.call(step, () => walker.keepRecording())],
  rate: [
    2,
    (walker, _, step) =>
      walker.set(step, 'tickRateHz', RATES, ({ handle, options }, value) =>
        handle.setTickRate(value, options),
      ),
  ],
  scale: (walker, _, step) =>
    walker.set(step, 'timeScale', SCALES, ({ handle, options }, value) =>
      handle.setTimeScale(value, options),
    ),
  catchUp: call(({ handle, options }, n) => handle.setMaxCatchUpTicks(1 + n, options)),
  echo: [2, call(({ handle: { queries } }, n) => queries.echo(n))],
  refuse: call(({ handle: { queries } }) => queries.refuse('refused on request')),
  never: call(({ handle: { queries } }) => queries.never()),
  sample: [3, ({ handle, world }) => void handle.sample(world.nowMs)],
  stats({ handle }) {
    handle.stats();
    void handle.rewindRange;
  },
  resetStats: ({ handle }) => handle.resetStats(),
  events({ handle, offs }, n) {
    if (n % 3 === 0) for (const off of offs.splice(0)) off();
    else offs.push(handle.on('noted', () => {}, { when: n % 2 === 0 ? 'now' : 'shown' }));
  },
  stall: call(({ handle: { queries } }, n) => queries.stall(n * 3)),
  stallStep: call(({ handle: { queries } }, n) => queries.stallStep(n * 3)),
  failOnce: call(({ handle: { queries } }) => queries.failOnce()),
  hang: call(({ handle: { queries } }) => queries.hang()),
  end: call(({ handle: { queries } }) => queries.end()),
  endInStep: call(({ handle: { queries } }) => queries.endInStep()),
  openGate: ({ world }) => world.openGate(),
  timePasses: ({ world }, n) => world.timePasses(nth(PASSING_MS, n) ?? 0),
  kill: ({ world }) => world.kill(),
  replaceWorker: [2, call(({ handle, options }) => handle.replaceWorker(undefined, options))],
  dispose: [0.25, (walker, _, step) => void walker.call(step, ({ handle }) => handle.dispose())],
};

export interface Walk {
  readonly options: ConnectOptions;
  /** As in browsers: a worker that ends says nothing. And none that hangs comes back. */
  readonly endsSilently: boolean;
  readonly cannotSave: boolean;
  readonly cannotReset: boolean;
  readonly stepCostMs: number;
  readonly steps: readonly WalkStep[];
}

/** Undefined this much more often than one of the others. */
const mostly = <T>(weight: number, ...others: T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight }, fc.constantFrom(...others));
const often = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, fc.constantFrom(...others));

/** An option without effect next to the others is refused. */
function asOptions({ isRecorded, recovery, recording, tunables, ...rest }: Drawn): ConnectOptions {
  return tuned(
    { ...rest, recovery, recording: isRecorded || recovery === 'restart' ? recording : false },
    tunables,
  );
}

const drawn = fc.record({
  tickRateHz: often(50, 10, 240, 1000),
  timeScale: often(1, 0.25, 4),
  maxCatchUpTicks: often(5, 1, 40),
  display: fc.record({
    interpolation: often<InterpolationMode>('interpolate', 'none', 'extrapolate'),
  }),
  startPaused: fc.boolean(),
  seed: fc.nat(),
  isRecorded: often(true, false),
  recording: fc.record({
    hashEveryTicks: often(1, 7),
    rewindSeconds: often(0, 1),
    saveEverySeconds: often(0.1, 2),
  }),
  recovery: fc.constantFrom('restart' as const, 'none' as const),
  tunables: fc.record({
    marginMs: often<number | 'auto'>('auto', 0, 20),
    history: fc.integer({ min: 2, max: 4 }),
    // Some walks fill it.
    inputWords: often(2 ** 12, 2 ** 7),
    eventWords: often(2 ** 12, 2 ** 6),
  }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer Options> ? Options : never;

/** Only what ends or hangs a worker goes wrong. A clock that jumps would end one that is well. */
const GONE_WEIGHTS = {
  kill: 2,
  end: 1,
  endInStep: 1,
  hang: 1,
  poison: 0,
  failOnce: 0,
  timePasses: 0,
  dispose: 0,
};
export const GONE_OPERATIONS: Operations<Walker, WalkMore> = {
  ...OPERATIONS,
  ...Object.fromEntries(
    Object.entries(GONE_WEIGHTS).map(([name, weight]) => {
      const operation = present(OPERATIONS[name]);
      return [name, [weight, typeof operation === 'function' ? operation : operation[1]]];
    }),
  ),
};

/** @param length Operations of a walk, at most. @param begin Those that it begins with. @param operations Drawn after these. */
export const walksOf = (
  length: number,
  begin: readonly WalkStep[] = [],
  operations = OPERATIONS,
): fc.Arbitrary<Walk> =>
  fc.record({
    options: drawn.map(asOptions),
    endsSilently: often(false, true),
    cannotSave: often(false, true),
    cannotReset: fc.oneof({ arbitrary: fc.constant(false), weight: 9 }, fc.constant(true)),
    stepCostMs: often(0, 4),
    steps: stepsOf(operations, {
      maxLength: length,
      max: 30,
      more: {
        stop: mostly(6, 'before' as const, 'soon' as const),
        wait: mostly(3, 'turns' as const, 'ms' as const, 'settled' as const),
      },
    }).map((steps) => begin.concat(steps)),
  });
