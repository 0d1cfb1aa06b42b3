/**
 * Constants that no application has to set, with their reasons. Tests and benchmarks replace some of them with
 * {@link tuned}.
 */
import { MAX_STATES } from '../../shared/memory/layout.js';

export interface Tunables {
  /** States in a snapshot. As many as a slot may have: more allow a longer margin, and cost memory only. */
  readonly history: number;
  /**
   * How far the display runs behind beyond one period. `'auto'`: the shortest time with which a frame in a thousand
   * starves. A number of ms is for tests, whose delay must not change.
   */
  readonly marginMs: number | 'auto';
  /** How long a worker may take to load and to run `init`: long enough for a slow network and a large scene. */
  readonly startTimeoutMs: number;
  /**
   * A step that takes this long counts as hanging. On a machine short of processors, a step takes many times as long as
   * usual.
   */
  readonly hangLimitMs: number;
  /**
   * How long a worker may hang before it is given up: three times that limit, and longer than any observed time for which
   * a system did not schedule one of several threads.
   */
  readonly restartAfterMs: number;
  /** Most bytes of the states that the worker keeps during `rewindSeconds`: enough to keep one about each second in the largest scenes. */
  readonly keptBytes: number;
  /** Words of the input queue. Undefined: by the capacity; see {@link inputWordsOf}. */
  readonly inputWords: number | undefined;
  /** Words of the event queue: about five thousand events. */
  readonly eventWords: number;
}

const TUNABLES: Tunables = {
  history: MAX_STATES,
  marginMs: 'auto',
  startTimeoutMs: 30_000,
  hangLimitMs: 2000,
  restartAfterMs: 6000,
  keptBytes: 2 ** 28,
  inputWords: undefined,
  eventWords: 2 ** 16,
};

const KEY = Symbol('tunables');
interface Tuned {
  readonly [KEY]?: Partial<Tunables>;
}

/** @returns The options, with these in place of the constants, except for those that they replace already. */
export const tuned = <const Options extends object>(
  options: Options,
  tunables: Partial<Tunables>,
): Options => ({ ...options, [KEY]: { ...tunables, ...(options as Tuned)[KEY] } });

export const tunablesOf = (options: object): Tunables => ({
  ...TUNABLES,
  ...(options as Tuned)[KEY],
});
