/**
 * A character: a kinematic body that walks, on Rapier's controller. The controller is no part of a saved world, and this
 * reads nothing that it keeps from one step to the next, so a new controller continues like the old one.
 */
import {
  cross,
  dot,
  plus,
  rotationAbout,
  scaled,
  unit,
  type Vector,
} from '../../shared/util/vectors.js';
import type { InputState } from '../../shared/input/input-state.js';
import type { Json } from '../../shared/util/json.js';
import { controlIn, type CharacterInputs } from '../shared/control-inputs.js';
import type { CharacterFields } from '../shared/world-fields.js';
import type { Rapier, RapierWorldOf } from '../../rapier/rapier-builds.js';
import { CharacterMover } from './character-mover.js';
import { motionOf, movedBy } from './way-out.js';

type World = RapierWorldOf;
type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;

/** A jump that is asked for in the air happens if it lands within this time. */
const JUMP_BUFFER_SECONDS = 0.1;
const NOWHERE = { x: 0, y: 0, z: 0 } as const;
const UP = { x: 0, y: 1, z: 0 } as const;
const FORWARD = { x: 0, y: 0, z: -1 } as const;

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
  /** Whether it has come down to it: nothing has to pull it. */
  isNear: boolean;
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
  readonly #mover: CharacterMover;
  readonly fields: CharacterFields = {};
  readonly state: CharacterState = {
    rise: 0,
    drift: { ...NOWHERE },
    lift: 0,
    jumpSpeed: 0,
    jumpSeconds: 0,
    isGrounded: false,
    isNear: false,
    isSteep: false,
    velocity: { ...NOWHERE },
  };
  /** What is below it. */
  ground: RigidBody | undefined;

  constructor(world: World, fields: CharacterFields) {
    this.#mover = new CharacterMover(world, fields);
  }

  set({ jump, ...fields }: CharacterFields): void {
    Object.assign(this.fields, fields);
    this.#mover.configure(fields);
    if (jump !== undefined) this.#jump(jump);
  }

  remove(world: World): void {
    this.#mover.remove(world);
  }

  save(): Json {
    return this.state as unknown as Json;
  }

  restore(saved: Json): void {
    Object.assign(this.state, saved);
  }

  /** Moves it in the coming step. */
  step(collider: Collider, body: RigidBody, { rapier, world, input, dt, passes }: CharacterTick) {
    const { state, fields } = this;
    const up = unit(fields.up ?? UP);
    const meets = passes && ((other: Collider) => !passes(collider, other));
    const steep = cosine(fields.minSlopeSlideAngle ?? Math.PI / 4);
    const place = { rapier, world, dt, collider, body, up, steep, meets };
    const walk = this.#walk(up, input);
    const isFree = this.#rise(up, world.gravity, dt);
    const speed = plus(isFree ? plus(walk, state.drift) : walk, up, state.rise);
    const wanted = scaled(speed, dt);
    const reach = Math.sqrt(dot(state.velocity, state.velocity)) * dt;
    // Near the ground is on it for the controller, also at the beginning of a jump.
    const { way: own, ground } = this.#mover.walk(place, wanted, reach, state.rise > 0);
    state.isGrounded = ground !== undefined;
    state.isSteep = ground !== undefined && ground.slope < steep;
    state.isNear = ground?.isNear === true;
    this.ground = ground?.body;
    this.#stopRise(dot(own, up), dot(wanted, up), dt);
    const carry = this.#carry(plus(body.translation(), own), dt);
    if (state.isGrounded) this.#noteDrift(scaled(carry, 1 / dt), up);
    const { way, correction } = this.#mover.amongOthers(
      place,
      own,
      state.isSteep ? NOWHERE : carry,
      this.ground,
    );
    const movement = plus(way, correction);
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

  /** Gravity and jumps. @returns Whether it leaves the ground or has left it. */
  #rise(up: Vector, gravity: Vector, dt: number): boolean {
    const { state, fields } = this;
    const pull = (fields.gravity?.[0] ?? -dot(gravity, up)) * dt;
    const stands = state.isGrounded && !state.isSteep;
    const isJumping = state.jumpSeconds > 0 && stands;
    if (isJumping) {
      state.rise = state.jumpSpeed + Math.max(0, state.lift);
      state.jumpSeconds = 0;
      // What an edge has lifted does not begin to fall.
    } else if (stands && (state.isNear || state.rise > -1.5 * pull)) state.rise = 0;
    state.jumpSeconds = Math.max(0, state.jumpSeconds - dt);
    // Pressed against the ground, the controller walks unevenly, and sinks.
    if (isJumping || !stands || !state.isNear) state.rise -= pull;
    return isJumping || !state.isGrounded;
  }

  /** By how far kinematic ground takes it along in the coming step. */
  #carry(at: Vector, dt: number): Vector {
    const motion = motionOf(this.ground, dt);
    return motion === undefined ? NOWHERE : plus(movedBy(motion, at), at, -1);
  }

  /** What it keeps of the ground's velocity when it leaves it. */
  #noteDrift(velocity: Vector, up: Vector): void {
    this.state.lift = dot(velocity, up);
    this.state.drift = plus(velocity, up, -this.state.lift);
  }

  /** A ceiling ends a jump, and steep ground brakes a fall. In the air, a wall that it slides along does not. */
  #stopRise(moved: number, wanted: number, dt: number): void {
    const { state } = this;
    if (wanted > 0 && moved < wanted / 2) state.rise = Math.max(0, moved / dt);
    if (wanted < 0 && state.isGrounded) state.rise = Math.min(0, Math.max(wanted, moved) / dt);
  }
}

const cosine = (angle: number): number => rotationAbout(UP, 2 * angle).w;
