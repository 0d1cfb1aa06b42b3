/** The instances of an `<InstancedRigidBodies>`: rows of data by key, without a component for each. */
import { isDevelopment } from '../shared/util/development.js';
import { checkProps } from './check-props.js';
import { warnOfChildren, warnOfMissingKey } from './warnings.js';
import { reportUncaught } from '../render-main/util/report-uncaught.js';
import type { ReactNode } from 'react';
import type { InstancedMesh, Object3D } from 'three';
import type { World } from '../world/page/index.js';
import { ChangeDetector } from '../three/change-detector.js';
import { InstanceBody, type InstanceParent } from './instance-body.js';
import { readNodes, type NodeData } from './instance-colliders.js';
import { InstanceDrawing } from './instance-drawing.js';
import type { InstancedRigidBodyProps } from './instanced-rigid-bodies.js';
import type { Follower } from './followers.js';
import type { PhysicsScope } from './physics-scope.js';
import { transformKeys } from './placement.js';
import { isSameProps } from './same-props.js';
import type { RapierRigidBody, RigidBodyOptions } from './types.js';

type Key = InstancedRigidBodyProps['key'];

/** What was rendered. */
export interface InstanceProps {
  readonly instances: readonly InstancedRigidBodyProps[];
  readonly colliderNodes: readonly ReactNode[];
  /** Of each instance that has no such prop. */
  readonly shared: RigidBodyOptions;
}

export class InstanceList implements InstanceParent, Follower {
  /** What the ref is: the body of each row. */
  readonly bodies: (RapierRigidBody | null)[] = [];
  mesh: InstancedMesh | undefined;
  object: Object3D | undefined;
  placeKey = '';
  nodes: ReadonlyMap<number, NodeData> = new Map();
  /** Reports what goes wrong after a commit. */
  onLateError: (error: Error) => void = reportUncaught;
  readonly #scope: PhysicsScope;
  readonly #drawing: InstanceDrawing;
  readonly #byKey = new Map<Key, InstanceBody>();
  #rows: InstanceBody[] = [];
  /** What each row was given last. */
  #given = new WeakMap<InstanceBody, InstancedRigidBodyProps>();
  #shared: RigidBodyOptions = {};
  /** What all colliders depend on. */
  readonly #changes = new ChangeDetector();
  #world: World | undefined;
  #isReleased = false;
  /** What the mesh is in, while it is watched. */
  #holder: Object3D | undefined;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
    this.#drawing = new InstanceDrawing(scope);
  }

  /** The body of the instance with a key, for what is rendered in it: also before it has props. */
  instance(key: Key): InstanceBody {
    let row = this.#byKey.get(key);
    if (row === undefined) {
      row = new InstanceBody(this.#scope, this);
      this.#byKey.set(key, row);
    }
    return row;
  }

  /**
   * Before any effect of the commit that needs it.
   *
   * @throws RangeError for two instances with one key.
   */
  setProps({ instances, colliderNodes, shared }: InstanceProps): void {
    this.nodes = readNodes(colliderNodes, this.nodes);
    const { position, rotation, quaternion, scale, ...defaults } = shared;
    const { placeKey } = this;
    this.placeKey = transformKeyOf({ position, rotation, quaternion, scale });
    const isSharedSame = placeKey === this.placeKey && isSameProps(defaults, this.#shared);
    this.#shared = defaults;
    const rows = new Set<InstanceBody>();
    for (const [index, given] of instances.entries()) {
      if (isDevelopment) checkProps('body', `instances[${index}] of <InstancedRigidBodies>`, given);
      const row = this.instance(keyOf(given, index));
      if (rows.has(row)) throw sameKey(instances, index);
      rows.add(row);
      row.index = index;
      const before = this.#given.get(row);
      this.#given.set(row, given);
      const isRowSame = before !== undefined && isSameProps(given, before);
      if (!isRowSame || !isSharedSame) row.setProps({ ...defaults, ...given });
    }
    this.#rows = [...rows];
  }

  /**
   * Makes the bodies as the props say.
   *
   * @param object Of the component.
   * @param holder What the mesh is in.
   * @param isMeshChanged Whether it is known already that the mesh is not what it was. Default false.
   */
  sync(object: Object3D, holder: Object3D, isMeshChanged = false): void {
    this.#watch(holder);
    this.#scope.watched.add(this);
    this.#scope.followers.add(this);
    object.updateWorldMatrix(true, false);
    this.object = object;
    this.mesh = meshIn(holder);
    const isAll = this.#haveAllChanged() || isMeshChanged;
    const changed = new Set<InstanceBody>();
    for (const row of this.#rows) {
      if (!isAll && !row.isDirty) continue;
      changed.add(row);
      row.sync(isAll);
    }
    this.#removeOthers();
    this.bodies.length = this.#rows.length;
    for (const [index, row] of this.#rows.entries()) this.bodies[index] = row.current ?? null;
    if (this.mesh === undefined) this.#drawing.remove();
    else this.#drawing.arrange(this.mesh, this.#rows, (row) => changed.has(row));
  }

  get owners(): readonly InstanceBody[] {
    return this.#rows;
  }

  ownerOf(prop: string, instance: InstanceBody): string {
    const all = '<InstancedRigidBodies>';
    return prop in (this.#given.get(instance) ?? {})
      ? `instances[${instance.index}] of ${all}`
      : all;
  }

  show(instance: InstanceBody): void {
    this.#drawing.show(instance);
  }

  /** Follows a mesh that is not what it was. */
  look(): void {
    if (this.#takeChange()) this.resync(true);
  }

  /** After the commit. */
  resync(isMeshChanged = false): void {
    if (this.object === undefined || this.#holder === undefined) return;
    try {
      this.sync(this.object, this.#holder, isMeshChanged);
    } catch (error) {
      this.onLateError(error as Error);
    }
  }

  release(): void {
    this.#isReleased = true;
    this.#scope.watched.delete(this);
    this.#scope.followers.delete(this);
    this.#holder?.removeEventListener('childadded', this.#onChild);
    this.#holder = undefined;
    for (const row of this.#byKey.values()) row.release();
    this.#drawing.release();
  }

  /** Another mesh may come without a render of the component around it. */
  #watch(holder: Object3D): void {
    if (this.#holder === holder) return;
    this.#holder?.removeEventListener('childadded', this.#onChild);
    this.#holder = holder;
    holder.addEventListener('childadded', this.#onChild);
  }

  readonly #onChild = (): void => queueMicrotask(() => this.resync());

  #haveAllChanged(): boolean {
    const { world } = this.#scope;
    // Always asked.
    const isChangeDetectorOthers = this.#takeChange();
    const haveChanged = isChangeDetectorOthers || this.#isReleased || world !== this.#world;
    this.#isReleased = false;
    this.#world = world;
    return haveChanged;
  }

  #takeChange(): boolean {
    const { mesh } = this;
    const madeOf = this.#changes;
    madeOf.add(this.#scope.colliders);
    madeOf.add(this.#scope.jumps);
    madeOf.add(this.nodes);
    madeOf.add(mesh);
    if (mesh !== undefined) {
      madeOf.addGeometry(mesh.geometry, mesh.material);
      madeOf.addScales(mesh);
    }
    return madeOf.takeChange();
  }

  #removeOthers(): void {
    if (this.#byKey.size === this.#rows.length) return;
    const rows = new Set(this.#rows);
    for (const [key, row] of this.#byKey) {
      if (rows.has(row)) continue;
      row.index = -1;
      row.release();
      this.#byKey.delete(key);
    }
  }
}

const transformKeyOf = (props: Parameters<typeof transformKeys>[0]): string =>
  Object.values(transformKeys(props)).join('|');

/** As React does, an instance without a key has that of its row. */
function keyOf({ key }: InstancedRigidBodyProps, index: number): Key {
  // Types say that it is always there.
  if ((key as Key | undefined) !== undefined) return key;
  if (isDevelopment) warnOfMissingKey(index);
  return `.${index}`;
}

function sameKey(instances: readonly InstancedRigidBodyProps[], index: number): RangeError {
  const { key } = instances[index] as InstancedRigidBodyProps;
  const first = instances.findIndex((instance) => instance.key === key);
  return new RangeError(
    `instances[${index}].key of <InstancedRigidBodies> is ${JSON.stringify(key)}, which is that of instances[${first}]: ` +
      'give each its own',
  );
}

/** The mesh that draws the instances. What else there is is warned of. */
function meshIn({ children }: Object3D): InstancedMesh | undefined {
  const mesh = children.find((child): child is InstancedMesh => 'isInstancedMesh' in child);
  if (isDevelopment) warnOfChildren(children, mesh);
  return mesh;
}
