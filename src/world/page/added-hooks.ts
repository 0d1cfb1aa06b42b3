/** Functions of the page that run within the ticks of its world, in a world in the page's own thread. */
import { requireFunction, requireKnownKeys } from '../../shared/util/validate.js';
import type { StepTiming } from '../shared/world-batch.js';
import type { PageHooks, PairHandles, RunningTick } from '../worker/page-hooks.js';
import type { TickEngine } from './tick-engine.js';
import type { WorldLink } from './world-link.js';

/** Functions that run within each tick: see `World.addStepHooks`. All are optional. */
export interface StepHooks {
  /** Runs before the engine's step, after the changes of the page and before all systems. */
  readonly beforeStep?: () => void;
  /** Runs after the engine's step and after all systems, before the bodies are published. */
  readonly afterStep?: () => void;
  /**
   * Is asked of each pair that may touch, if a collider of it has `ActiveHooks.FILTER_CONTACT_PAIRS` and no system has
   * decided. Arguments are handles, from 1; undefined for a body that is not there.
   *
   * @returns 32 bits of `SolverFlags`, or null for what others decide. If all return null, the two do not touch.
   */
  readonly filterContactPair?: (...handles: PairHandles) => number | null;
  /**
   * Is asked of each sensor and each collider that it may notice, if one of them has
   * `ActiveHooks.FILTER_INTERSECTION_PAIRS`.
   *
   * @returns False if the sensor does not notice it.
   */
  readonly filterIntersectionPair?: (...handles: PairHandles) => boolean;
}

/** @throws TypeError if one is no function, or has another name. */
export function checkedHooks(hooks: StepHooks): StepHooks {
  requireKnownKeys('addStepHooks', hooks, [
    'beforeStep',
    'afterStep',
    'filterContactPair',
    'filterIntersectionPair',
  ]);
  for (const [name, hook] of Object.entries(hooks)) {
    if (hook !== undefined) requireFunction(name, hook);
  }
  return hooks;
}

const METHODS = { before: 'beforeStep', after: 'afterStep' } as const;

function called<T>(method: keyof StepHooks, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`a hook of the page failed in ${method}: ${why}`, { cause });
  }
}

export class AddedHooks implements PageHooks {
  /** Makes the engine of a tick. Undefined until its code is loaded, which is before the first tick. */
  makeEngine: ((tick: RunningTick, link: WorldLink) => TickEngine) | undefined;
  readonly #hooks = new Set<StepHooks>();
  #link: WorldLink | undefined;
  #engine: TickEngine | undefined;
  /** How many of them filter. */
  #filters = 0;

  start(link: WorldLink): void {
    this.#link = link;
  }

  get isFiltering(): boolean {
    return this.#filters > 0;
  }

  /** @returns Removes it. */
  add(hooks: StepHooks): () => void {
    // Another object each time: the same one may be added twice.
    const added = { ...hooks };
    const isFilter = (hooks.filterContactPair ?? hooks.filterIntersectionPair) !== undefined;
    this.#hooks.add(added);
    if (isFilter) this.#filters += 1;
    return () => {
      if (this.#hooks.delete(added) && isFilter) this.#filters -= 1;
    };
  }

  run(timing: StepTiming, tick: RunningTick): void {
    if (this.#hooks.size === 0) return;
    const method = METHODS[timing];
    this.#engineOf(tick).run(timing, () => {
      for (const hooks of this.#hooks) called(method, () => hooks[method]?.());
    });
  }

  filterContactPair(tick: RunningTick, ...handles: PairHandles): number | null {
    return this.#engineOf(tick).answer(() => {
      for (const { filterContactPair } of this.#hooks) {
        if (filterContactPair === undefined) continue;
        const answer = called('filterContactPair', () => filterContactPair(...handles));
        if (answer !== null) return answer;
      }
      return null;
    });
  }

  filterIntersectionPair(tick: RunningTick, ...handles: PairHandles): boolean {
    return this.#engineOf(tick).answer(() => {
      for (const { filterIntersectionPair } of this.#hooks) {
        if (filterIntersectionPair === undefined) continue;
        const answer = called('filterIntersectionPair', () => filterIntersectionPair(...handles));
        if (answer === false) return false;
      }
      return true;
    });
  }

  /** A world that was restored is another engine's. */
  #engineOf(tick: RunningTick): TickEngine {
    if (this.#engine?.tick === tick) return this.#engine;
    const { makeEngine } = this;
    const link = this.#link;
    if (makeEngine === undefined || link === undefined) throw new Error('the world has not begun');
    this.#engine = makeEngine(tick, link);
    return this.#engine;
  }
}
