/** Keeps ropes as long as they are. */
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { WorldContents } from './world-contents.js';

/** A badge on three ropes at four times the earth's gravity: with 1 it falls forever, and 3 still let it sag by 0.2 m. */
const PGS_ITERATIONS = 4;

/**
 * Gives the next step of a world with ropes enough iterations for them: from version 0.20 on, Rapier's default lets what hangs
 * on several ropes sink forever. Only for the step: in between is what the page has set, which it reads, and which is saved.
 *
 * @returns Ends it.
 */
export function tightenRopes({ world }: RapierWorld, { joints }: WorldContents): () => void {
  const { integrationParameters: parameters } = world;
  const before = parameters.numInternalPgsIterations;
  if (joints.hasRopes) parameters.numInternalPgsIterations = Math.max(before, PGS_ITERATIONS);
  return () => {
    parameters.numInternalPgsIterations = before;
  };
}
