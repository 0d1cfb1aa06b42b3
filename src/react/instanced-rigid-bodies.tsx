/** `<InstancedRigidBodies>`: bodies by key, without a component for each, drawn by the instances of an InstancedMesh in their order. */
import {
  Fragment,
  type JSX,
  memo,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type InstancedMesh, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { isDevelopment, warnOnce } from '../shared/util/development.js';
import { requireList } from '../shared/util/validate.js';
import { ChangeDetector } from '../three/change-detector.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { BodyBinding, OrderedBodies } from '../three/index.js';
import { nameOf } from '../three/drawn-geometry.js';
import { updateWorldMatrices } from '../three/scene-space.js';
import { checkProps, warnOfChildren } from './development.js';
import { LateWork, useLateErrors } from './errors.js';
import { BodyContext, OWNER_PROPERTY } from './body-owner.js';
import {
  InstanceBody,
  type InstanceParent,
  type NodeData,
  readNodes,
  renderedNodes,
} from './instance-body.js';
import { isSameProps, objectProps, withoutUndefined } from './props.js';
import { usePhysics } from './physics-context.js';
import type { RigidBodyProps } from './rigid-body.js';
import type { RapierRigidBody, RigidBodyOptions } from './types.js';
import { type Resyncable, Lease, useRelease } from './leases.js';
import type { PhysicsScope } from './physics-scope.js';
import { transformKeys } from './placement.js';

/** One instance: the props of its body, and a key that tells it from others. */
export type InstancedRigidBodyProps = Omit<RigidBodyProps, 'ignores'> & { key: string | number };

/** Props of {@link InstancedRigidBodies}: those of a body are those of all instances that have no such prop. */
export interface InstancedRigidBodiesProps extends Omit<RigidBodyProps, 'ignores' | 'ref'> {
  /** One for each body: the i-th is drawn as the i-th instance of the mesh. */
  instances: InstancedRigidBodyProps[];
  /** Colliders that each instance gets, besides that of the mesh. Components of colliders cost no component each. */
  colliderNodes?: ReactNode[];
  /** An `<instancedMesh>`. Its `count` is left alone. */
  children: ReactNode;
  /** Set to the bodies, in the order of `instances`: the array stays the same one. */
  ref?: Ref<(RapierRigidBody | null)[] | null>;
}

const NO_NODES: ReactNode[] = [];

/**
 * Many bodies that are drawn by one `<instancedMesh>`, its only child: instance i is `instances[i]`, also where a ray has
 * hit (`instanceId`). Each gets a collider for the geometry of the mesh, by the prop `colliders`, and those of
 * `colliderNodes`.
 *
 * The key says which instance a row is: when some come and go, the others keep their bodies, and a changed prop of one
 * sends that one alone. An instance with another `canSleep` or `colliders` gets another body, which continues where the
 * old one was. In payloads of collisions, `rigidBodyObject` is the mesh.
 *
 * @throws Error outside of `<Physics>`; TypeError or RangeError for an invalid prop, and for two equal keys.
 */
export const InstancedRigidBodies = memo(function InstancedRigidBodies(
  props: InstancedRigidBodiesProps,
): JSX.Element {
  const { scope } = usePhysics('<InstancedRigidBodies>');
  if (isDevelopment) checkProps('instances', '<InstancedRigidBodies>', props);
  const [list] = useState(() => new InstanceList(scope));
  const object = useRef<Object3D>(null);
  const holder = useRef<Object3D>(null);
  const { children, colliderNodes = NO_NODES, instances, ref, ...shared } = props;
  requireList('instances of <InstancedRigidBodies>', instances);
  requireList('colliderNodes of <InstancedRigidBodies>', colliderNodes);
  const rendered = renderedNodes(colliderNodes);
  list.late.onError = useLateErrors();
  // Before all layout effects: those of colliders need the bodies.
  useInsertionEffect(() => list.setProps({ instances, colliderNodes, shared }));
  useLayoutEffect(() => {
    if (object.current !== null && holder.current !== null) {
      list.sync(object.current, holder.current);
    }
  });
  useImperativeHandle(ref, () => list.bodies, [list]);
  useRelease(list);
  return (
    <object3D ref={object} {...objectProps(shared)}>
      <object3D ref={holder}>{children}</object3D>
      {rendered.length > 0 &&
        instances.map(({ key, position, rotation, quaternion, scale }) => {
          const body = list.instance(key);
          const transform = withoutUndefined({ position, rotation, quaternion, scale });
          return (
            <BodyContext key={key} value={body}>
              <object3D {...transform} {...{ [OWNER_PROPERTY]: body }}>
                {rendered.map(([index, node]) => (
                  <Fragment key={index}>{node}</Fragment>
                ))}
              </object3D>
            </BodyContext>
          );
        })}
    </object3D>
  );
});

type Key = InstancedRigidBodyProps['key'];

/** The props that were rendered. */
interface InstanceProps {
  readonly instances: readonly InstancedRigidBodyProps[];
  readonly colliderNodes: readonly ReactNode[];
  /** Props of all instances that do not have them themselves. */
  readonly shared: RigidBodyOptions;
}

/** The instances of one component. */
class InstanceList implements InstanceParent, Resyncable {
  /** The value of the ref: the body of each instance. */
  readonly bodies: (RapierRigidBody | null)[] = [];
  mesh: InstancedMesh | undefined;
  object: Object3D | undefined;
  transformKey = '';
  nodes: readonly (NodeData | undefined)[] = [];
  readonly late = new LateWork();
  readonly #scope: PhysicsScope;
  /** The mesh while bodies are drawn with it. */
  readonly #drawing: Lease<DrawnMesh>;
  /** Numbers of bodies, for the instances that the mesh has room for. */
  readonly #ids: (BodyId | undefined)[] = [];
  readonly #byKey = new Map<Key, InstanceBody>();
  #instances: InstanceBody[] = [];
  #shared: RigidBodyOptions = {};
  /** Watches what all colliders depend on. */
  #changes = new ChangeDetector();
  /** The object around the mesh, while it is watched. */
  #holder: Object3D | undefined;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
    this.#drawing = new Lease(scope.leases, ({ bodies }, [binding]) =>
      (binding as BodyBinding).detach(bodies.mesh),
    );
  }

  /** The body of the instance with a key. The components in it ask for it before it has props. */
  instance(key: Key): InstanceBody {
    let instance = this.#byKey.get(key);
    if (instance === undefined) {
      instance = new InstanceBody(this.#scope, this);
      this.#byKey.set(key, instance);
    }
    return instance;
  }

  /**
   * To be called before the effects of a commit that need the bodies.
   *
   * @throws RangeError for two instances with one key.
   */
  setProps({ instances, colliderNodes, shared }: InstanceProps): void {
    this.nodes = readNodes(colliderNodes, this.nodes);
    const { position, rotation, quaternion, scale, ...defaults } = shared;
    const { transformKey } = this;
    const keys = transformKeys({ position, rotation, quaternion, scale });
    this.transformKey = Object.values(keys).join('|');
    const isSharedSame = transformKey === this.transformKey && isSameProps(defaults, this.#shared);
    this.#shared = defaults;
    const all = new Set<InstanceBody>();
    for (const [index, given] of instances.entries()) {
      if (isDevelopment) checkProps('body', `instances[${index}] of <InstancedRigidBodies>`, given);
      const instance = this.instance(keyOf(given, index));
      if (all.has(instance)) throw sameKey(instances, index);
      all.add(instance);
      instance.index = index;
      const before = instance.given;
      instance.given = given;
      const isSame = before !== undefined && isSameProps(given, before);
      if (!isSame || !isSharedSame) instance.setProps({ ...defaults, ...given });
    }
    this.#instances = [...all];
  }

  /**
   * Makes the bodies as the props say.
   *
   * @param object Object of the component.
   * @param holder Object around the mesh.
   * @param isMeshChanged Whether the mesh is known to have changed. Default false.
   */
  sync(object: Object3D, holder: Object3D, isMeshChanged = false): void {
    this.#holder = holder;
    this.#scope.watchers.add(this);
    this.#scope.leases.resyncables.add(this);
    updateWorldMatrices(object);
    this.object = object;
    this.mesh = holder.children.find(isInstancedMesh);
    if (isDevelopment) warnOfChildren(holder.children, this.mesh);
    // Asked each time: it compares with the last call.
    const isAll = this.#takeChange() || isMeshChanged;
    for (const instance of this.#instances) {
      if (isAll || instance.isDirty) instance.sync(isAll);
    }
    this.#removeOthers();
    this.bodies.length = this.#instances.length;
    for (const [index, instance] of this.#instances.entries())
      this.bodies[index] = instance.current ?? null;
    if (this.mesh === undefined) this.#drawing.remove();
    else this.#draw(this.mesh);
  }

  show({ index, id }: InstanceBody): void {
    if (index >= 0 && index < this.#ids.length) this.#ids[index] = id;
  }

  /** Follows a changed mesh. */
  followChanges(): void {
    if (this.#takeChange()) this.resync(true);
  }

  /** Syncs after a commit. */
  resync(isMeshChanged = false): void {
    const [object, holder] = [this.object, this.#holder];
    if (object === undefined || holder === undefined) return;
    this.late.do(() => this.sync(object, holder, isMeshChanged));
  }

  release(): void {
    // All colliders have to be made again.
    this.#changes = new ChangeDetector();
    this.#scope.watchers.delete(this);
    this.#scope.leases.resyncables.delete(this);
    this.#holder = undefined;
    for (const instance of this.#byKey.values()) instance.release();
    this.#drawing.release();
  }

  #takeChange(): boolean {
    // Another mesh may come without a render of the component around it.
    const mesh = this.#holder?.children.find(isInstancedMesh);
    const changes = this.#changes;
    changes.add(this.#scope.world);
    changes.add(this.#scope.colliders);
    changes.add(this.#scope.jumps);
    for (let index = 0; index < this.nodes.length; index++) changes.add(this.nodes[index]);
    changes.add(mesh);
    if (mesh !== undefined) {
      changes.addGeometry(mesh.geometry, mesh.material);
      changes.addScales(mesh);
    }
    return changes.takeChange();
  }

  /** Draws the instances in their order from now on. */
  #draw(mesh: InstancedMesh): void {
    const capacity = mesh.instanceMatrix.count;
    const count = this.#instances.length;
    if (count > capacity) {
      warnOnce(
        `the instances of ${mesh.name}`,
        `<InstancedRigidBodies> has ${count} instances, but ${nameOf(mesh)} was made for ${capacity}: the others are not ` +
          'drawn. Give args={[geometry, material, most]} a larger number',
      );
    }
    const drawn = this.#instances.slice(0, capacity);
    const scales = new Float32Array(drawn.length * 3);
    this.#ids.length = drawn.length;
    for (const [index, { current, id, scale }] of drawn.entries()) {
      this.#ids[index] = id;
      size.copy(scale).multiply(mesh.scale);
      size.toArray(scales, index * 3);
      // The next frame draws those that have a number before they are seen.
      if (current === undefined) continue;
      position.copy(current.translation());
      rotation.copy(current.rotation());
      mesh.setMatrixAt(index, matrix.compose(position, rotation, size));
    }
    mesh.instanceMatrix.array.fill(0, MATRIX_NUMBERS * drawn.length);
    mesh.instanceMatrix.needsUpdate = true;
    const { binding } = this.#scope;
    const { bodies } = this.#drawing.acquire([binding, mesh], () => ({
      // A fixed body has no number, and one that is replaced has none for a moment.
      bodies: binding.instancesInOrder(mesh, this.#ids, undefined, { keepOthers: true }),
      isValid: () => true,
    }));
    bodies.scales = scales;
  }

  #removeOthers(): void {
    if (this.#byKey.size === this.#instances.length) return;
    const rendered = new Set(this.#instances);
    for (const [key, instance] of this.#byKey) {
      if (rendered.has(instance)) continue;
      instance.index = -1;
      instance.release();
      this.#byKey.delete(key);
    }
  }
}

/** As in React, an instance without a key is known by its index. */
function keyOf({ key }: InstancedRigidBodyProps, index: number): Key {
  // JavaScript may leave it out.
  if ((key as Key | undefined) !== undefined) return key;
  if (isDevelopment) {
    warnOnce(
      'instances without a key',
      `instances[${index}] of <InstancedRigidBodies> has no key: without, bodies are exchanged when others come and go`,
    );
  }
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

const isInstancedMesh = (child: Object3D): child is InstancedMesh => 'isInstancedMesh' in child;

const MATRIX_NUMBERS = 16;
const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const size = new Vector3();

/** A mesh while bodies are drawn with it. */
interface DrawnMesh {
  readonly bodies: OrderedBodies;
  isValid(): boolean;
}
