/** Components of colliders, and the shapes that their props describe. */
import {
  type FunctionComponent,
  type JSX,
  memo,
  type Ref,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Object3D, Vector3 } from 'three';
import type { Vector } from '../shared/util/vectors.js';
import { isDevelopment } from '../shared/util/development.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { ChangeDetector } from '../three/change-detector.js';
import { ColliderDesc, HalfSpace } from '../world/page/index.js';
import { described } from '../world/page/collider-desc.js';
import { isSize, SHAPE_ROWS } from '../world/shared/shape-table.js';
import { finite, vector } from '../world/page/checked-values.js';
import { requireList } from '../shared/util/validate.js';
import { componentNamed } from './errors.js';
import { isSameProps, withoutUndefined } from './props.js';
import { checkProps } from './development.js';
import { BodyContext, type BodyOwner } from './body-owner.js';
import { ColliderOwner, type ColliderSource } from './collider-owner.js';
import { usePhysics } from './physics-context.js';
import { FLAT, warnOfNoCollider, warnOfShear } from '../three/drawn-geometry.js';
import { type Placement, placementBelow, placementOf } from '../three/scene-space.js';
import { NO_TRANSFORM, transformKeys, type TransformKeys } from './placement.js';
import type {
  ColliderOptionsRequiredArgs,
  ColliderProps,
  ColliderShape,
  RapierCollider,
} from './types.js';
import { isSameKey, useRelease } from './leases.js';

/** A collider by props, of a component or of an instance. */
export abstract class ShapeSource implements ColliderSource {
  abstract readonly props: ColliderProps;
  abstract readonly object: Object3D | undefined;
  abstract readonly name: string;
  /** Scale in the scene, once it is prepared. */
  protected readonly scale = new Vector3(1, 1, 1);
  #placed: TransformKeys = NO_TRANSFORM;

  abstract prepare(): boolean;

  /** Where it is, relative to its body if it has one. Undefined if it has no place yet. */
  protected abstract place(): Placement | undefined;

  get shapeProp(): string {
    return `args of ${this.name}`;
  }

  key(): readonly unknown[] {
    const { args, shape } = this.props;
    const { x, y, z } = this.scale;
    return [shape, ...(Array.isArray(args) ? args.flatMap(partsOf) : [args]), x, y, z];
  }

  describe(): ColliderDesc {
    return describeShape(this.props, this.scale);
  }

  placement(isNew: boolean): Placement | undefined {
    const keys = transformKeys(this.props);
    const isSame = isSameProps(keys, this.#placed);
    this.#placed = keys;
    return isSame && !isNew ? undefined : this.place();
  }
}

/** A collider by its props, at the place of its object. */
class ComponentSource extends ShapeSource {
  override props: ColliderProps = {};
  override object: Object3D | undefined;
  ref: Ref<RapierCollider> | undefined;
  readonly #body: BodyOwner | undefined;
  readonly #changes = new ChangeDetector();

  constructor(body: BodyOwner | undefined) {
    super();
    this.#body = body;
  }

  takeChange(): boolean {
    this.#changes.addScales(this.object ?? null);
    const isChanged = this.#changes.takeChange();
    // The scale does not change when the body turns, even if a parent stretches it.
    if (!isChanged || this.object === undefined) return isChanged;
    const { scale, shear } = placementOf(this.object);
    this.scale.copy(scale);
    if (isDevelopment && shear !== undefined) warnOfShear(this.name);
    return true;
  }

  override prepare(): boolean {
    this.takeChange();
    const isThere = !isFlat(this.scale);
    if (isDevelopment && !isThere) warnOfNoCollider(this.name, FLAT);
    return isThere;
  }

  override get name(): string {
    return nameOfShape(this.props.shape, this.props.name);
  }

  protected override place(): Placement | undefined {
    const { object } = this;
    if (object === undefined) return undefined;
    const ofBody = this.#body?.objectFrom(object);
    return ofBody === undefined ? placementOf(object) : placementBelow(object, ofBody);
  }
}

/**
 * A collider of any shape: part of the `<RigidBody>` that it is in, or fixed without one. Its sizes are multiplied by its
 * scale in the scene. Another `shape`, other `args` or another scale make another collider, and the ref is its handle;
 * other props change it.
 *
 * @throws Error outside of `<Physics>`; TypeError or RangeError for an invalid prop, naming it.
 */
export const AnyCollider = memo(function AnyCollider(props: ColliderProps): JSX.Element {
  const { scope } = usePhysics('a collider');
  if (isDevelopment) checkProps('collider', nameOfShape(props.shape), props);
  const body = useContext(BodyContext);
  const object = useRef<Object3D>(null);
  const [owner] = useState(() => new ColliderOwner(scope, body, new ComponentSource(body)));
  const { source } = owner;
  const { children, name, position, quaternion, ref, rotation, scale } = props;
  useLayoutEffect(() => {
    source.props = props;
    source.object = object.current ?? undefined;
    source.ref = ref;
    owner.sync();
  });
  useLayoutEffect(
    () => () => {
      source.ref = undefined;
      owner.detachRef();
    },
    [source, owner],
  );
  useEffect(() => {
    body?.parts.add(owner);
    scope.watchers.add(owner);
    return () => void scope.watchers.delete(owner);
  }, [body, owner, scope]);
  useRelease(owner);
  const transform = { position, rotation, quaternion, scale, name };
  return (
    <object3D ref={object} {...withoutUndefined(transform)}>
      {children}
    </object3D>
  );
});

/** Sizes and directions are new objects in each render; long lists are compared as they are. */
function partsOf(arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('z' in arg)) return [arg];
  const { x, y, z } = arg as Vector;
  return [x, y, z];
}

type Props<Args extends unknown[]> = ColliderOptionsRequiredArgs<Args> & {
  ref?: Ref<RapierCollider>;
};

const shapes = new Map<FunctionComponent<never>, ColliderShape>();

/** The component of a shape, as an application writes it. */
export function nameOfShape(shape: ColliderShape | undefined, name?: string): string {
  const [component] = [...shapes].find(([, known]) => known === shape) ?? [];
  return componentNamed(component?.displayName ?? 'AnyCollider', name);
}

/** The shape of a component of a collider. Undefined for `<AnyCollider>` and for other components. */
export const shapeOfComponent = (component: unknown): ColliderShape | undefined =>
  shapes.get(component as FunctionComponent<never>);

/** Named as its shape: `CuboidCollider` for `cuboid`. */
export function colliderOf<Args extends unknown[]>(
  shape: ColliderShape,
): FunctionComponent<Props<Args>> {
  const Component: FunctionComponent<Props<Args>> = (props) => (
    <AnyCollider {...(props as ColliderProps)} shape={shape} />
  );
  Component.displayName = `${shape.charAt(0).toUpperCase()}${shape.slice(1)}Collider`;
  shapes.set(Component, shape);
  return Component;
}

type ShapeArgs = readonly never[];
type Describe = (args: ShapeArgs, scale: Readonly<Vector>) => ColliderDesc;

/** The worker scales the points, so that colliders of all sizes have the same points. */
const ofPoints =
  (describe: (...args: never[]) => ColliderDesc): Describe =>
  (args, scale) =>
    shared(describe, args).setShapeScale(scale);

/** By the methods of descriptions. */
const DESCRIBE: Readonly<Record<string, Describe>> = {
  ...shapesOfSizes(),
  convexHull: ofPoints(ColliderDesc.convexHull),
  convexMesh: ofPoints(ColliderDesc.convexMesh),
  // The border comes last, with or without indices before it.
  roundConvexHull: ofPoints((points: ArrayLike<number>, ...rest: number[]) =>
    ColliderDesc.roundConvexHull(points, rest.at(-1) as number),
  ),
  roundConvexMesh: ofPoints(
    (points: ArrayLike<number>, indices: ArrayLike<number>, border: number) =>
      ColliderDesc.roundConvexMesh(points, indices, border),
  ),
  trimesh: ofPoints(ColliderDesc.trimesh),
  convexDecomposition: ofPoints(ColliderDesc.convexDecomposition),
  polyline: ofPoints(ColliderDesc.polyline),
  heightfield: (args, scale) => {
    const [rows, columns, heights, size] = args as readonly unknown[] as [
      number,
      number,
      ArrayLike<number>,
      Vector,
    ];
    vector('[3]', size);
    return ColliderDesc.heightfield(rows, columns, heights, {
      x: size.x * scale.x,
      y: size.y * scale.y,
      z: size.z * scale.z,
    });
  },
  halfSpace: ([normal]) => new ColliderDesc(new HalfSpace(normal ?? { x: 0, y: 1, z: 0 })),
};

/** Shapes of nothing but sizes, each of which grows along an axis. */
function shapesOfSizes(): Record<string, Describe> {
  const found: Record<string, Describe> = {};
  for (const { name, describe, parameters } of SHAPE_ROWS) {
    const axes = parameters.map(([, kind]) => kind);
    if (describe === undefined || !axes.every(isSize)) continue;
    found[describe] = (args: readonly unknown[], scale) =>
      described(
        name,
        ...axes.map((axis, at) => finite(`[${at}]`, args[at] as number) * Math.abs(scale[axis])),
      );
  }
  return found;
}

/**
 * Describes a collider of a shape.
 *
 * @param scale Scale of its object in the scene.
 * @throws TypeError, RangeError for an unknown shape, and for invalid sizes.
 */
function describeShape({ shape, args = [] }: ColliderProps, scale: Readonly<Vector>): ColliderDesc {
  const describe = shape === undefined ? undefined : DESCRIBE[shape];
  requireList('it', args);
  if (describe !== undefined)
    return describe(args as readonly unknown[] as ShapeArgs, vector('scale', scale));
  throw new RangeError(
    `shape must be one of ${Object.keys(DESCRIBE).join(', ')}, but is ${JSON.stringify(shape)}`,
  );
}

/** Descriptions by their first array: a description copies its arrays, and the copy is hashed once for all its colliders. */
const descriptions = new WeakMap<object, { key: readonly unknown[]; desc: ColliderDesc }>();

function shared(describe: (...args: never[]) => ColliderDesc, args: ShapeArgs): ColliderDesc {
  const [points] = args as readonly ArrayLike<number>[];
  if (points?.length === undefined) throw new TypeError('[0] must be a list of numbers');
  const key = [describe, ...args];
  const known = descriptions.get(points);
  if (known !== undefined && isSameKey(known.key, key)) return known.desc;
  const desc = describe(...args);
  descriptions.set(points, { key, desc });
  return desc;
}
