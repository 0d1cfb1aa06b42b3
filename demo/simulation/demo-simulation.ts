/** The demo's simulation: seven scenes on the Rapier engine, and the commands of the page. */
import type { Simulation, SimulationContext } from '../../src/sim-worker/index.js';
import { loadRapier, type Rapier, type RapierBuild } from '../../src/sim-worker/engines/rapier.js';
import type { DemoCommands } from '../contract/scene-contract.js';
import {
  requireDirection,
  requireDriveInput,
  requireFinite,
  requireSceneRequest,
  requireVector,
} from './checks.js';
import { Stage } from './stage.js';

const LONGEST_STALL_MS = 5000;

/** @param build Which build of Rapier it loads. Until a scene is loaded there are no bodies. */
export function createDemoSimulation(build: RapierBuild): Simulation<DemoCommands> {
  let rapier: Rapier | undefined;
  let context: SimulationContext | undefined;
  let stage: Stage | undefined;
  let stallMs = 0;

  const current = (): Stage => {
    if (stage === undefined) throw new Error('no scene is loaded: call loadScene first');
    return stage;
  };

  const commands: DemoCommands = {
    loadScene: (request) => {
      const wanted = requireSceneRequest(request);
      if (rapier === undefined || context === undefined)
        throw new Error('init has not been called');
      // Built beside the old one: if that fails, the old one is as it was.
      const next = new Stage(rapier, context.bodies, wanted);
      stage?.close();
      stage = next;
      const description = next.open();
      context.restart();
      return description;
    },
    shoot: (origin, direction) =>
      current().shoot(requireVector('origin', origin), requireDirection('direction', direction)),
    grab: (origin, direction) =>
      current().grip.grab(
        requireVector('origin', origin),
        requireDirection('direction', direction),
      ),
    drag: (point) => current().grip.drag(requireVector('point', point)),
    release: () => current().grip.release(),
    drive: (input) => current().drive(requireDriveInput(input)),
    stall: (durationMs) => {
      stallMs = Math.min(LONGEST_STALL_MS, Math.max(0, requireFinite('durationMs', durationMs)));
    },
  };

  return {
    commands,
    async init(given) {
      context = given;
      rapier = await loadRapier(build);
    },
    step(stepS) {
      stage?.step(stepS);
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
