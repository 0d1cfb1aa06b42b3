/** Probes of a world, as the page has them. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import * as PROBE from '../../../shared/world/probe-values.js';
import { readHandle } from '../../../shared/world/value-records.js';
import { NO_HANDLE } from '../../../shared/world/world-batch.js';
import type { Kind, ProbeFields } from '../../../shared/world/world-fields.js';
import { flag, isSame, reach, rotation, vector } from '../checks/checked-values.js';
import type { Collider } from '../bodies/collider.js';
import type { Maker } from '../handles/make-handle.js';
import type { Probe } from './probe.js';
import { filterData, type QueryFilter } from './query-filter.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import { shapeData, type Shape } from '../shapes/shape-classes.js';
import type { WorldLink } from '../handles/world-link.js';

const ALL_GROUPS = 0xffff_ffff;

/** A filter in the fields of a probe, all of them: it replaces the one before. */
export function filterFields(link: WorldLink, filter: QueryFilter): ProbeFields {
  const { flags, groups, excludeCollider, excludeRigidBody, excluded } = filterData(link, filter);
  return {
    filterFlags: flags ?? 0,
    filterGroups: groups ?? ALL_GROUPS,
    excludeCollider: excludeCollider ?? NO_HANDLE,
    excludeRigidBody: excludeRigidBody ?? NO_HANDLE,
    excluded,
  };
}

/** A probe, until it is removed and after. */
export class ProbeHandle implements Probe {
  static readonly kind: Kind = 'probe';
  readonly handle: number;
  readonly valueCount = PROBE.COUNT;
  readonly #link: WorldLink;
  readonly #parent: RigidBody | undefined;
  #fields: ProbeFields;

  constructor(link: WorldLink, handle: number, fields: ProbeFields, parent: RigidBody | undefined) {
    this.#link = link;
    this.handle = handle;
    this.#fields = fields;
    this.#parent = parent;
  }

  adopt(fields: ProbeFields): void {
    this.#fields = fields;
  }

  isValid(): boolean {
    return this.#link.has('probe', this);
  }

  parent(): RigidBody | null {
    return this.#parent ?? null;
  }

  get isAnswered(): boolean {
    return this.#number(PROBE.ANSWER) > PROBE.NOT_CAST;
  }

  get hit(): boolean {
    return this.#number(PROBE.ANSWER) === PROBE.HIT;
  }

  get timeOfImpact(): number {
    return this.hit ? this.#number(PROBE.TIME_OF_IMPACT) : Number.POSITIVE_INFINITY;
  }

  get distance(): number {
    const { x, y, z } = this.direction();
    return this.hit ? this.timeOfImpact * Math.hypot(x, y, z) : Number.POSITIVE_INFINITY;
  }

  get point(): Vector | undefined {
    return this.hit ? this.#vector(PROBE.POINT) : undefined;
  }

  get normal(): Vector | undefined {
    return this.hit ? this.#vector(PROBE.NORMAL) : undefined;
  }

  get collider(): Collider | undefined {
    if (!this.hit) return undefined;
    const { values, at } = this.#link.valuesOf(this.handle);
    return this.#link.colliderOf(readHandle(values, at + PROBE.COLLIDER)) as Collider | undefined;
  }

  isEnabled(): boolean {
    return this.#fields.enabled ?? true;
  }

  translation(): Vector {
    return { ...(this.#fields.translation as Vector) };
  }

  rotation(): Rotation {
    return { ...(this.#fields.rotation ?? { x: 0, y: 0, z: 0, w: 1 }) };
  }

  direction(): Vector {
    return { ...(this.#fields.direction as Vector) };
  }

  maxToi(): number {
    return this.#fields.maxToi ?? 0;
  }

  setTranslation(value: Readonly<Vector>): void {
    this.#set({ translation: vector('translation', value) });
  }

  setRotation(value: Readonly<Rotation>): void {
    this.#set({ rotation: rotation('rotation', value) });
  }

  setDirection(value: Readonly<Vector>): void {
    this.#set({ direction: vector('direction', value) });
  }

  setMaxToi(maxToi: number): void {
    this.#set({ maxToi: reach('maxToi', maxToi) });
  }

  setSolid(solid: boolean): void {
    this.#set({ solid: flag('solid', solid) });
  }

  setShape(shape: Shape): void {
    const data = shapeData('shape', shape);
    if (this.#fields.shape === undefined) {
      throw new Error('setShape is for probes of shapes, and this one is a ray: create another');
    }
    this.#set({ shape: data });
  }

  setFilter(filter: QueryFilter): void {
    this.#set(filterFields(this.#link, filter));
  }

  setEnabled(enabled: boolean): void {
    this.#set({ enabled: flag('enabled', enabled) });
  }

  #set(fields: ProbeFields): void {
    const isNew = Object.entries(fields).some(
      ([name, value]) => !isSame(this.#fields[name as keyof ProbeFields], value),
    );
    if (this.isValid() && !isNew) return;
    const open = this.#link.change('probe', this);
    if (open === undefined) return;
    Object.assign(this.#fields, fields);
    Object.assign(open, fields);
  }

  /** 0 if the newest state does not have it. */
  #number(index: number): number {
    const { values, at } = this.#link.valuesOf(this.handle);
    return at < 0 ? 0 : (values[at + index] ?? 0);
  }

  #vector(index: number): Vector {
    return { x: this.#number(index), y: this.#number(index + 1), z: this.#number(index + 2) };
  }
}

export const makeProbe: Maker<'probe'> = (link, handle, [parent], fields) =>
  new ProbeHandle(link, handle, fields, parent as RigidBody | undefined);
