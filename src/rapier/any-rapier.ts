/**
 * The parts of Rapier that the adapter uses, for objects of any build and version.
 *
 * Each package declares its own classes with private members, so the world of one is not assignable to the world of
 * another. It is assignable to these interfaces.
 */

export interface AnyVector {
  x: number;
  y: number;
  z: number;
}

export interface AnyRotation extends AnyVector {
  w: number;
}

/** A rigid body of any build of Rapier. */
export interface AnyRigidBody {
  readonly handle: number;
  isValid(): boolean;
  isEnabled(): boolean;
  isSleeping(): boolean;
  isMoving(): boolean;
  isKinematic(): boolean;
  isDynamic(): boolean;
  gravityScale(): number;
  additionalSolverIterations(): number;
  wakeUp(): void;
  numColliders(): number;
  collider(index: number): AnyCollider;
  // Version 0.19 ignores the target, and returns another object.
  translation(target?: AnyVector): AnyVector;
  rotation(target?: AnyRotation): AnyRotation;
  linvel(target?: AnyVector): AnyVector;
  angvel(target?: AnyVector): AnyVector;
  worldCom(target?: AnyVector): AnyVector;
  setTranslation(to: AnyVector, wakeUp: boolean): void;
  setRotation(to: AnyRotation, wakeUp: boolean): void;
  setLinvel(velocity: AnyVector, wakeUp: boolean): void;
  setAngvel(velocity: AnyVector, wakeUp: boolean): void;
  resetForces(wakeUp: boolean): void;
  resetTorques(wakeUp: boolean): void;
  setBodyType(type: number, wakeUp: boolean): void;
  setEnabled(isEnabled: boolean): void;
}

/** A collider of any build of Rapier. */
export interface AnyCollider {
  readonly handle: number;
  parent(): AnyRigidBody | null;
  isEnabled(): boolean;
  collisionGroups(): number;
  setCollisionGroups(groups: number): void;
  readonly shape: object;
  translation(target?: AnyVector): AnyVector;
  rotation(target?: AnyRotation): AnyRotation;
  translationWrtParent(): AnyVector | null;
  contactCollider(other: AnyCollider, prediction: number): object | null;
  isSensor(): boolean;
  setSensor(isSensor: boolean): void;
  activeEvents(): number;
  setActiveEvents(events: number): void;
  contactForceEventThreshold(): number;
  setContactForceEventThreshold(threshold: number): void;
}

export interface AnyContactManifold {
  normal(): AnyVector;
  numContacts(): number;
  contactDist(index: number): number;
  contactImpulse(index: number): number;
  localContactPoint1(index: number): AnyVector | null;
  localContactPoint2(index: number): AnyVector | null;
  numSolverContacts(): number;
  solverContactPoint(index: number, target?: AnyVector): AnyVector | null;
  solverContactDist(index: number): number;
}

export interface AnyContactForceEvent {
  collider1(): number;
  collider2(): number;
  totalForce(): AnyVector;
  totalForceMagnitude(): number;
  maxForceDirection(): AnyVector;
  maxForceMagnitude(): number;
}

/** An event queue of any build of Rapier. */
export interface AnyEventQueue {
  drainCollisionEvents(f: (handle1: number, handle2: number, isTouching: boolean) => void): void;
  drainContactForceEvents(f: (event: AnyContactForceEvent) => void): void;
  free(): void;
}

/** Filters of pairs that the engine asks within a step. */
export interface AnyPhysicsHooks {
  filterContactPair(c1: number, c2: number, b1: number, b2: number): number | null;
  filterIntersectionPair(c1: number, c2: number, b1: number, b2: number): boolean;
}

/** A world of any build of Rapier. */
export interface AnyWorld {
  timestep: number;
  gravity: AnyVector;
  readonly lengthUnit: number;
  readonly numSolverIterations: number;
  step(eventQueue?: AnyEventQueue, hooks?: AnyPhysicsHooks): void;
  // Only the types that they return are needed here.
  createRigidBody(desc: never): AnyRigidBody;
  createCollider(desc: never, parent?: never): AnyCollider;
  getRigidBody(handle: number): AnyRigidBody;
  getCollider(handle: number): AnyCollider;
  removeRigidBody(rigidBody: AnyRigidBody): void;
  forEachRigidBody(f: (rigidBody: AnyRigidBody) => void): void;
  forEachActiveRigidBody(f: (rigidBody: AnyRigidBody) => void): void;
  forEachCollider(f: (collider: AnyCollider) => void): void;
  contactPair(
    collider1: AnyCollider,
    collider2: AnyCollider,
    f: (manifold: AnyContactManifold, isFlipped: boolean) => void,
  ): void;
  collidersWithAabbIntersectingAabb(
    center: AnyVector,
    halfExtents: AnyVector,
    f: (collider: AnyCollider) => boolean,
  ): void;
  contactPairsWith(collider: AnyCollider, f: (other: AnyCollider) => void): void;
  intersectionPair(collider1: AnyCollider, collider2: AnyCollider): boolean;
  intersectionPairsWith(collider: AnyCollider, f: (other: AnyCollider) => void): void;
  takeSnapshot(): Uint8Array;
  readonly serializationPipeline: {
    deserializeAll(snapshot: Uint8Array): AnyWorld;
  };
  readonly impulseJoints: {
    get(handle: number): { body1(): AnyRigidBody; body2(): AnyRigidBody } | null;
    forEachJointHandleAttachedToRigidBody(body: number, f: (handle: number) => void): void;
  };
  readonly colliders: { readonly raw: { coParent(handle: number): number | undefined } };
  free(): void;
}

/** The module of any build of Rapier, as imported by `import * as`. */
export interface AnyRapier {
  readonly World: new (gravity: AnyVector) => AnyWorld;
  readonly EventQueue: new (autoDrain: boolean) => AnyEventQueue;
  readonly RigidBody: abstract new (...args: never) => AnyRigidBody;
  readonly ActiveEvents: {
    readonly COLLISION_EVENTS: number;
    readonly CONTACT_FORCE_EVENTS: number;
  };
  init(): Promise<void>;
  version(): string;
}

/** The rigid bodies of a world. */
export type RigidBodyOf<W extends AnyWorld> = ReturnType<W['createRigidBody']>;

const handleValue = new Float64Array(1);
const handleWords = new Uint32Array(handleValue.buffer);

/**
 * Rapier's handles are the bits of a double: the lower half is the index in its arena, the upper half the generation.
 */
export function arenaIndexOf(handle: number): number {
  handleValue[0] = handle;
  return handleWords[0] ?? 0;
}

/** The rigid body that a collider is part of. In a restored world, Rapier's `parent()` returns the first for one without. */
export function parentOf(collider: AnyCollider): AnyRigidBody | null {
  return collider.translationWrtParent() === null ? null : collider.parent();
}
