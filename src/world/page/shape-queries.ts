/** Asks the page's engine about shapes without a place. */
import type { Rapier } from '../../rapier/rapier-builds.js';
import { queryArguments, type EngineQueries } from './query-arguments.js';
import type { RapierShape } from './asked-engine.js';
import { pageShapes } from './query-world.js';
import { dataOf, type AskShape, type ShapeQuery } from './shape.js';

const PLACE = ['shapePos', 'shapeRot'] as const;
const NEAREST = { point: { x: Number.NaN, y: Number.NaN, z: Number.NaN }, isInside: false };

/** Arguments of the queries, and the answers that nothing was found. */
const QUERIES: Readonly<Record<ShapeQuery, readonly [readonly string[], unknown]>> = {
  castShape: [
    [
      'shapePos1',
      'shapeRot1',
      'shapeVel1',
      'shape2',
      'shapePos2',
      'shapeRot2',
      'shapeVel2',
      'targetDistance',
      'maxToi',
      'stopAtPenetration',
      'target',
    ],
    null,
  ],
  intersectsShape: [['shapePos1', 'shapeRot1', 'shape2', 'shapePos2', 'shapeRot2'], false],
  contactShape: [
    ['shapePos1', 'shapeRot1', 'shape2', 'shapePos2', 'shapeRot2', 'prediction', 'target'],
    null,
  ],
  containsPoint: [[...PLACE, 'point'], false],
  projectPoint: [[...PLACE, 'point', 'solid', 'target'], NEAREST],
  intersectsRay: [['ray', ...PLACE, 'maxToi'], false],
  castRay: [['ray', ...PLACE, 'maxToi', 'solid'], -1],
  castRayAndGetNormal: [['ray', ...PLACE, 'maxToi', 'solid', 'target'], null],
};

const ARGUMENTS = new Map(
  Object.entries(QUERIES).map(([name, [names]]) => [name, queryArguments(names)]),
);

/** @param rapier The page's engine. */
export function shapeQueries(rapier: Rapier): AskShape {
  const shapes = pageShapes(rapier);
  const engine = {
    shapeOf: (data: Parameters<typeof shapes.make>[0]): RapierShape => shapes.make(data),
  };
  return (shape, query, given) => {
    const args = ARGUMENTS.get(query)?.(given)(engine);
    if (args === undefined) return structuredClone(QUERIES[query][1]);
    const made: EngineQueries<ShapeQuery> = shapes.make(dataOf(shape));
    return made[query](...args);
  };
}
