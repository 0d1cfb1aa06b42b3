/** A simulation on an engine that is loaded when the simulation begins. */
import { isDevelopment } from '../../shared/development/is-development.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireNumber } from '../../shared/util/validate.js';
import type { AnyRapier } from './any-rapier.js';
import { engineName, MAX_FLOAT32 } from './rapier-builds.js';
import { RapierRun } from './rapier-run.js';
import type { RapierScene, RapierTools } from './rapier-scene.js';
import type {
  CreateRapierSimulation,
  DeclaredEvents,
  RapierSimulation,
  RapierSimulationOptions,
} from './rapier-simulation.js';

const DEFAULT_GRAVITY = { x: 0, y: -9.81, z: 0 } as const;

/** `rapierSimulation` of the build that this loads. */
export const simulationsOn =
  <R>(loadEngine: () => Promise<R>): CreateRapierSimulation<R> =>
  (build, options = {}) =>
    engineSimulation(build, options, loadEngine);

/**
 * As `rapierSimulation`.
 *
 * @param loadEngine Called in `init`.
 */
export function engineSimulation<
  R,
  C extends CommandMap = Record<never, never>,
  T extends EventMap = EventMap,
  E extends EventMap = DeclaredEvents<T>,
  Q extends CommandMap = Record<never, never>,
  S extends Json = Json,
  B extends Json = Json,
>(
  build: (tools: RapierTools<T, R>) => RapierScene<C, E, Q, S, B>,
  options: RapierSimulationOptions,
  loadEngine: () => Promise<R>,
): RapierSimulation<C, E, Q, B> {
  if (typeof build !== 'function') throw new TypeError('build must be a function');
  let rapier: AnyRapier | undefined;
  let begun: RapierRun<RapierScene<C, E, Q, S, B>> | undefined;
  const run = (): RapierRun<RapierScene<C, E, Q, S, B>> => {
    if (begun === undefined) throw new Error('the simulation has not been initialized');
    return begun;
  };
  return {
    get commands() {
      return begun?.built.scene.commands ?? ({} as C);
    },
    get queries() {
      return begun?.built.scene.queries ?? ({} as Q);
    },
    async init(context) {
      requireKnownKeys('rapierSimulation', options, ['gravity', 'load']);
      const { gravity = DEFAULT_GRAVITY, load } = options;
      for (const axis of ['x', 'y', 'z'] as const) {
        requireNumber(`gravity.${axis}`, gravity[axis], -MAX_FLOAT32, MAX_FLOAT32);
      }
      const [loaded, warnings] = await Promise.all([
        loadEngine(),
        isDevelopment ? import('./development/worker-warnings.js') : undefined,
        load?.(),
      ]);
      rapier = loaded as AnyRapier;
      const watchWorld = warnings?.watchWorld;
      begun = new RapierRun({ rapier, context, gravity, watchWorld }, build);
    },
    step: (dt, tick, inputs) => run().built.step(dt, tick, inputs),
    reset: () => run().reset(),
    save: () => run().built.save(),
    restore: (bytes) => run().restore(bytes),
    keep: (used) => run().keep(used),
    engine: () => (rapier === undefined ? '' : engineName(rapier)),
    hash(hash) {
      const { physics, scene } = run().built;
      physics.hashInto(hash);
      scene.hash?.(hash);
    },
    onInvalidPose(id, how) {
      const { physics } = run().built;
      return how === 'freeze' ? physics.freeze(id) : physics.remove(id);
    },
    dispose() {
      begun?.built.free();
      begun = undefined;
    },
  };
}
