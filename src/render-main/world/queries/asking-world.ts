/** The queries of a world, as the page asks them. */
import type { Rotation, ShapeData, Vector } from '../../../shared/world/fields.js';
import type {
  ContactManifold,
  FilterData,
  Questions,
  RayData,
  RayHits,
} from '../../../shared/world/questions.js';
import { requireKnownKeys } from '../../../shared/util/known-keys.js';
import {
  finite,
  flag,
  notNegative,
  ray,
  reach,
  rotation,
  vector,
} from '../checks/checked-values.js';
import type { Collider } from '../bodies/collider.js';
import type { ColliderShapeCastHit } from '../bodies/collider-query-methods.js';
import { handleOfCollider } from '../handles/handle-in.js';
import { filterData, type FilterArguments } from './query-filter.js';
import { shapeData, type Shape } from '../shapes/shape-classes.js';
import type { WorldLink } from '../handles/world-link.js';
import type {
  CastRaysOptions,
  PointColliderProjection,
  RayColliderHit,
  RayColliderIntersection,
  WorldQueryMethods,
} from './world-query-methods.js';

/** Numbers of a ray. */
const RAY_NUMBERS = 6;

export abstract class AskingWorld implements WorldQueryMethods {
  protected abstract readonly link: WorldLink;

  castRay(
    along: RayData,
    maxToi: number,
    solid: boolean,
    ...filter: FilterArguments
  ): Promise<RayColliderHit | null> {
    const args = [ray(along), reach('maxToi', maxToi), flag('solid', solid)] as const;
    return this.#hit(filter, (beyond) => this.#ask('castRay', ...args, beyond));
  }

  castRayAndGetNormal(
    along: RayData,
    maxToi: number,
    solid: boolean,
    ...filter: FilterArguments
  ): Promise<RayColliderIntersection | null> {
    const args = [ray(along), reach('maxToi', maxToi), flag('solid', solid)] as const;
    return this.#hit(filter, (beyond) => this.#ask('castRayAndGetNormal', ...args, beyond));
  }

  castRays(rays: ArrayLike<number>, options: CastRaysOptions = {}): Promise<RayHits> {
    requireKnownKeys('castRays', options, ['maxToi', 'solid', 'normals', 'filter']);
    const { maxToi = Number.MAX_VALUE, solid = true, normals = false, filter } = options;
    const args = [
      raysIn(rays),
      reach('maxToi', maxToi),
      flag('solid', solid),
      flag('normals', normals),
    ] as const;
    return this.link.questions.askBeyond(
      filterData(this.link, filter),
      (beyond) => this.#ask('castRays', ...args, beyond),
      ({ colliders }) => colliders,
    );
  }

  intersectionsWithRay(
    along: RayData,
    maxToi: number,
    solid: boolean,
    ...filter: FilterArguments
  ): Promise<RayColliderIntersection[]> {
    const args = [ray(along), reach('maxToi', maxToi), flag('solid', solid)] as const;
    return this.#ask('intersectionsWithRay', ...args, filterData(this.link, ...filter)).then(
      (hits) => {
        const known: RayColliderIntersection[] = [];
        for (const hit of hits) {
          const [collider] = this.#colliders([hit.collider]);
          if (collider !== undefined) known.push({ ...hit, collider });
        }
        return known;
      },
    );
  }

  castShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shapeVel: Readonly<Vector>,
    shape: Shape,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    ...filter: FilterArguments
  ): Promise<ColliderShapeCastHit | null> {
    const args = [
      vector('shapePos', shapePos),
      rotation('shapeRot', shapeRot),
      vector('shapeVel', shapeVel),
      shapeData('shape', shape),
      notNegative('targetDistance', targetDistance),
      reach('maxToi', maxToi),
      flag('stopAtPenetration', stopAtPenetration),
    ] as const;
    return this.#hit(filter, (beyond) => this.#ask('castShape', ...args, beyond));
  }

  intersectionWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: Shape,
    ...filter: FilterArguments
  ): Promise<Collider | null> {
    const args = overlapping(shapePos, shapeRot, shape);
    return this.link.questions
      .askBeyond(
        filterData(this.link, ...filter),
        (beyond) => this.#ask('intersectionWithShape', ...args, beyond),
        (handle) => (handle === null ? [] : [handle]),
      )
      .then((handle) => this.#colliders(handle === null ? [] : [handle])[0] ?? null);
  }

  intersectionsWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: Shape,
    ...filter: FilterArguments
  ): Promise<Collider[]> {
    const args = overlapping(shapePos, shapeRot, shape);
    return this.#list(
      this.#ask('intersectionsWithShape', ...args, filterData(this.link, ...filter)),
    );
  }

  intersectionsWithPoint(point: Readonly<Vector>, ...filter: FilterArguments): Promise<Collider[]> {
    const at = vector('point', point);
    return this.#list(this.#ask('intersectionsWithPoint', at, filterData(this.link, ...filter)));
  }

  projectPoint(
    point: Readonly<Vector>,
    solid: boolean,
    ...filter: FilterArguments
  ): Promise<PointColliderProjection | null> {
    const args = [vector('point', point), flag('solid', solid)] as const;
    return this.#hit(filter, (beyond) => this.#ask('projectPoint', ...args, beyond));
  }

  projectPointAndGetFeature(
    point: Readonly<Vector>,
    ...filter: FilterArguments
  ): Promise<PointColliderProjection | null> {
    const at = vector('point', point);
    return this.#hit(filter, (beyond) => this.#ask('projectPointAndGetFeature', at, beyond));
  }

  collidersWithAabbIntersectingAabb(
    aabbCenter: Readonly<Vector>,
    aabbHalfExtents: Readonly<Vector>,
  ): Promise<Collider[]> {
    const center = vector('aabbCenter', aabbCenter);
    const half = vector('aabbHalfExtents', aabbHalfExtents);
    for (const axis of ['x', 'y', 'z'] as const) notNegative(`aabbHalfExtents.${axis}`, half[axis]);
    return this.#list(this.#ask('collidersWithAabbIntersectingAabb', center, half));
  }

  contactPairsWith(collider1: Collider): Promise<Collider[]> {
    return this.#list(this.#ask('contactPairsWith', this.#handle('collider1', collider1)));
  }

  intersectionPairsWith(collider1: Collider): Promise<Collider[]> {
    return this.#list(this.#ask('intersectionPairsWith', this.#handle('collider1', collider1)));
  }

  contactPair(collider1: Collider, collider2: Collider): Promise<ContactManifold[]> {
    const first = this.#handle('collider1', collider1);
    return this.#ask('contactPair', first, this.#handle('collider2', collider2));
  }

  intersectionPair(collider1: Collider, collider2: Collider): Promise<boolean> {
    const first = this.#handle('collider1', collider1);
    return this.#ask('intersectionPair', first, this.#handle('collider2', collider2));
  }

  #ask<Name extends keyof Questions>(
    name: Name,
    ...args: Parameters<Questions[Name]>
  ): Promise<ReturnType<Questions[Name]>> {
    return this.link.questions.ask(name, ...args);
  }

  #hit<Hit extends { readonly collider: number }>(
    filter: FilterArguments,
    ask: (filter: FilterData) => Promise<Hit | null>,
  ): Promise<(Omit<Hit, 'collider'> & { readonly collider: Collider }) | null> {
    const handlesIn = (hit: Hit | null): number[] => (hit === null ? [] : [hit.collider]);
    return this.link.questions
      .askBeyond(filterData(this.link, ...filter), ask, handlesIn)
      .then((hit) => {
        const [collider] = this.#colliders(handlesIn(hit));
        return hit === null || collider === undefined ? null : { ...hit, collider };
      });
  }

  #list(handles: Promise<readonly number[]>): Promise<Collider[]> {
    return handles.then((found) => this.#colliders(found));
  }

  #colliders(handles: readonly number[]): Collider[] {
    return this.link.questions.colliders(handles) as Collider[];
  }

  #handle(name: string, collider: Collider): number {
    return handleOfCollider(this.link, name, collider);
  }
}

function raysIn(rays: ArrayLike<number>): Float32Array {
  if (rays.length % RAY_NUMBERS !== 0) {
    throw new RangeError(`rays must have six numbers for each ray, but has ${rays.length}`);
  }
  const numbers = Float32Array.from(rays);
  const wrong = numbers.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) finite(`rays[${wrong}]`, Number(rays[wrong]));
  return numbers;
}

const overlapping = (
  shapePos: Readonly<Vector>,
  shapeRot: Readonly<Rotation>,
  shape: Shape,
): [Vector, Rotation, ShapeData] => [
  vector('shapePos', shapePos),
  rotation('shapeRot', shapeRot),
  shapeData('shape', shape),
];
