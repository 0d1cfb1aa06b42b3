/** A simulation on Rapier, for which the application writes only the scene. */
import { isDevelopment } from '../shared/util/development.js';
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { Json } from '../shared/util/json.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import { requireKnownKeys, requireFunction, requireNumber } from '../shared/util/validate.js';
import { batchesOf, type KeptState, type Simulation } from '../sim-worker/api/simulation.js';
import type { AnyRapier } from './any-rapier.js';
import type { MemoryCopy } from './engine-memory.js';
import { engineName } from './rapier-builds.js';
import * as LIMITS from '../shared/util/limits.js';
import { type RapierScene, type RapierTools, SceneRun } from './rapier-scene.js';

/** Options of {@link rapierSimulation}. */
export interface RapierSimulationOptions {
  /** In m/s², or the simulation's own unit: three numbers, finite in 32 bits. Default { x: 0, y: -9.81, z: 0 }. */
  readonly gravity?: { readonly x: number; readonly y: number; readonly z: number };
  /**
   * Awaited before the first scene is built, while the engine loads: for files that `build` needs. Default: nothing.
   */
  readonly load?: () => Promise<void>;
}

/**
 * A simulation created by {@link rapierSimulation}. Before `init`, it has no commands and no queries.
 *
 * @typeParam C Its commands.
 * @typeParam E Its custom events.
 * @typeParam Q Its queries.
 * @typeParam T The tags of its bodies.
 */
export interface RapierSimulation<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  T extends Json = Json,
> extends Simulation<C, E, Q, T> {
  /** Commands of the current scene. */
  readonly commands: C;
  /** Queries of the current scene. */
  readonly queries: Q;
  /** Builds another scene from the context's setup and seed. */
  reset(): void;
  /** Saves the world, and what the scene saves, without a checksum, which the saved state of a run has. */
  save(): Uint8Array;
  /**
   * Restores what `save` returned, in this simulation or another one.
   *
   * @throws RangeError if the bytes are not a saved state, or are from another engine. Nothing changes
   *   then.
   */
  restore(bytes: Uint8Array): void;
}

/** Without an annotation, nothing is known of the events. */
type DeclaredEvents<T extends EventMap> = string extends keyof T ? Record<never, never> : T;

/**
 * The type of {@link rapierSimulation}, for a build of Rapier.
 *
 * @typeParam R The type of the build's module. The scene gets its types.
 */
export interface CreateRapierSimulation<R> {
  /** @throws TypeError if `build` is not a function. */
  <
    C extends CommandMap = Record<never, never>,
    T extends EventMap = EventMap,
    E extends EventMap = DeclaredEvents<T>,
    Q extends CommandMap = Record<never, never>,
    S extends Json = Json,
    B extends Json = Json,
  >(
    build: (tools: RapierTools<T, R>) => RapierScene<C, E, Q, S, B>,
    options?: RapierSimulationOptions,
  ): RapierSimulation<C, E, Q, B>;
}

const DEFAULT_GRAVITY = { x: 0, y: -9.81, z: 0 } as const;

/**
 * `rapierSimulation` of a build.
 *
 * @param loadEngine Called in `init`.
 */
export const simulationsOn =
  <R>(loadEngine: () => Promise<R>): CreateRapierSimulation<R> =>
  (build, options = {}) => {
    requireFunction('build', build);
    let rapier: AnyRapier | undefined;
    let run: SceneRun<ReturnType<typeof build>> | undefined;
    /** The copies of states that can be restored: another state may have the memory since. */
    const usable = new WeakMap<KeptState, MemoryCopy>();
    const current = () => {
      if (run === undefined) throw new Error('the simulation has not been initialized');
      return run;
    };
    /** A scene is freed when the next one is there. */
    const replaceBy = (next: SceneRun<ReturnType<typeof build>>): void => {
      const before = current();
      run = next;
      before.free();
    };
    return {
      get commands() {
        return run?.scene.commands ?? ({} as never);
      },
      get applyBatch() {
        return batchesOf(run?.scene);
      },
      get queries() {
        return run?.scene.queries ?? ({} as never);
      },
      async init(context) {
        requireKnownKeys('rapierSimulation', options, ['gravity', 'load']);
        const { gravity = DEFAULT_GRAVITY, load } = options;
        for (const axis of ['x', 'y', 'z'] as const) {
          requireNumber(`gravity.${axis}`, gravity[axis], -LIMITS.float32, LIMITS.float32);
        }
        const [loaded, warnings] = await Promise.all([
          loadEngine(),
          isDevelopment ? import('./worker-warnings.js') : undefined,
          load?.(),
        ]);
        rapier = loaded as AnyRapier;
        run = new SceneRun({ build, rapier, context, gravity, watchWorld: warnings?.watchWorld });
      },
      step: (dt, tick, inputs) => current().step(dt, tick, inputs),
      reset: () => replaceBy(current().again()),
      save: () => current().save(),
      restore: (bytes) => replaceBy(current().restored(bytes)),
      keep(used) {
        const kept = current().keep(used && usable.get(used));
        if (kept === undefined) return undefined;
        if (used !== undefined) usable.delete(used);
        const state: KeptState = {
          bytes: kept.memory.content.length,
          canRestore: () => usable.has(state) && current().canGoBackTo(kept),
          restore() {
            if (!state.canRestore()) throw new Error('the engine cannot return to this state');
            run = current().goneBackTo(kept);
          },
        };
        usable.set(state, kept.memory);
        return state;
      },
      engine: () => (rapier === undefined ? '' : engineName(rapier)),
      hash(hash) {
        const { physics, scene } = current();
        physics.hashInto(hash);
        scene.hash?.(hash);
      },
      onInvalidPose(id, how) {
        const { physics } = current();
        return how === 'freeze' ? physics.freeze(id) : physics.remove(id);
      },
      dispose() {
        run?.free();
        run = undefined;
      },
    };
  };
