/** Sizes of a collider's shape. */
import type { Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from '../shared/shape-data.js';
import type { ColliderFields } from '../shared/world-fields.js';
import { ColliderQueries } from './collider-queries.js';
import { notNegative, vector } from './checked-values.js';
import { ShapeType } from './constants.js';

/** Which of its sizes a shape has, by the places in its list of sizes. */
interface Sizes {
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly roundRadius?: number;
  readonly halfExtents?: true;
}

const SIZES: Readonly<Partial<Record<number, Sizes>>> = {
  [ShapeType.Ball]: { radius: 0 },
  [ShapeType.Cuboid]: { halfExtents: true },
  [ShapeType.RoundCuboid]: { halfExtents: true, roundRadius: 3 },
  [ShapeType.Capsule]: { halfHeight: 0, radius: 1 },
  [ShapeType.Cylinder]: { halfHeight: 0, radius: 1 },
  [ShapeType.RoundCylinder]: { halfHeight: 0, radius: 1, roundRadius: 2 },
  [ShapeType.Cone]: { halfHeight: 0, radius: 1 },
  [ShapeType.RoundCone]: { halfHeight: 0, radius: 1, roundRadius: 2 },
  [ShapeType.RoundConvexPolyhedron]: { roundRadius: 0 },
};
const NONE: Sizes = {};
/** What a shape does not have. As in Rapier, the types do not say it: callers know which shape they have made. */
const NO_SIZE = null as unknown as Vector;

export abstract class ShapedCollider extends ColliderQueries {
  abstract readonly fields: ColliderFields;
  protected abstract change(name: 'shape', value: ShapeData): void;

  radius(): number {
    return this.#size('radius') as number;
  }

  halfHeight(): number {
    return this.#size('halfHeight') as number;
  }

  roundRadius(): number {
    return this.#size('roundRadius') as number;
  }

  halfExtents(): Vector {
    if (this.#sizes.halfExtents === undefined) return NO_SIZE;
    const [x = 0, y = 0, z = 0] = (this.fields.shape?.sizes ?? []).map(Math.fround);
    return { x, y, z };
  }

  setRadius(newRadius: number): void {
    this.#setSize('radius', notNegative('radius', newRadius));
  }

  setHalfHeight(newHalfHeight: number): void {
    this.#setSize('halfHeight', notNegative('halfHeight', newHalfHeight));
  }

  setRoundRadius(newBorderRadius: number): void {
    this.#setSize('roundRadius', notNegative('borderRadius', newBorderRadius));
  }

  setHalfExtents(newHalfExtents: Readonly<Vector>): void {
    const { x, y, z } = vector('halfExtents', newHalfExtents);
    const { shape } = this.fields;
    const sizes = [
      notNegative('halfExtents.x', x),
      notNegative('halfExtents.y', y),
      notNegative('halfExtents.z', z),
    ];
    if (this.#sizes.halfExtents === undefined || shape === undefined) return;
    this.#setSizes([...sizes, ...shape.sizes.slice(3)]);
  }

  heightfieldHeights(): Float32Array {
    const { shape } = this.fields;
    if (shape?.type !== ShapeType.HeightField) return undefined as unknown as Float32Array;
    return Float32Array.from(shape.vertices);
  }

  heightfieldScale(): Vector {
    const field = this.#heightfield;
    if (field === undefined) return NO_SIZE;
    const [, , x = 1, y = 1, z = 1] = field.map(Math.fround);
    return { x, y, z };
  }

  heightfieldNRows(): number {
    return this.#heightfield?.[0] as number;
  }

  heightfieldNCols(): number {
    return this.#heightfield?.[1] as number;
  }

  get #heightfield(): readonly number[] | undefined {
    const { shape } = this.fields;
    return shape?.type === ShapeType.HeightField ? shape.sizes : undefined;
  }

  get #sizes(): Sizes {
    return SIZES[this.fields.shape?.type ?? -1] ?? NONE;
  }

  #size(name: 'radius' | 'halfHeight' | 'roundRadius'): number | undefined {
    const at = this.#sizes[name];
    const size = at === undefined ? undefined : this.fields.shape?.sizes[at];
    return size === undefined ? undefined : Math.fround(size);
  }

  /** As in the engine, nothing if the shape has no such size. */
  #setSize(name: 'radius' | 'halfHeight' | 'roundRadius', value: number): void {
    const at = this.#sizes[name];
    const { shape } = this.fields;
    if (at === undefined || shape === undefined) return;
    this.#setSizes(shape.sizes.with(at, value));
  }

  #setSizes(sizes: readonly number[]): void {
    const { shape } = this.fields;
    if (shape === undefined) return;
    if (sizes.every((size, at) => size === shape.sizes[at])) return;
    this.change('shape', { ...shape, sizes });
  }
}
