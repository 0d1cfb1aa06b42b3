/** The simulation behind a world that the page makes: it applies the page's batches, and steps. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import { isBuiltIn } from '../shared/built-in-systems.js';
import {
  UNMET_PAIR,
  BATCH_PROBLEM,
  JOINT_BROKEN,
  type AppliedBatch,
  type DescribedWorld,
} from '../shared/world-batch.js';
import { loadRapier } from '../../rapier/load-simd.js';
import type { RapierScene, RapierTools } from '../../rapier/rapier-scene.js';
import { simulationsOn, type RapierSimulation } from '../../rapier/rapier-simulation.js';
import type { BatchSimulation } from '../../sim-worker/api/simulation.js';
import { startBelts } from './belts.js';
import type { HookedSimulation, PageHooks } from './page-hooks.js';
import { requireFilters, TickHooks } from './tick-hooks.js';
import type { SystemEventsOf, PropsOf, SystemMap } from './system.js';
import { UnmetPairs } from './unmet-pairs.js';
import { WaitingBatches } from './waiting-batches.js';
import { WorldContents } from './world-contents.js';
import { requireSystems } from './world-systems.js';

/**
 * The simulation of a world.
 *
 * @typeParam M Its systems.
 */
export interface WorldSimulation<
  M extends SystemMap = Record<never, never>,
> extends RapierSimulation<CommandMap, SystemEventsOf<M>, CommandMap, number> {
  /** Never read: its type declares the systems and their props. */
  readonly systems?: PropsOf<M>;
}

/**
 * A simulation of a world that the page makes with `createWorld`.
 *
 * @param systems Code of the application that runs with every tick, by the names that the page uses. Default: none.
 * @throws TypeError if a system is not one of `defineSystem`. @throws RangeError if its name begins with `betwixt/`.
 */
export function createWorldSimulation<M extends SystemMap = Record<never, never>>(
  systems: M = {} as M,
): WorldSimulation<M> {
  for (const [name, definition] of Object.entries(systems)) {
    if (isBuiltIn(name)) {
      throw new RangeError(
        `systems.${name}: names of the library begin with betwixt/. Take another`,
      );
    }
    if (typeof definition === 'function') continue;
    throw new TypeError(`systems.${name} must be a system: defineSystem((world) => ({ … }))`);
  }
  let page: PageHooks | undefined;
  const build = (tools: RapierTools) => {
    const { rapier, physics, context } = tools;
    const contents = new WorldContents(tools, systems);
    const waiting = new WaitingBatches();
    const hooks = new TickHooks(tools, contents);
    let unmet: UnmetPairs | undefined;
    let lastTick = 0;
    return {
      step(dt: number, tick: number, inputs: Parameters<Step>[2]) {
        lastTick = tick;
        const step = { dt, tick, inputs };
        // Characters compute with the time step of the world.
        physics.world.timestep = dt;
        for (const bytes of waiting.take(tick)) {
          // The batch's call has been answered.
          for (const problem of contents.applyWaiting(bytes)) {
            context.events.emit(BATCH_PROBLEM, problem);
          }
        }
        hooks.begin(tick, page);
        hooks.run('before');
        contents.systems.beforeStep(step);
        const endBelts = startBelts(rapier, physics.world, contents.bodies.surfaces, dt);
        contents.characters.beforeStep(dt);
        contents.vehicles.beforeStep(dt);
        const loosenRopes = contents.joints.tightenRopes();
        physics.step(dt, () => {
          endBelts();
          loosenRopes();
          for (const broken of contents.joints.breakOverloaded() ?? []) {
            context.events.emit(JOINT_BROKEN, broken);
          }
          contents.systems.afterStep(step);
          contents.vehicles.afterStep();
          hooks.run('after');
        });
        contents.characters.publish();
        const pairs = unmet?.afterStep(physics.world, (each) => contents.colliders.handleOf(each));
        for (const pair of pairs ?? []) context.events.emit(UNMET_PAIR, pair);
      },
      applyBatch(bytes: Uint8Array): AppliedBatch {
        if (hooks.takesRecorded(bytes)) return { tick: lastTick + 1, ids: [], problems: [] };
        const tick = waiting.add(bytes, lastTick + 1);
        if (tick !== undefined) return { tick, ids: [], problems: [] };
        return { tick: lastTick + 1, ...contents.apply(bytes) };
      },
      queries: {
        describe: (known: Uint32Array): DescribedWorld => ({
          tick: lastTick,
          bytes: contents.describe(new Set(known)),
          waiting: waiting.all(),
        }),
        systems: () => Object.keys(systems),
        findUnmet: () => {
          unmet ??= new UnmetPairs(rapier);
        },
      },
      /** The body's handle on the page. */
      tag: 0 as number,
      save: (): Json => ({ lastTick, contents: contents.save(), waiting: waiting.save() }),
      restore(saved: Json) {
        const before = saved as {
          readonly lastTick: number;
          readonly contents: Json;
          readonly waiting: Json;
        };
        lastTick = before.lastTick;
        contents.restore(before.contents);
        waiting.restore(before.waiting);
      },
    };
  };
  const simulation = simulationsOn(loadRapier)(build) as RapierSimulation;
  const own: HookedSimulation & Pick<BatchSimulation, 'requireBatch'> = {
    attachHooks(hooks) {
      page = hooks;
    },
    requireBatch(bytes) {
      requireFilters(bytes, page);
      requireSystems(bytes, systems);
    },
  };
  return Object.assign(simulation, own) as unknown as WorldSimulation<M>;
}

type Step = NonNullable<RapierScene['step']>;
