/** The demo's simulation: seven scenes on the Rapier engine, and the commands and queries of the page. */
import type { Simulation, SimulationContext } from '../../src/sim-worker/index.js';
import {
  engineName,
  loadRapier,
  type Rapier,
  type RapierBuild,
} from '../../src/sim-worker/engines/rapier.js';
import type {
  DemoCommands,
  DemoEvents,
  DemoQueries,
  SceneRequest,
} from '../contract/scene-contract.js';
import {
  requireDirection,
  requireFault,
  requireFinite,
  requireSceneRequest,
  requireVector,
} from './checks.js';
import { Faults } from './faults.js';
import { Stage } from './stage.js';

const LONGEST_STALL_MS = 5000;

/**
 * A run's setup is the request for its scene, or null: until a scene is loaded there are no bodies.
 *
 * @param build Which build of Rapier it loads.
 */
export function createDemoSimulation(
  build: RapierBuild,
): Simulation<DemoCommands, DemoEvents, DemoQueries> {
  let rapier: Rapier | undefined;
  let context: SimulationContext | undefined;
  let stage: Stage | undefined;
  let stallMs = 0;
  const faults = new Faults(() => spin(Infinity));

  const current = (): Stage => {
    if (stage === undefined) throw new Error('no scene is loaded: call loadScene first');
    return stage;
  };

  const initialized = (): { readonly engine: Rapier; readonly run: SimulationContext } => {
    if (rapier === undefined || context === undefined) throw new Error('init has not been called');
    return { engine: rapier, run: context };
  };

  const play = (request: SceneRequest): void => {
    const { engine, run } = initialized();
    // Built beside the old one: if that fails, the old one is as it was.
    const next = new Stage(engine, run.bodies, request, run.events);
    stage?.close();
    stage = next;
    next.open();
  };

  const commands: DemoCommands = {
    shoot: (origin, direction) =>
      current().shoot(requireVector('origin', origin), requireDirection('direction', direction)),
    grab: (origin, direction) =>
      current().grip.grab(
        requireVector('origin', origin),
        requireDirection('direction', direction),
      ),
    drag: (point) => current().grip.drag(requireVector('point', point)),
    release: () => current().grip.release(),
  };

  const queries: DemoQueries = {
    loadScene: (request) => {
      const { name, bodies, seed } = requireSceneRequest(request);
      // Has it built by reset, as a replay does.
      initialized().run.restart({ setup: { name, bodies, seed }, seed: seed >>> 0 });
      return current().describe();
    },
    describe: () => stage?.describe(),
    fault: (kind) => faults.request(requireFault(kind), initialized().run.bodies),
    stall: (durationMs) => {
      stallMs = Math.min(LONGEST_STALL_MS, Math.max(0, requireFinite('durationMs', durationMs)));
    },
  };

  const reset = (): void => {
    const { setup } = initialized().run;
    if (setup !== null) {
      play(requireSceneRequest(setup));
      return;
    }
    stage?.close();
    stage = undefined;
  };

  return {
    commands,
    queries,
    events: {} as DemoEvents,
    async init(given) {
      context = given;
      rapier = await loadRapier(build);
      reset();
    },
    reset,
    engine: () => (rapier === undefined ? '' : engineName(rapier)),
    // No bytes: no scene.
    save: () => stage?.save() ?? new Uint8Array(),
    restore(bytes) {
      const { engine, run } = initialized();
      const next =
        bytes.length === 0 ? undefined : Stage.restore(engine, run.bodies, bytes, run.events);
      stage?.discard();
      stage = next;
    },
    hash: (hash) => stage?.physics.hashInto(hash),
    quarantine: (id, how) => {
      if (stage === undefined) return false;
      return how === 'freeze' ? stage.physics.freeze(id) : stage.physics.remove(id);
    },
    step(stepS, _tick, inputs) {
      faults.strike(stage);
      stage?.step(stepS, inputs);
      if (stallMs > 0) spin(stallMs);
      stallMs = 0;
    },
    dispose() {
      stage?.close();
      stage = undefined;
    },
  };
}

/** What a step that takes too long does to the worker. */
function spin(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}
