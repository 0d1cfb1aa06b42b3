/**
 * The demo's simulation: seven scenes on the Rapier engine, and the commands and queries of the
 * page.
 */
import { rapierSimulation as onDeterministic } from '../../src/rapier/rapier-deterministic.js';
import { rapierSimulation as onSimd, type RapierSimulation } from '../../src/rapier/rapier.js';
import type { DemoCommands, DemoQueries, SceneDescription } from '../contract/scene-contract.js';
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

/** Typed as one of them. Each is loaded when it is used. */
const ON = { simd: onSimd, deterministic: onDeterministic as unknown as typeof onSimd };
/** The builds of Rapier that the demo has. */
export type DemoBuild = keyof typeof ON;
export const DEMO_BUILDS = Object.keys(ON) as readonly DemoBuild[];

/**
 * A run's setup is the request for its scene, or null: until a scene is loaded there are no bodies.
 *
 * @param build Which build of Rapier it loads.
 * @throws RangeError if there is no such build.
 */
export function createDemoSimulation(
  build: DemoBuild,
): RapierSimulation<DemoCommands, Record<string, never>, DemoQueries> {
  if (!DEMO_BUILDS.includes(build)) throw new RangeError(`there is no build "${build}" of Rapier`);
  // Not part of a run: a replay, or a restored state, has nothing of it.
  let stallMs = 0;
  const faults = new Faults(() => spin(Infinity));

  const simulation: RapierSimulation<DemoCommands, Record<string, never>, DemoQueries> = ON[build](
    ({ context, rapier, physics, input }) => {
      const { setup } = context;
      const stage =
        setup === null
          ? undefined
          : new Stage(rapier, physics, requireSceneRequest(setup), context.events, input);

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
        fault: (kind) => faults.request(requireFault(kind)),
        stall: (durationMs) => {
          stallMs = Math.min(MAX_STALL_MS, Math.max(0, requireFinite('durationMs', durationMs)));
        },
      };

      return {
        commands,
        queries,
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
