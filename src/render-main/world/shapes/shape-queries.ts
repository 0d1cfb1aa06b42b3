/** Queries of shapes, which have no place: the page's engine answers them. */
import type { Rapier } from '../../../sim-worker/engines/rapier-builds.js';
import { WorldShapes } from '../../../sim-worker/world/world-shapes.js';
import { setShapeAnswers } from './shape-classes.js';

/** Has all shapes of the page answer. */
export function answerShapes(rapier: Rapier): void {
  const shapes = new WorldShapes(rapier, { get: noAsset });
  setShapeAnswers((data) => shapes.describe(data).shape);
}

function noAsset(name: string): never {
  throw new Error(`the page has no asset ${name} of a shape`);
}
