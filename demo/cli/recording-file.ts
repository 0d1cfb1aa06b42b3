/**
 * Reads a recording and checks that this demo can replay it. What refuses one says what the file does, such as `has 9
 * ticks to be run`: the name of the file comes before it.
 */
import { readFile } from 'node:fs/promises';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import { decodeRecording, type Recording } from '../../src/shared/index.js';
import { loadRapier as loadDeterministic } from '../../src/rapier/rapier-deterministic.js';
import { engineName, loadRapier } from '../../src/rapier/rapier.js';
import { askedScene } from '../contract/scene-contract.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import {
  createDemoSimulation,
  DEMO_BUILDS,
  type DemoBuild,
} from '../simulation/demo-simulation.js';

const LOAD = { simd: loadRapier, deterministic: loadDeterministic };

/** @throws RefusedError if the file does not exist or is not a complete recording. */
export async function readRecording(file: string): Promise<Recording> {
  try {
    // A plain copy: parts taken from a Node.js Buffer share memory with others.
    return decodeRecording(new Uint8Array(await readFile(file)));
  } catch (error) {
    throw new RefusedError(`cannot be read: ${firstLineOf(error)}`);
  }
}

/**
 * A recording of another application would run here too, in a scene that has nothing to do with it.
 *
 * @throws RefusedError if the recording is of none of the demo's scenes.
 */
export function requireScene({ run: { setup } }: Recording): void {
  const asked = askedScene(setup);
  if (Number.isInteger(asked?.bodies) && Number.isInteger(asked?.seed)) return;
  throw new RefusedError(
    "is not a recording of the demo, because its run was set up with none of the demo's scenes: `replay` of " +
      "betwixt/worker replays a recording of one's own",
  );
}

/**
 * The build of the engine that a recording was made with.
 *
 * @throws RefusedError if it is not one of the demo's, or another version of it is installed.
 */
export async function buildOf({ run }: Recording): Promise<DemoBuild> {
  const build = DEMO_BUILDS.find((name) => run.engine.startsWith(`rapier3d-${name} `));
  if (build === undefined) {
    throw new RefusedError(
      `was recorded with the engine "${run.engine}", and the demo's are ` +
        `${DEMO_BUILDS.map((name) => `rapier3d-${name}`).join(' and ')}: it is another application's recording`,
    );
  }
  const installed = engineName(await LOAD[build]());
  if (installed !== run.engine) {
    throw new RefusedError(
      `was recorded with ${run.engine}, and ${installed} is installed: install the version that it was made with`,
    );
  }
  return build;
}

/** The simulation that replays it. @throws RefusedError if it is of none of the demo's scenes, or of another engine. */
export async function createSimulation(recording: Recording): Promise<Simulation> {
  requireScene(recording);
  return createDemoSimulation(await buildOf(recording)) as Simulation;
}

/** The recording from one of its saved states on. @throws RefusedError if it ends earlier. */
export function startingAt(recording: Recording, tick: number): Recording {
  const first = recording.start?.tick ?? 0;
  if (tick < first || tick > recording.lastTick) {
    throw new RefusedError(
      `--from must be a tick of the recording, ${first} to ${recording.lastTick}, but is ${tick}`,
    );
  }
  const start = recording.states.findLast((state) => state.tick <= tick) ?? recording.start;
  return { ...recording, start };
}

/** @throws RefusedError if it has more ticks than the limit. */
export function requireTicks({ start, lastTick }: Recording, maxTicks: number): void {
  const ticks = lastTick - (start?.tick ?? 0);
  if (ticks <= maxTicks) return;
  throw new RefusedError(
    `has ${ticks} ticks to be run, and at most ${maxTicks} are: --max-ticks allows more`,
  );
}
