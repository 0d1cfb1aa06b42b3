/** The handle of a collider, with the sizes of its shape, and its queries, which the page's engine answers. */
import {
  plus,
  product,
  rotated,
  written,
  type Rotation,
  type Vector,
} from '../../shared/util/vectors.js';
import { settled, type ShapeData, scaled } from '../shared/shape-data.js';
import { warnOnce } from '../../shared/util/development.js';
import { isSize, SHAPE_ROWS } from '../shared/shape-table.js';
import {
  type OneWayFields,
  COLLIDER,
  type ColliderFields,
  type Kind,
} from '../shared/setting-tables.js';
import { Collider, implementClass, type RigidBody } from './body-and-collider.js';
import { isSameSetting, rotation, vector, notNegative } from './checked-values.js';
import { fieldsOfCollider, type ColliderDesc, oneWayFields, type OneWay } from './collider-desc.js';
import { ShapeType } from './constants.js';
import { hasNumber } from './engine-data.js';
import { ItemHandle } from './item-handle.js';
import type { AskedEngine, EngineCollider } from './asked-engine.js';
import { queryArguments, withPageCollider, type EngineQueries } from './query-arguments.js';
import { defineMethods, defineSettings, type SettingMethods } from './setting-methods.js';
import { shapeData } from './checked-shapes.js';
import { Shape, type AnyShape } from './shape.js';

/** By types of shapes: the names of their sizes, in the order of the data. */
const SIZES = SHAPE_ROWS.map(({ parameters }) =>
  parameters.flatMap(([name, kind]) => (isSize(kind) ? [name] : [])),
);
type SizeName = 'radius' | 'halfHeight' | 'borderRadius';
/** A size that a shape lacks. As in Rapier, the types do not say so: callers know which shape they have made. */
const NO_SIZE = null as unknown as Vector;

/** The fields of a collider as they were set last, not to be changed. Undefined for one that a world did not make. */
export const settingsOf = (collider: Collider): Readonly<ColliderFields> | undefined =>
  collider instanceof ColliderHandle ? collider.fields : undefined;

/** Queries that the page's engine answers: their arguments, and the answers about a collider that was removed. */
const QUERIES = {
  mass: [[], 0],
  volume: [[], 0],
  density: [[], 0],
  containsPoint: [['point'], false],
  projectPoint: [['point', 'solid', 'target'], null],
  intersectsRay: [['ray', 'maxToi'], false],
  castRay: [['ray', 'maxToi', 'solid'], -1],
  castRayAndGetNormal: [['ray', 'maxToi', 'solid', 'target'], null],
  castShape: [
    [
      'collider1Vel',
      'shape2',
      'shape2Pos',
      'shape2Rot',
      'shape2Vel',
      'targetDistance',
      'maxToi',
      'stopAtPenetration',
      'target',
    ],
    null,
  ],
  castCollider: [
    [
      'collider1Vel',
      'collider2',
      'collider2Vel',
      'targetDistance',
      'maxToi',
      'stopAtPenetration',
      'target',
    ],
    null,
  ],
  intersectsShape: [['shape2', 'shapePos2', 'shapeRot2'], false],
  contactShape: [['shape2', 'shape2Pos', 'shape2Rot', 'prediction', 'target'], null],
  contactCollider: [['collider2', 'prediction', 'target'], null],
} as const;
type QueryName = keyof typeof QUERIES;

export interface ColliderHandle
  extends SettingMethods<Collider, typeof COLLIDER>, Pick<Collider, QueryName> {}

export class ColliderHandle extends ItemHandle<'collider'> implements Collider {
  static override readonly kind: Kind = 'collider';
  /** Whether it never had another shape: then a state of any time has this one. */
  hasFirstShape = true;

  static {
    defineSettings(this.prototype, COLLIDER, (collider, { name }, value) =>
      collider.setField(name as keyof ColliderFields, value as never),
    );
    for (const [name, [names, nothing]] of Object.entries(QUERIES)) {
      const argumentsOf = queryArguments(names);
      defineMethods(this.prototype, {
        [name](this: ColliderHandle, ...given: unknown[]): unknown {
          const engineArguments = argumentsOf(given, this.link);
          return this.#ask<unknown>((collider: EngineQueries<QueryName>, engine) => {
            const args = engineArguments(engine);
            if (args === undefined) return nothing;
            return withPageCollider(engine, collider[name as QueryName](...args));
          }, nothing);
        },
      });
    }
    implementClass<Collider>(Collider, this.prototype);
  }

  override resync(fields: ColliderFields): void {
    // The worker describes no shape that the page has.
    const { shape } = this.fields;
    super.resync(shape === undefined ? fields : { shape, ...fields });
  }

  parent(): RigidBody | null {
    return this.#parent ?? null;
  }

  get #parent(): RigidBody | undefined {
    return this.parts[0] as RigidBody | undefined;
  }

  get shape(): Shape {
    return new Shape(this.fields.shape as ShapeData);
  }

  shapeType(): ShapeType {
    return this.fields.shape?.type as ShapeType;
  }

  shapeSizes(): readonly number[] {
    return [...(this.fields.shape?.sizes ?? [])];
  }

  vertices(): Float32Array {
    const { vertices = new Float32Array(), scale, type } = this.fields.shape ?? {};
    // A compound shape may have pieces instead.
    if (type === ShapeType.Compound) return new Float32Array();
    return scaled(vertices.slice(), scale);
  }

  indices(): Uint32Array | undefined {
    const { indices, type } = this.fields.shape ?? {};
    // Voxels have cells instead.
    const hasOthers = type === ShapeType.Voxels || type === ShapeType.Compound;
    return indices === undefined || indices.length === 0 || hasOthers ? undefined : indices.slice();
  }

  isEnabled(): boolean {
    return (this.fields.enabled ?? true) && this.#parent?.isEnabled() !== false;
  }

  oneWay(): ReturnType<Collider['oneWay']> {
    return (this.fields.oneWay ?? null) as ReturnType<Collider['oneWay']>;
  }

  translationWrtParent(target?: Vector): Vector | null {
    return this.#parent === undefined ? null : written(target, this.#ownTranslation());
  }

  rotationWrtParent(target?: Rotation): Rotation | null {
    return this.#parent === undefined ? null : written(target, this.#ownRotation());
  }

  translation(target?: Vector): Vector {
    const own = this.#ownTranslation();
    if (this.#parent === undefined) return written(target, own);
    return written(target, plus(this.#parent.translation(), rotated(this.#parent.rotation(), own)));
  }

  rotation(target?: Rotation): Rotation {
    const own = this.#ownRotation();
    const turned = this.#parent === undefined ? own : product(this.#parent.rotation(), own);
    return written(target, turned);
  }

  setTranslation(value: Readonly<Vector>): void {
    this.#requireFree('setTranslation', 'setTranslationWrtParent');
    this.setField('translation', vector('translation', value));
  }

  setRotation(value: Readonly<Rotation>): void {
    this.#requireFree('setRotation', 'setRotationWrtParent');
    this.setField('rotation', rotation('rotation', value));
  }

  setTranslationWrtParent(value: Readonly<Vector>): void {
    this.setField('translation', vector('translation', value));
  }

  setRotationWrtParent(value: Readonly<Rotation>): void {
    this.setField('rotation', rotation('rotation', value));
  }

  setShape(shape: Parameters<Collider['setShape']>[0]): void {
    const data = hasNumber(shape, 'type')
      ? shapeData('shape', shape as AnyShape)
      : fieldsOfCollider(shape as ColliderDesc).shape;
    if (data !== undefined) this.replaceShape(data);
  }

  /** Not compared: a shape may have thousands of points. */
  replaceShape(shape: ShapeData): void {
    const open = this.link.changeItem('collider', this);
    if (open === undefined) return;
    this.hasFirstShape = false;
    this.fields.shape = shape;
    open.shape = shape;
    this.awaitPieces();
  }

  /** Has its shape sent when its pieces are there. */
  awaitPieces(): void {
    const { shape } = this.fields;
    shape?.pieces?.ready().then(
      () => {
        const isExpected = this.fields.shape === shape && !this.link.isDisposed;
        if (isExpected && this.isValid()) this.replaceShape(settled(shape));
      },
      ({ message }: Error) => {
        const name = this.link.batches.names.nameOf('collider', this.handle);
        warnOnce(message, `${name} waits, and so does its body: ${message}`);
      },
    );
  }

  setOneWay(oneWay: OneWay | null): void {
    this.setField('oneWay', oneWayFields(oneWay) as OneWayFields);
  }

  #ownTranslation(): Vector {
    return { ...(this.fields.translation ?? { x: 0, y: 0, z: 0 }) };
  }

  #ownRotation(): Rotation {
    return { ...(this.fields.rotation ?? { x: 0, y: 0, z: 0, w: 1 }) };
  }

  #requireFree(name: string, instead: string): void {
    if (this.#parent === undefined) return;
    throw new Error(
      `${name} is for colliders without a body: call ${instead}, or move the body that this one is part of`,
    );
  }

  radius(): number {
    return this.#size('radius') as number;
  }

  halfHeight(): number {
    return this.#size('halfHeight') as number;
  }

  roundRadius(): number {
    return this.#size('borderRadius') as number;
  }

  halfExtents(target?: Vector): Vector {
    if (!this.#isBox) return NO_SIZE;
    const [x = 0, y = 0, z = 0] = (this.fields.shape?.sizes ?? []).map(Math.fround);
    return written(target, { x, y, z });
  }

  setRadius(newRadius: number): void {
    this.#setSize('radius', newRadius);
  }

  setHalfHeight(newHalfHeight: number): void {
    this.#setSize('halfHeight', newHalfHeight);
  }

  setRoundRadius(newBorderRadius: number): void {
    this.#setSize('borderRadius', newBorderRadius);
  }

  setHalfExtents(newHalfExtents: Readonly<Vector>): void {
    const { x, y, z } = vector('halfExtents', newHalfExtents);
    const { shape } = this.fields;
    const sizes = [
      notNegative('halfExtents.x', x),
      notNegative('halfExtents.y', y),
      notNegative('halfExtents.z', z),
    ];
    if (!this.#isBox || shape === undefined) return;
    this.#setSizes([...sizes, ...shape.sizes.slice(3)]);
  }

  heightfieldHeights(): Float32Array {
    const { shape } = this.fields;
    if (shape?.type !== ShapeType.HeightField) return undefined as unknown as Float32Array;
    return Float32Array.from(shape.vertices);
  }

  heightfieldScale(target?: Vector): Vector {
    const field = this.#heightfield;
    if (field === undefined) return NO_SIZE;
    const [, , x = 1, y = 1, z = 1] = field.map(Math.fround);
    return written(target, { x, y, z });
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

  get #isBox(): boolean {
    return this.#sizeAt('hx') === 0;
  }

  /** The index of a size in the data. −1: the shape has no such size. */
  #sizeAt(name: SizeName | 'hx'): number {
    return SIZES[this.shapeType()]?.indexOf(name) ?? -1;
  }

  #size(name: SizeName): number | undefined {
    const size = this.fields.shape?.sizes[this.#sizeAt(name)];
    return size === undefined ? undefined : Math.fround(size);
  }

  /** As in the engine, nothing if the shape has no such size. */
  #setSize(name: SizeName, value: number): void {
    const size = notNegative(name, value);
    const at = this.#sizeAt(name);
    if (at >= 0) this.#setSizes((this.fields.shape as ShapeData).sizes.with(at, size));
  }

  #setSizes(sizes: readonly number[]): void {
    const { shape } = this.fields;
    if (shape === undefined) return;
    if (sizes.every((size, at) => size === shape.sizes[at])) return;
    this.replaceShape({ ...shape, sizes });
  }

  /** @param nothing The answer about a collider that was removed, which is reported once. */
  #ask<T>(question: (collider: EngineCollider, engine: AskedEngine) => T, nothing: T): T {
    const { link, handle } = this;
    if (!this.isValid()) {
      link.warnOfRemoved('collider', this);
      return nothing;
    }
    const engine = link.engine();
    return engine.ask(() => {
      const collider = engine.colliderOf(handle);
      return collider === undefined ? nothing : question(collider, engine);
    });
  }
}

type Numbers = Float32Array | Uint32Array;

/**
 * Whether two colliders have the same shape for the engine, which has 32 bits of each number: so has the page after a jump.
 * Compound shapes are the same only if they are identical.
 */
export function isSameShape(a: Collider, b: Collider): boolean {
  const [one, two] = [settingsOf(a)?.shape, settingsOf(b)?.shape];
  return (
    one === two ||
    (isAlikeShape(a, b) &&
      isSameSetting(one?.scale, two?.scale) &&
      areSame(one?.vertices, two?.vertices) &&
      areSame(one?.indices, two?.indices) &&
      (one?.parts ?? two?.parts) === undefined)
  );
}

/** As {@link isSameShape}, but of any points: of a collider that another page has made, these are not known. */
export const isAlikeShape = (a: Collider, b: Collider): boolean =>
  a.shapeType() === b.shapeType() && isSameSetting(a.shapeSizes(), b.shapeSizes());

const areSame = (a: Numbers | undefined, b: Numbers | undefined): boolean =>
  a === b || (a?.length === b?.length && a?.every((number, at) => number === b?.[at]) === true);
