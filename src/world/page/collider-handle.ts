/** Colliders of a world, as the page has them. */
import { product, rotated, type Rotation, type Vector } from '../../shared/util/vectors.js';
import { type ShapeData, scaled } from '../shared/shape-data.js';
import {
  type OneWayFields,
  COLLIDER,
  type ColliderFields,
  type Kind,
} from '../shared/world-fields.js';
import { isSameSetting, rotation, vector } from './checked-values.js';
import { oneWayFields, type OneWay } from './one-way.js';
import type { Collider } from './collider.js';
import { fieldsOfCollider, type ColliderDesc } from './collider-desc.js';
import { ShapeType } from './constants.js';
import { hasNumber } from './engine-data.js';
import type { RigidBody } from './rigid-body.js';
import { Shape, shapeData, type AnyShape } from './shape-classes.js';
import { ShapedCollider } from './shaped-collider.js';
import type { Maker } from './make-handle.js';
import { defineSettings, type SettingMethods } from './setting-methods.js';
import type { WorldLink } from './world-link.js';

/** What was set of a collider, for what draws it: not to be changed. Undefined for one that a world did not make. */
export let settingsOf: (collider: Collider) => Readonly<ColliderFields> | undefined;

export interface ColliderHandle extends SettingMethods<Collider, typeof COLLIDER> {}

/** A collider, until it is removed and after. */
export class ColliderHandle extends ShapedCollider implements Collider {
  static readonly kind: Kind = 'collider';
  readonly handle: number;
  protected readonly link: WorldLink;
  readonly #parent: RigidBody | undefined;
  #fields: ColliderFields;
  /** Whether it never had another shape: then a state of any time has this one. */
  hasFirstShape = true;

  static {
    settingsOf = (collider) => (#fields in collider ? collider.#fields : undefined);
    defineSettings(
      this.prototype,
      COLLIDER,
      (collider, { name, replaces }, value) =>
        collider.#set(name as keyof ColliderFields, value, replaces),
      (collider, name) => collider.#fields[name as keyof ColliderFields],
    );
  }

  constructor(
    link: WorldLink,
    handle: number,
    fields: ColliderFields,
    parent: RigidBody | undefined,
  ) {
    super();
    this.link = link;
    this.handle = handle;
    this.#fields = fields;
    this.#parent = parent;
  }

  adopt(fields: ColliderFields): void {
    const { shape } = this.#fields;
    this.#fields = { ...(shape === undefined ? {} : { shape }), ...fields };
  }

  get fields(): ColliderFields {
    return this.#fields;
  }

  protected change(name: 'shape', value: NonNullable<ColliderFields['shape']>): void {
    this.#set(name, value);
  }

  isValid(): boolean {
    return this.link.has('collider', this);
  }

  parent(): RigidBody | null {
    return this.#parent ?? null;
  }

  get shape(): Shape {
    return new Shape(this.#fields.shape as ShapeData);
  }

  shapeType(): ShapeType {
    return this.#fields.shape?.type as ShapeType;
  }

  shapeSizes(): readonly number[] {
    return [...(this.#fields.shape?.sizes ?? [])];
  }

  vertices(): Float32Array {
    const { vertices = new Float32Array(), scale } = this.#fields.shape ?? {};
    return scaled(vertices.slice(), scale);
  }

  indices(): Uint32Array | undefined {
    const { indices, type } = this.#fields.shape ?? {};
    // Voxels have cells instead.
    if (indices === undefined || indices.length === 0 || type === ShapeType.Voxels)
      return undefined;
    return indices.slice();
  }

  isEnabled(): boolean {
    return (this.#fields.enabled ?? true) && this.#parent?.isEnabled() !== false;
  }

  oneWay(): ReturnType<Collider['oneWay']> {
    return (this.#fields.oneWay ?? null) as ReturnType<Collider['oneWay']>;
  }

  translationWrtParent(): Vector | null {
    return this.#parent === undefined ? null : this.#ownTranslation();
  }

  rotationWrtParent(): Rotation | null {
    return this.#parent === undefined ? null : this.#ownRotation();
  }

  translation(): Vector {
    const own = this.#ownTranslation();
    if (this.#parent === undefined) return own;
    const { x, y, z } = this.#parent.translation();
    const turned = rotated(this.#parent.rotation(), own);
    return { x: x + turned.x, y: y + turned.y, z: z + turned.z };
  }

  rotation(): Rotation {
    const own = this.#ownRotation();
    return this.#parent === undefined ? own : product(this.#parent.rotation(), own);
  }

  setTranslation(value: Readonly<Vector>): void {
    this.#requireFree('setTranslation', 'setTranslationWrtParent');
    this.#set('translation', vector('translation', value));
  }

  setRotation(value: Readonly<Rotation>): void {
    this.#requireFree('setRotation', 'setRotationWrtParent');
    this.#set('rotation', rotation('rotation', value));
  }

  setTranslationWrtParent(value: Readonly<Vector>): void {
    this.#set('translation', vector('translation', value));
  }

  setRotationWrtParent(value: Readonly<Rotation>): void {
    this.#set('rotation', rotation('rotation', value));
  }

  setShape(shape: Parameters<Collider['setShape']>[0]): void {
    const data = hasNumber(shape, 'type')
      ? shapeData('shape', shape as AnyShape)
      : fieldsOfCollider(shape as ColliderDesc).shape;
    if (data !== undefined) this.#set('shape', data);
  }

  setOneWay(oneWay: OneWay | null): void {
    this.#set('oneWay', oneWayFields(oneWay) as OneWayFields);
  }

  #ownTranslation(): Vector {
    return { ...(this.#fields.translation ?? { x: 0, y: 0, z: 0 }) };
  }

  #ownRotation(): Rotation {
    return { ...(this.#fields.rotation ?? { x: 0, y: 0, z: 0, w: 1 }) };
  }

  #requireFree(name: string, instead: string): void {
    if (this.#parent === undefined) return;
    throw new Error(
      `${name} is for colliders without a body: call ${instead}, or move the body that this one is part of`,
    );
  }

  #set(name: keyof ColliderFields, value: unknown, replaces: readonly string[] = []): void {
    const fields = this.#fields as Record<string, unknown>;
    // A shape may have thousands of points.
    if (this.isValid() && name !== 'shape' && isSameSetting(fields[name], value)) return;
    const open = this.link.change('collider', this) as Record<string, unknown> | undefined;
    if (open === undefined) return;
    if (name === 'shape') this.hasFirstShape = false;
    for (const each of [fields, open]) {
      each[name] = value;
      for (const other of replaces) delete each[other];
    }
  }
}

export const makeCollider: Maker<'collider'> = (link, handle, [parent], fields) =>
  new ColliderHandle(link, handle, fields, parent as RigidBody | undefined);
