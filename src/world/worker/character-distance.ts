/** How a character keeps its distance: where it has to go from what is too near when a step is over. */
import {
  product,
  dot,
  inverse,
  plus,
  rotated,
  type Rotation,
  type Vector,
  ZERO,
} from '../../shared/util/vectors.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { argumentsOf, coreRowOf } from '../shared/shape-table.js';
import { movedBack, type StepMotion } from './step-motion.js';
import { newShape } from './world-shapes.js';

type Shape = InstanceType<Rapier['Shape']>;
type Collider = InstanceType<Rapier['Collider']>;

/** A collider near a character. */
export interface Neighbor {
  readonly collider: Collider;
  /** Default: it rests. */
  readonly motion?: StepMotion;
  /** Whether it matters only where it is below. */
  readonly isOnlyGround?: boolean;
}

/** A character as it keeps its distance. */
export interface Keeper {
  readonly shape: Shape;
  readonly rotation: Rotation;
  /** The distance that it keeps, in m. */
  readonly offset: number;
  readonly up: Vector;
}

/** Share of the offset that is far enough: smaller corrections would shake it. */
const ENOUGH = 0.98;
/** In a corner, the way out of one thing may lead into the next. */
const ROUNDS = 8;
/** Cosine of 60°: a contact on flatter ground is below. */
export const FLAT = 0.5;
/**
 * @param start Where it is when the step is over.
 * @returns How it gets from there to its offset from all of them; nowhere, if there is no room for it.
 */
export function wayOut(
  rapier: Rapier,
  keeper: Keeper,
  start: Vector,
  neighbors: readonly Neighbor[],
): Vector {
  const { offset, up } = keeper;
  let way: Vector = ZERO;
  for (let round = 0; round < ROUNDS; round++) {
    let nearest = { distance: offset * ENOUGH, normal: ZERO };
    for (const neighbor of neighbors) {
      const contact = contactOf(rapier, keeper, plus(start, way), neighbor);
      if (contact === undefined || contact.distance >= nearest.distance) continue;
      if (neighbor.isOnlyGround !== true || dot(contact.normal, up) > FLAT) nearest = contact;
    }
    const { distance, normal } = nearest;
    if (normal === ZERO) return way;
    const slope = dot(normal, up);
    // From what is below it rises, so that it does not creep downhill.
    way =
      slope > FLAT
        ? plus(way, up, (offset - distance) / slope)
        : plus(way, normal, offset - distance);
  }
  return ZERO;
}

/** @param reach In m. @returns Undefined if it is farther. */
export function contactOf(
  rapier: Rapier,
  { shape, rotation, offset }: Keeper,
  at: Vector,
  { collider, motion }: Neighbor,
  reach = offset,
): { readonly distance: number; readonly normal: Vector } | undefined {
  const { core, border } = coreOf(rapier, shape);
  // Where it would be now among what has not moved yet.
  const contact = collider.contactShape(
    core,
    motion === undefined ? at : movedBack(motion, at),
    motion === undefined ? rotation : product(inverse(motion.turn), rotation),
    border + reach,
  );
  // The engine finds no direction between some edges that touch.
  if (contact === null || Number.isNaN(contact.normal1.x)) return undefined;
  const { distance, normal1 } = contact;
  const normal = motion === undefined ? normal1 : rotated(motion.turn, normal1);
  return { distance: distance - border, normal };
}

interface Core {
  readonly core: Shape;
  /** How far the shape goes beyond it, in m. */
  readonly border: number;
}

const cores = new WeakMap<Shape, Core>();

/**
 * The shape inside the border of a round shape. The engine measures from a round shape with an error that grows with the other shape, to
 * centimetres on a floor of 1,000 m, and from one with edges exactly.
 */
function coreOf(rapier: Rapier, shape: Shape): Core {
  const known = cores.get(shape);
  if (known !== undefined) return known;
  const core = withoutBorder(rapier, shape);
  cores.set(shape, core);
  return core;
}

function withoutBorder(rapier: Rapier, shape: Shape): Core {
  if (shape instanceof rapier.Capsule) {
    const { halfHeight, radius } = shape;
    const end = { x: 0, y: halfHeight, z: 0 };
    return { core: new rapier.Segment(plus(ZERO, end, -1), end), border: radius };
  }
  const core = coreRowOf(shape.type);
  if (core === undefined) return { core: shape, border: 0 };
  const { borderRadius } = shape as InstanceType<Rapier['RoundCuboid']>;
  return { core: newShape(rapier, core, argumentsOf(core, shape)), border: borderRadius };
}
