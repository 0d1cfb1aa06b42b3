/** `<RigidBody>`: its body, the colliders of the meshes in it, and the bodies that it ignores. */
import {
  type JSX,
  memo,
  type ReactNode,
  type Ref,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { EventHandlers, ThreeElements } from '@react-three/fiber';
import type { Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { requireList } from '../shared/util/validate.js';
import {
  ActiveHooks,
  type RigidBody as RigidBodyHandle,
  type SystemHandle,
} from '../world/page/index.js';
import { IGNORED_PAIR, type IgnoredPairFields } from '../world/shared/built-in-systems.js';
import { checkProps } from './development.js';
import { BodyContext, BodyOwner, OWNER_PROPERTY } from './body-owner.js';
import { componentNamed, useLateErrors } from './errors.js';
import { objectProps } from './props.js';
import { usePhysics } from './physics-context.js';
import type { BodyRef, RapierRigidBody, RigidBodyOptions } from './types.js';
import { type Resyncable, HandleRef, useRelease } from './leases.js';
import { AutoColliders } from './auto-colliders.js';
import type { PhysicsScope } from './physics-scope.js';
import { warnOfMovingShear } from '../three/drawn-geometry.js';
import { type Placement, placementOf } from '../three/scene-space.js';
import { builtInSystem } from './systems.js';
import { useDependentItem } from './dependent-item.js';

/**
 * Props that fiber takes for an object of three.js, such as `visible` and `onClick`. Without its methods, and without `parent`, `id`
 * and what else it finds itself: applications may give their own props such names.
 */
type ObjectProps = Pick<
  ThreeElements['object3D'],
  | keyof EventHandlers
  | 'animations'
  | 'attach'
  | 'castShadow'
  | 'customDepthMaterial'
  | 'customDistanceMaterial'
  | 'dispose'
  | 'frustumCulled'
  | 'layers'
  | 'matrixAutoUpdate'
  | 'matrixWorldAutoUpdate'
  | 'onAfterRender'
  | 'onAfterShadow'
  | 'onBeforeRender'
  | 'onBeforeShadow'
  | 'onUpdate'
  | 'raycast'
  | 'receiveShadow'
  | 'renderOrder'
  | 'up'
  | 'visible'
>;

/** Props of {@link RigidBody}: those of a body, of its colliders, and of an object of three.js, such as `visible`. */
export interface RigidBodyProps extends RigidBodyOptions, ObjectProps {
  /** Meshes, colliders, and what else moves with the body. */
  children?: ReactNode;
  /**
   * Refs of bodies that it passes through: they have no contacts, and sensors of one do not notice the other. It is
   * enough that one of two names the other. Default: none.
   */
  ignores?: readonly BodyRef[] | undefined;
  /** The body. */
  ref?: Ref<RapierRigidBody> | undefined;
}

/**
 * A body, whose object is moved by the simulation. The meshes in it get colliders of what is drawn of them, by the prop
 * `colliders` of it or of `<Physics>`, and these follow when that changes; components of colliders in it, such as
 * `<CuboidCollider>`, are added.
 *
 * The ref is the body's handle: it exists after the first layout effects, has Rapier's methods, and is null after the
 * component was unmounted. A change of a prop sends that setting alone; `position` and `rotation` move the body when they
 * change. Another `colliders` or `canSleep` makes another body.
 *
 * @throws Error outside of `<Physics>`; TypeError or RangeError for an invalid prop, naming it.
 */
export const RigidBody = memo(function RigidBody(props: RigidBodyProps): JSX.Element {
  const { scope } = usePhysics('<RigidBody>');
  if (isDevelopment) checkProps('body', '<RigidBody>', props);
  const [owner] = useState(() => new ObjectBody(scope));
  owner.late.onError = useLateErrors();
  const object = useRef<Object3D>(null);
  const { children, ignores = [], ref } = props;
  requireList('ignores of <RigidBody>', ignores);
  // Before all layout effects: those of the children need the body.
  useInsertionEffect(() => owner.setProps(props));
  useLayoutEffect(() => {
    if (object.current !== null) owner.sync(object.current, ref);
  });
  useLayoutEffect(() => () => owner.detachRef(), [owner]);
  useRelease(owner);
  return (
    <BodyContext value={owner}>
      <object3D ref={object} {...objectProps(props)} {...{ [OWNER_PROPERTY]: owner }}>
        {children}
      </object3D>
      {ignores.map((other, index) => (
        <IgnoredBody key={index} owner={owner} other={other} />
      ))}
    </BodyContext>
  );
});

const IGNORING = ActiveHooks.FILTER_CONTACT_PAIRS | ActiveHooks.FILTER_INTERSECTION_PAIRS;

/** The body of a `<RigidBody>`, and the colliders of the meshes in it. */
class ObjectBody extends BodyOwner implements Resyncable {
  readonly #auto: AutoColliders;
  readonly #handleRef = new HandleRef<RapierRigidBody>();
  #object: Object3D | undefined;
  #ref: Ref<RapierRigidBody> | undefined;

  constructor(scope: PhysicsScope) {
    super(scope);
    this.#auto = new AutoColliders(this, () => this.autoColliders);
  }

  override get activeHooks(): number {
    const { ignores = [] } = this.props as RigidBodyProps;
    return ignores.length === 0 ? 0 : IGNORING;
  }

  override componentOf(): string {
    return componentNamed('RigidBody', this.#object?.name);
  }

  /** Makes the body as its props and its object say. */
  sync(object: Object3D, ref: Ref<RapierRigidBody> | undefined): void {
    this.#object = object;
    this.#ref = ref;
    this.scope.leases.resyncables.add(this);
    const body = this.syncBody();
    this.#auto.sync(object);
    this.syncColliders();
    this.#handleRef.set(ref, body);
  }

  /** Empties the ref: the component is unmounted or hidden. */
  detachRef(): void {
    this.#ref = undefined;
    this.#handleRef.set(undefined, undefined);
  }

  override objectFrom(from: Object3D): Object3D | undefined {
    return this.#object ?? super.objectFrom(from);
  }

  override release(): void {
    this.scope.leases.resyncables.delete(this);
    this.#auto.release();
    super.release();
  }

  override resync(): void {
    const object = this.#object;
    if (object !== undefined) this.late.do(() => this.sync(object, this.#ref));
  }

  override get object(): Object3D | undefined {
    return this.#object;
  }

  protected override placement(): Placement {
    // `sync` comes first.
    const object = this.#object as Object3D;
    const { type, lockRotations = false } = this.props;
    if (isDevelopment && type !== 'fixed' && !lockRotations) warnOfMovingShear(object);
    return placementOf(object);
  }
}

/** Makes a body pass through another one. One that sleeps on the other would stay where it is, so both are woken. */
function IgnoredBody({ owner, other }: { owner: BodyOwner; other: BodyRef }): null {
  useDependentItem<SystemHandle, null>('ignores of <RigidBody>', null, {
    dependencies: [owner, other],
    key: [],
    make: (world, bodies) => {
      const [one, two] = bodies as readonly [RigidBodyHandle, RigidBodyHandle];
      for (const body of [one, two]) body.wakeUp();
      const fields = { body: one.handle, other: two.handle };
      return builtInSystem(world, IGNORED_PAIR, fields);
    },
    remove(world, system) {
      const pair = system.props() as IgnoredPairFields;
      world.removeSystem(system);
      for (const handle of [pair.body, pair.other]) world.getRigidBody(handle)?.wakeUp();
    },
  });
  return null;
}
