/** `<Physics>`. */
import type { Vector } from '../shared/util/vectors.js';
import {
  Suspense,
  lazy,
  use,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type JSX,
} from 'react';
import { isDevelopment, whenLoaded } from '../shared/util/development.js';
import { checkProps, warnOfEmptyMembers } from './development.js';
import { requireChoice, requireNumber } from '../shared/util/validate.js';
import { named, naming, useLateErrors } from './errors.js';
import { tripleOf, withoutUndefined } from './props.js';
import { isSame, isSameSetting, vector } from '../world/page/checked-values.js';
import { WORLD } from '../world/shared/setting-tables.js';
import { settingsIn, type Getters } from '../world/shared/setting-types.js';
import { prepareEngine, prepareWorld, requireWorldOptions } from '../world/page/create-world.js';
import type { WorldHandle, WorldOptions } from '../world/page/index.js';
import { useDrawing } from './drawing.js';
import { ApiContext, PhysicsContext, type RapierContext } from './physics-context.js';
import type { PhysicsProps } from './types.js';
import { PhysicsScope } from './physics-scope.js';
import { rapier } from './rapier-values.js';

/** Loaded when it is shown: a page without `debug` does not need what draws the lines. */
const PhysicsDebug = lazy(async () => ({
  default: (await import('./physics-debug.js')).PhysicsDebug,
}));

const STANDARD_HZ = 60;
const STANDARD_CAPACITY = 8192;
const NAME = '<Physics>';
/** In development, with what explains the names that are missing. */
let rapierNames = rapier;
if (isDevelopment) {
  whenLoaded(import('./missing-names.js'), ({ withMissingNames }) => {
    rapierNames = withMissingNames(rapier);
  });
}

/** Settings of a world with other names and defaults as props of `@react-three/rapier`. */
const RENAMED: Readonly<Record<string, readonly [name: string, fallback: number]>> = {
  normalizedAllowedLinearError: ['allowedLinearError', 0.001],
  normalizedPredictionDistance: ['predictionDistance', 0.002],
};
/** The name of each prop, its default, and the parameter that it sets. */
const SOLVER_PROPS = settingsIn(WORLD).map(({ name, row, get }) => {
  const [prop, fallback] = RENAMED[name] ?? [name, row.default];
  return [prop, fallback, get] as [keyof PhysicsProps, number, Getters<typeof WORLD>];
});

/** Members of the context of `@react-three/rapier` that have nothing here. */
const EMPTY_MEMBERS = {
  rigidBodyStates: new Map<number, never>(),
  colliderStates: new Map<number, never>(),
  rigidBodyEvents: new Map<number, never>(),
  colliderEvents: new Map<number, never>(),
  filterContactPairHooks: new Set<never>(),
  filterIntersectionPairHooks: new Set<never>(),
};
const emptyMembers = isDevelopment ? warnOfEmptyMembers(EMPTY_MEMBERS) : EMPTY_MEMBERS;

/**
 * A world of bodies whose physics runs in a worker. Put it into a `<Canvas>`. It suspends until the engine has loaded that
 * answers questions on the page, and with `queries={false}` it shows at once; it moves when the worker runs. The world ends
 * with the component; another `key` begins another one.
 *
 * @throws TypeError or RangeError for an invalid prop. Later errors are thrown, too, so that an error boundary shows them,
 *   unless there is `onFailure`.
 */
export function Physics(props: PhysicsProps): JSX.Element {
  const { children, colliders = 'cuboid', debug = false, paused = false } = props;
  if (isDevelopment) checkProps('physics', NAME, props);
  const [generation, setGeneration] = useState(0);
  const [scope] = useState(
    () => new PhysicsScope(optionsOf(props), () => setGeneration((count) => count + 1)),
  );
  // Outside of React's state: a first render that is suspended keeps none, and runs no effects.
  if (scope.existingWorld === undefined) prepareWorld(worldOptionsOf(props));
  // In each render, as React wants it.
  if (scope.options.world.queries) use(prepareEngine());
  // Before the layout effects of bodies.
  useInsertionEffect(() => {
    scope.colliders = colliders;
  });
  useEffect(() => {
    scope.begin();
    return () => scope.end();
  }, [scope]);
  const simulation = useSimulation(scope, generation, props);
  useSettings(scope, simulation, props);
  useDrawing(scope, simulation, props);
  const api = useMemo(
    (): RapierContext => ({
      get rapier() {
        return rapierNames;
      },
      get world() {
        return scope.world;
      },
      setWorld: async (saved) => (await scope.world.ready).restore(saved),
      step: (deltaTime) => step(scope, deltaTime),
      isPaused: paused,
      isDebug: debug,
      physicsOptions: { colliders },
      beforeStepCallbacks: scope.beforeStep,
      afterStepCallbacks: scope.afterStep,
      ...emptyMembers,
    }),
    // Another generation has another world.
    [scope, generation, paused, debug, colliders],
  );
  // Apart from what changes while the simulation runs, so that no body is rendered for that.
  const value = useMemo(() => ({ scope, colliders }), [scope, colliders]);
  return (
    <PhysicsContext value={value}>
      <ApiContext value={api}>
        {children}
        {debug && (
          <Suspense>
            <PhysicsDebug key={generation} />
          </Suspense>
        )}
      </ApiContext>
    </PhysicsContext>
  );
}

function optionsOf(props: PhysicsProps): ConstructorParameters<typeof PhysicsScope>[0] {
  const { events = 'shown' } = props;
  requireChoice('events of <Physics>', events, ['shown', 'now']);
  const world = worldOptionsOf(props);
  naming(NAME, () => requireWorldOptions(world));
  return { events, world };
}

function worldOptionsOf(props: PhysicsProps): WorldOptions {
  const { capacity = STANDARD_CAPACITY, paused = false, recovery = 'restart' } = props;
  const { devtools = false, queries = true, seed, snapOver, transport, worker } = props;
  return {
    gravity: gravityOf(props),
    capacity,
    devtools,
    queries,
    recovery,
    tickRateHz: tickRateOf(props),
    startPaused: Boolean(paused),
    ...withoutUndefined({ seed, snapOver, transport, createWorker: worker }),
  };
}

const gravityOf = ({ gravity = [0, -9.81, 0] }: PhysicsProps): Vector =>
  naming(NAME, () => vector('gravity', tripleOf('gravity', gravity)), { gravity });

const tickRateOf = ({ timeStep = 1 / STANDARD_HZ }: PhysicsProps): number =>
  timeStep === 'vary'
    ? STANDARD_HZ
    : 1 / requireNumber('timeStep of <Physics>', timeStep, 0.001, 1);

/** The handle of the simulation, when its worker runs. */
function useSimulation(
  scope: PhysicsScope,
  generation: number,
  { onReady, onFailure }: PhysicsProps,
): WorldHandle | undefined {
  const [simulation, setSimulation] = useState<WorldHandle>();
  const setFailure = useLateErrors();
  const handlers = useRef({ onReady, onFailure });
  useLayoutEffect(() => {
    handlers.current = { onReady, onFailure };
  });
  useEffect(() => {
    const { world } = scope;
    let isOver = false;
    let off: (() => void) | undefined;
    const fail = (reason: Error): void => {
      if (isOver) return;
      // Only errors of props have these types.
      const isWrong = reason instanceof TypeError || reason instanceof RangeError;
      const error = isWrong ? (named(reason, NAME) as Error) : reason;
      if (handlers.current.onFailure === undefined) setFailure(error);
      else handlers.current.onFailure(error);
    };
    world.ready.then((handle) => {
      if (isOver) return;
      setSimulation(handle);
      off = handle.on('status', (status) => {
        if (status.kind === 'failed') fail(status.error);
      });
      handlers.current.onReady?.(world, handle);
    }, fail);
    return () => {
      isOver = true;
      off?.();
      setSimulation(undefined);
    };
  }, [scope, generation]);
  return simulation;
}

/** If the simulation has ended, its status says why. */
const ignore = (): void => {};

/** Sends the props that may change. */
function useSettings(
  scope: PhysicsScope,
  simulation: WorldHandle | undefined,
  props: PhysicsProps,
): void {
  const { interpolate = true, paused = false } = props;
  const { x, y, z } = gravityOf(props);
  const tickRateHz = tickRateOf(props);
  useSetting(scope, [x, y, z], ({ world }) => {
    // A world begins with the gravity of the first render.
    if (!isSameSetting(world.gravity, { x, y, z })) world.gravity = { x, y, z };
  });
  const solver = SOLVER_PROPS.map(([name]) => props[name]);
  useSetting(scope, solver, ({ world: { integrationParameters } }) => {
    for (const [name, fallback, parameter] of SOLVER_PROPS) {
      naming(`${name} of ${NAME}`, () => {
        integrationParameters[parameter] = (props[name] ?? fallback) as number;
      });
    }
  });
  useEffect(() => {
    if (simulation === undefined) return;
    if (simulation.tickRateHz !== tickRateHz) simulation.setTickRate(tickRateHz).catch(ignore);
  }, [simulation, tickRateHz]);
  useEffect(() => {
    (paused ? simulation?.pause() : simulation?.resume())?.catch(ignore);
  }, [simulation, paused]);
  useEffect(() => {
    simulation?.setInterpolation(interpolate ? 'interpolate' : 'none');
  }, [simulation, interpolate]);
}

/** Sets something of the world when its props change, and after a jump to where they may have been others. */
function useSetting(
  scope: PhysicsScope,
  values: readonly unknown[],
  set: (scope: PhysicsScope) => void,
): void {
  const [first] = useState(values);
  const setAgain = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    set(scope);
    // Until props change, what the application has set stays.
    if (!isSame(values, first)) setAgain.current = () => set(scope);
  }, [scope, ...values]);
  useLayoutEffect(() => {
    const follower = {
      resync(): void {
        if (!scope.leases.isReadOnly) setAgain.current?.();
      },
    };
    scope.leases.resyncables.add(follower);
    return () => void scope.leases.resyncables.delete(follower);
  }, [scope]);
}

async function step(scope: PhysicsScope, deltaTime: number): Promise<void> {
  const simulation = await scope.world.ready;
  scope.followChanges();
  scope.world.flush();
  const ticks = Math.max(1, Math.round(deltaTime * simulation.tickRateHz));
  scope.expectTicks(ticks);
  await simulation.step(ticks);
}
