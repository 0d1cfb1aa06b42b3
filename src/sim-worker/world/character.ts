/**
 * A character: a kinematic body that walks, on Rapier's controller. The controller is no part of a saved world, and this
 * reads nothing that it keeps from one step to the next, so a new controller continues like the old one.
 */
import type { InputState } from '../../shared/input/input-state.js';
import type { Json } from '../../shared/util/json.js';
import { controlIn, type CharacterInputs } from '../../shared/world/control-inputs.js';
import type { Vector } from '../../shared/world/fields.js';
import {
  cross,
  dot,
  inverse,
  plus,
  rotationAbout,
  scaled,
  turned,
  unit,
} from '../../shared/world/turns.js';
import type { CharacterFields } from '../../shared/world/world-fields.js';
import type { Rapier, RapierWorldOf } from '../engines/rapier-builds.js';

type World = RapierWorldOf;
type Controller = ReturnType<World['createCharacterController']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;

/** A jump that is asked for in the air happens if it lands within this time. */
const JUMP_BUFFER_SECONDS = 0.1;
/** How far below it the ground is looked for, in m, in addition to the gap that it keeps. */
const REACH = 0.1;
const NOWHERE = { x: 0, y: 0, z: 0 } as const;
const UP = { x: 0, y: 1, z: 0 } as const;
const FORWARD = { x: 0, y: 0, z: -1 } as const;

/** Which colliders it meets. Undefined: all. */
type Meets = ((other: Collider) => boolean) | undefined;

/** What the next tick depends on, as plain data. */
export type CharacterState = {
  /** Along up, in m/s. */
  rise: number;
  /** What it has from the ground that it left: across up, in m/s. */
  drift: Vector;
  /** The same along up. */
  lift: number;
  jumpSpeed: number;
  /** For which the jump is still wanted. */
  jumpSeconds: number;
  isGrounded: boolean;
  /** Whether it slides on what it touches. */
  isSteep: boolean;
  /** In m/s. */
  velocity: Vector;
};

/** What a character needs in a tick. */
export interface CharacterTick {
  readonly rapier: Rapier;
  readonly world: World;
  readonly input: InputState;
  readonly dt: number;
  /** Whether two colliders pass through each other. Undefined: none do. */
  readonly passes: ((one: Collider, other: Collider) => boolean) | undefined;
}

export class Character {
  readonly #controller: Controller;
  readonly fields: CharacterFields = {};
  readonly state: CharacterState = {
    rise: 0,
    drift: { ...NOWHERE },
    lift: 0,
    jumpSpeed: 0,
    jumpSeconds: 0,
    isGrounded: false,
    isSteep: false,
    velocity: { ...NOWHERE },
  };
  /** What is below it. */
  ground: RigidBody | undefined;

  constructor(world: World, { offset = 0.01 }: CharacterFields) {
    this.#controller = world.createCharacterController(offset);
  }

  set({ jump, ...fields }: CharacterFields): void {
    Object.assign(this.fields, fields);
    configure(this.#controller, fields);
    if (jump !== undefined) this.#jump(jump);
  }

  remove(world: World): void {
    world.removeCharacterController(this.#controller);
  }

  save(): Json {
    return this.state as unknown as Json;
  }

  restore(saved: Json): void {
    Object.assign(this.state, saved);
  }

  /** Moves it in the coming step. */
  step(collider: Collider, body: RigidBody, tick: CharacterTick): void {
    const { state } = this;
    const { dt } = tick;
    const up = unit(this.fields.up ?? UP);
    const walk = this.#walk(up, tick.input);
    const carry = state.isGrounded ? this.#carry(body, dt) : NOWHERE;
    if (state.isGrounded) this.#noteDrift(scaled(carry, 1 / dt), up);
    const { isHeld, isFree } = this.#rise(up, tick);
    const speed = plus(isFree ? plus(walk, state.drift) : walk, up, state.rise);
    const wanted = scaled(speed, dt);
    const meets = tick.passes && ((other: Collider) => tick.passes?.(collider, other) !== true);
    const own = this.#compute(tick.rapier, collider, wanted, meets);
    this.#stopRise(dot(own, up), dot(wanted, up), dt);
    const isCarried = isHeld && dot(carry, carry) > 0;
    const movement = isCarried
      ? this.#carried(tick.rapier, collider, plus(own, carry), meets)
      : own;
    this.#findGround(collider, body, plus(collider.translation(), own), up, tick, meets);
    state.velocity = scaled(movement, 1 / dt);
    body.setNextKinematicTranslation(plus(body.translation(), movement));
  }

  #jump(speed: number): void {
    this.state.jumpSpeed = speed;
    this.state.jumpSeconds = JUMP_BUFFER_SECONDS;
  }

  /** Where it wants to go, in m/s. */
  #walk(up: Vector, input: InputState): Vector {
    const { velocity = NOWHERE, inputs, forward = FORWARD } = this.fields;
    if (inputs === undefined || inputs === null) return velocity;
    const { speed, jumpSpeed = 0, ...which } = inputs as unknown as CharacterInputs;
    const control = controlIn(input, which, false);
    if (control.isActionNew && jumpSpeed > 0) this.#jump(jumpSpeed);
    const ahead = unit(plus(forward, up, -dot(forward, up)));
    const direction = plus(scaled(ahead, control.forward), cross(ahead, up), control.right);
    const length = Math.sqrt(dot(direction, direction));
    return plus(velocity, direction, length > 1 ? speed / length : speed);
  }

  /** Gravity and jumps. @returns Whether it is kept on the ground without gravity, and whether it leaves or has left it. */
  #rise(up: Vector, { world, dt }: CharacterTick) {
    const { state, fields } = this;
    const stands = state.isGrounded && !state.isSteep;
    const isJumping = state.jumpSeconds > 0 && stands;
    if (isJumping) {
      state.rise = state.jumpSpeed + Math.max(0, state.lift);
      state.jumpSeconds = 0;
    } else if (stands) state.rise = 0;
    state.jumpSeconds = Math.max(0, state.jumpSeconds - dt);
    // Pressed against the ground, the controller walks unevenly; snapping keeps it there.
    const isHeld = stands && !isJumping && (fields.snapToGround ?? -1) >= 0;
    if (!isHeld) state.rise -= (fields.gravity?.[0] ?? -dot(world.gravity, up)) * dt;
    return { isHeld, isFree: isJumping || !state.isGrounded };
  }

  /** By how far kinematic ground takes it along in the coming step. */
  #carry(body: RigidBody, dt: number): Vector {
    const { ground } = this;
    if (ground?.isValid() !== true || !ground.isKinematic()) return NOWHERE;
    const at = body.translation();
    if (ground.bodyType() === KINEMATIC_POSITION_BASED) {
      const local = turned(inverse(ground.rotation()), plus(at, ground.translation(), -1));
      const next = plus(ground.nextTranslation(), turned(ground.nextRotation(), local));
      return plus(next, at, -1);
    }
    // Only those that go to positions know the next one before the step.
    const spin = ground.angvel();
    const arm = plus(at, ground.worldCom(), -1);
    const angle = Math.sqrt(dot(spin, spin)) * dt;
    const turnedArm = turned(rotationAbout(unit(spin), angle), arm);
    return plus(plus(turnedArm, arm, -1), ground.linvel(), dt);
  }

  /** What it keeps of the ground's velocity when it leaves it. */
  #noteDrift(velocity: Vector, up: Vector): void {
    this.state.lift = dot(velocity, up);
    this.state.drift = plus(velocity, up, -this.state.lift);
  }

  #compute(rapier: Rapier, collider: Collider, wanted: Vector, meets: Meets): Vector {
    const { EXCLUDE_SENSORS } = rapier.QueryFilterFlags;
    const groups = collider.collisionGroups();
    this.#controller.computeColliderMovement(collider, wanted, EXCLUDE_SENSORS, groups, meets);
    // Near the ground is on it for the controller, also at the beginning of a jump.
    this.state.isGrounded = this.#controller.computedGrounded() && this.state.rise <= 0;
    return this.#controller.computedMovement();
  }

  /** The same way on ground that moves: only the rest of the world is in it. */
  #carried(rapier: Rapier, collider: Collider, wanted: Vector, meets: Meets): Vector {
    const controller = this.#controller;
    const snap = controller.snapToGroundDistance();
    const isPushing = controller.applyImpulsesToDynamicBodies();
    // Not onto what is below the ground, and not twice.
    controller.disableSnapToGround();
    controller.setApplyImpulsesToDynamicBodies(false);
    controller.computeColliderMovement(
      collider,
      wanted,
      rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      collider.collisionGroups(),
      (other) => other.parent() !== this.ground && meets?.(other) !== false,
    );
    if (snap !== null) controller.enableSnapToGround(snap);
    controller.setApplyImpulsesToDynamicBodies(isPushing);
    return controller.computedMovement();
  }

  /** What is below it after the step, and how steep that is: the controller does not always say. */
  #findGround(
    collider: Collider,
    body: RigidBody,
    at: Vector,
    up: Vector,
    tick: CharacterTick,
    meets: Meets,
  ) {
    const { state, fields } = this;
    this.ground = undefined;
    state.isSteep = false;
    if (!state.isGrounded) return;
    const hit = tick.world.castShape(
      at,
      collider.rotation(),
      scaled(up, -1),
      collider.shape,
      0,
      (fields.offset ?? 0) + REACH,
      true,
      tick.rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      collider.collisionGroups(),
      undefined,
      body,
      meets,
    );
    if (hit === null) return;
    this.ground = hit.collider.parent() ?? undefined;
    state.isSteep = dot(hit.normal1, up) < cosine(fields.minSlopeSlideAngle ?? Math.PI / 4);
  }

  /** A ceiling ends a jump, and steep ground brakes a fall. In the air, a wall that it slides along does not. */
  #stopRise(moved: number, wanted: number, dt: number): void {
    const { state } = this;
    if (wanted > 0 && moved < wanted / 2) state.rise = Math.max(0, moved / dt);
    if (wanted < 0 && state.isGrounded) state.rise = Math.min(0, Math.max(wanted, moved) / dt);
  }
}

/** Rapier's value. */
const KINEMATIC_POSITION_BASED = 2;

const cosine = (angle: number): number => rotationAbout(UP, 2 * angle).w;

function configure(controller: Controller, fields: CharacterFields): void {
  const { autostep, snapToGround, characterMass } = fields;
  if (fields.up !== undefined) controller.setUp(fields.up);
  if (fields.offset !== undefined) controller.setOffset(fields.offset);
  if (fields.normalNudgeFactor !== undefined) {
    controller.setNormalNudgeFactor(fields.normalNudgeFactor);
  }
  if (fields.slideEnabled !== undefined) controller.setSlideEnabled(fields.slideEnabled);
  if (autostep !== undefined) {
    const [height, width = 0, includesDynamic = 0] = Array.from(autostep);
    if (height === undefined) controller.disableAutostep();
    else controller.enableAutostep(height, width, includesDynamic !== 0);
  }
  if (snapToGround !== undefined) {
    if (snapToGround < 0) controller.disableSnapToGround();
    else controller.enableSnapToGround(snapToGround);
  }
  if (fields.maxSlopeClimbAngle !== undefined) {
    controller.setMaxSlopeClimbAngle(fields.maxSlopeClimbAngle);
  }
  if (fields.minSlopeSlideAngle !== undefined) {
    controller.setMinSlopeSlideAngle(fields.minSlopeSlideAngle);
  }
  if (fields.applyImpulsesToDynamicBodies !== undefined) {
    controller.setApplyImpulsesToDynamicBodies(fields.applyImpulsesToDynamicBodies);
  }
  if (characterMass !== undefined) {
    controller.setCharacterMass(characterMass < 0 ? null : characterMass);
  }
}
