/**
 * The demo's simulation: seven scenes on the Rapier engine, and the commands and queries of the
 * page.
 */
import {
  rapierSimulation,
  type RapierBuild,
  type RapierSimulation,
} from '../../src/sim-worker/engines/rapier.js';
import type {
  DemoCommands,
  DemoEvents,
  DemoQueries,
  SceneDescription,
} from '../contract/scene-contract.js';
import {
  requireDirection,
  requireFault,
  requireFinite,
  requireSceneRequest,
  requireVector,
} from './checks.js';
import { Faults } from './faults.js';
import { Stage, type SavedStage } from './stage.js';

const MAX_STALL_MS = 5000;

/**
 * A run's setup is the request for its scene, or null: until a scene is loaded there are no bodies.
 *
 * @param build Which build of Rapier it loads.
 */
export function createDemoSimulation(
  build: RapierBuild,
): RapierSimulation<DemoCommands, DemoEvents, DemoQueries> {
  // Not part of a run: a replay, or a restored state, has nothing of it.
  let stallMs = 0;
  const faults = new Faults(() => spin(Infinity));

  const simulation: RapierSimulation<DemoCommands, DemoEvents, DemoQueries> = rapierSimulation(
    ({ context, rapier, physics }) => {
      const { setup } = context;
      const stage =
        setup === null
          ? undefined
          : new Stage(rapier, physics, requireSceneRequest(setup), context.events);

      const current = (): Stage => {
        if (stage === undefined) throw new Error('no scene is loaded: call loadScene first');
        return stage;
      };

      const commands: DemoCommands = {
        shoot: (origin, direction) =>
          current().shoot(
            requireVector('origin', origin),
            requireDirection('direction', direction),
          ),
        grab: (origin, direction) =>
          current().mouseJoint.grab(
            requireVector('origin', origin),
            requireDirection('direction', direction),
          ),
        drag: (point) => current().mouseJoint.drag(requireVector('point', point)),
        release: () => current().mouseJoint.release(),
      };

      const queries: DemoQueries = {
        loadScene: (request) => {
          const { name, bodies, seed } = requireSceneRequest(request);
          context.restart({ setup: { name, bodies, seed }, seed: seed >>> 0 });
          return loadedBy(simulation);
        },
        describe: () => stage?.describe(),
        fault: (kind) => faults.request(requireFault(kind), context.bodies),
        stall: (durationMs) => {
          stallMs = Math.min(MAX_STALL_MS, Math.max(0, requireFinite('durationMs', durationMs)));
        },
      };

      return {
        commands,
        queries,
        events: {} as DemoEvents,
        step(dt, _tick, inputs) {
          faults.strike(stage);
          stage?.step(dt, inputs);
          if (stallMs > 0) spin(stallMs);
          stallMs = 0;
        },
        save: () => stage?.save() ?? null,
        restore: (saved: SavedStage | null) => {
          if (saved !== null) stage?.restore(saved);
        },
        ...(stage?.isRestoredInPlace !== false && {
          restoreInPlace: (saved: SavedStage | null) => {
            if (saved !== null) stage?.restore(saved);
          },
        }),
        dispose: () => stage?.dispose(),
      };
    },
    { build },
  );
  return simulation;
}

/** Replaces the scene from which it was requested. */
function loadedBy({ queries }: { readonly queries: DemoQueries }): SceneDescription {
  const description = queries.describe();
  if (description === undefined) throw new Error('no scene is loaded');
  return description;
}

/** Simulates a step that takes too long. */
function spin(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}
