/** Texts and data that the page takes from a recording. Pure. */
import type { Recording, ReplayReport } from '../../src/shared/index.js';
import { SCENES, askedScene, type SceneRequest } from '../contract/scene-contract.js';
import { ENGINES, RANGES, type EngineName } from './settings.js';

/**
 * The scene that a recording is of.
 *
 * @throws RangeError if it is of none of this page's.
 */
export function sceneOf({ run: { setup } }: Pick<Recording, 'run'>): SceneRequest {
  const asked = askedScene(setup);
  if (asked === undefined) {
    throw new RangeError(
      'This recording was made by another application and contains none of these scenes.',
    );
  }
  const [min, , max] = SCENES[asked.name].bodies;
  return {
    name: asked.name,
    bodies: wholeWithin('bodies', asked.bodies, min, max),
    seed: wholeWithin('seed', asked.seed, ...RANGES.seed),
  };
}

/**
 * The build of the engine that a recording was made with.
 *
 * @param engine As the simulation names it, such as `rapier3d-deterministic 0.21.0`.
 * @returns Undefined if it is none of this page's.
 */
export function engineBuildOf(engine: string): EngineName | undefined {
  return ENGINES.find((build) => engine.startsWith(`rapier3d-${build} `));
}

/**
 * Ticks from the first to the second in which a command added a body that was not in the scene at
 * first.
 */
export function shotTicksOf({ entries }: Recording): number[] {
  return entries.flatMap((entry) =>
    entry.kind === 'command' && entry.name === 'shoot' ? [entry.tick] : [],
  );
}

/**
 * Describes how a replay ended. @param sinceTick Where the comparison began, if not at the start.
 */
export function verdictOf(report: ReplayReport, sinceTick?: number): string {
  const { hashes, differsAt, equalUpTo } = report;
  if (differsAt !== undefined) return `Differs at tick ${differsAt} (equal up to ${equalUpTo})`;
  if (hashes === 0) return 'Finished: no hashes to compare';
  const compared = hashes === 1 ? '1 hash compared' : `${hashes} hashes compared`;
  return `Identical: ${compared}${sinceTick === undefined ? '' : ` since tick ${sinceTick}`}`;
}

export function fileNameOf(recording: Recording, scene: string): string {
  return `betwixt-${scene}-${recording.lastTick}.btwr`;
}

function wholeWithin(what: string, value: unknown, min: number, max: number): number {
  const isRight = Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  if (isRight) return Number(value);
  throw new RangeError(
    `This recording has an invalid value of ${what}: ${JSON.stringify(value)} instead of a whole number from ` +
      `${min} to ${max}.`,
  );
}
