/**
 * The characters of a world: kinematic bodies that walk, on Rapier's controller. They move in the order of their handles. The
 * controller is no part of a saved world, and this reads nothing that it keeps from one step to the next, so a new
 * controller continues like the old one.
 */
import type { Rapier, RapierWorldOf } from '../../rapier/rapier-builds.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import type { InputState } from '../../shared/input/input-state.js';
import type { Json } from '../../shared/util/json.js';
import {
  cross,
  dot,
  plus,
  rotationAbout,
  scaled,
  unit,
  type Vector,
  ZERO,
} from '../../shared/util/vectors.js';
import { controlIn, type CharacterInputs } from '../shared/control-inputs.js';
import { CHARACTER_VALUE_COUNT, CHARACTER_VALUES as VALUE } from '../shared/value-records.js';
import { NO_HANDLE, type Change } from '../shared/world-batch.js';
import type { CharacterFields } from '../shared/setting-tables.js';
import { CharacterMover } from './character-mover.js';
import type { KindContents } from './kind-contents.js';
import type { OwnedValues, ValueOwners } from './value-owners.js';
import { motionOf, movedBy } from './step-motion.js';
import type { WorldColliders } from './world-colliders.js';

type World = RapierWorldOf;
type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;

/** A jump that is asked for in the air happens if it lands within this time. */
const JUMP_BUFFER_SECONDS = 0.1;
const UP = { x: 0, y: 1, z: 0 } as const;
const FORWARD = { x: 0, y: 0, z: -1 } as const;

/** The state of a character that the next tick depends on, as plain data. */
type CharacterState = {
  /** Along up, in m/s. */
  rise: number;
  /** The velocity that it has from the ground that it left: across up, in m/s. */
  drift: Vector;
  /** Like drift: along up. */
  lift: number;
  jumpSpeed: number;
  /** How long the jump is still wanted. */
  jumpSeconds: number;
  isGrounded: boolean;
  /** Whether it has come down to it: nothing has to pull it. */
  isNear: boolean;
  /** Whether it slides on what it touches. */
  isSteep: boolean;
  /** In m/s. */
  velocity: Vector;
};

/** The world of a character in a tick. */
interface CharacterTick {
  readonly rapier: Rapier;
  readonly world: World;
  readonly input: InputState;
  readonly dt: number;
  /** Whether two colliders pass through each other. Undefined: none do. */
  readonly passes: ((one: Collider, other: Collider) => boolean) | undefined;
}

class WorkerCharacter {
  readonly #mover: CharacterMover;
  readonly fields: CharacterFields = {};
  readonly state: CharacterState = {
    rise: 0,
    drift: { ...ZERO },
    lift: 0,
    jumpSpeed: 0,
    jumpSeconds: 0,
    isGrounded: false,
    isNear: false,
    isSteep: false,
    velocity: { ...ZERO },
  };
  /** The body below it. */
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
    const character = { rapier, world, dt, collider, body, up, steep, meets };
    const walk = this.#walk(up, input);
    const isFree = this.#rise(up, world.gravity, dt);
    const speed = plus(isFree ? plus(walk, state.drift) : walk, up, state.rise);
    const wanted = scaled(speed, dt);
    const reach = Math.sqrt(dot(state.velocity, state.velocity)) * dt;
    // Near the ground is on it for the controller, also at the beginning of a jump.
    const { way: own, ground } = this.#mover.walk(character, wanted, reach, state.rise > 0);
    state.isGrounded = ground !== undefined;
    state.isSteep = ground !== undefined && ground.slope < steep;
    state.isNear = ground?.isNear === true;
    this.ground = ground?.body;
    this.#stopRise(dot(own, up), dot(wanted, up), dt);
    const carry = this.#carry(plus(body.translation(), own), dt);
    if (state.isGrounded) this.#noteDrift(scaled(carry, 1 / dt), up);
    const { way, correction } = this.#mover.amongOthers(
      character,
      own,
      state.isSteep ? ZERO : carry,
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
    const { velocity = ZERO, inputs, forward = FORWARD } = this.fields;
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
      // On an edge that has lifted it, it does not begin to fall.
    } else if (stands && (state.isNear || state.rise > -1.5 * pull)) state.rise = 0;
    state.jumpSeconds = Math.max(0, state.jumpSeconds - dt);
    // Pressed against the ground, the controller walks unevenly, and sinks.
    if (isJumping || !stands || !state.isNear) state.rise -= pull;
    return isJumping || !state.isGrounded;
  }

  /** By how far kinematic ground takes it along in the coming step. */
  #carry(at: Vector, dt: number): Vector {
    const motion = motionOf(this.ground, dt);
    return motion === undefined ? ZERO : plus(movedBy(motion, at), at, -1);
  }

  /** Keeps the ground's velocity, for when it leaves the ground. */
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

interface CharacterEntry {
  readonly collider: number;
  readonly character: WorkerCharacter;
  readonly values: OwnedValues | undefined;
}

type SavedCharacter = {
  readonly handle: number;
  readonly state: Json;
  readonly ground: number;
};

export class WorldCharacters implements KindContents<'character'> {
  readonly #tools: RapierTools;
  readonly #colliders: WorldColliders;
  readonly #owners: ValueOwners;
  readonly #entries = new Map<number, CharacterEntry>();

  constructor(tools: RapierTools, colliders: WorldColliders, owners: ValueOwners) {
    this.#tools = tools;
    this.#colliders = colliders;
    this.#owners = owners;
  }

  remove(handle: number): void {
    this.#entries.get(handle)?.character.remove(this.#tools.physics.world);
    if (this.#entries.delete(handle)) this.#owners.release(handle);
  }

  forgetGone(): void {
    for (const [handle, { collider }] of this.#entries) {
      if (this.#colliders.get(collider) === undefined) this.remove(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'character'>): void {
    if (parts !== undefined) this.#create(handle, parts[0] ?? NO_HANDLE, fields);
    this.#entries.get(handle)?.character.set(fields);
  }

  describe(): Change<'character'>[] {
    return Array.from(this.#entries, ([handle, { collider, character }]) => ({
      handle,
      parts: [collider],
      fields: character.fields,
    }));
  }

  beforeStep(dt: number): void {
    const { rapier, physics, input } = this.#tools;
    const { oneWays } = this.#colliders;
    const passes: CharacterTick['passes'] = oneWays.isEmpty
      ? undefined
      : (one, other) => oneWays.passes(one.handle, other.handle);
    const tick = { rapier, world: physics.world, input, dt, passes };
    for (const { collider: handle, character } of this.#entries.values()) {
      const collider = this.#colliders.get(handle);
      const body = collider?.parent();
      if (collider === undefined || !body?.isKinematic()) continue;
      character.step(collider, body, tick);
    }
  }

  /** Publishes what the page reads. */
  publish(): void {
    for (const { character, values } of this.#entries.values()) {
      const { isGrounded, velocity } = character.state;
      values?.set(VALUE.isGrounded, Number(isGrounded));
      values?.setHandle(VALUE.ground, this.#groundOf(character));
      values?.set(VALUE.x, velocity.x);
      values?.set(VALUE.y, velocity.y);
      values?.set(VALUE.z, velocity.z);
    }
  }

  save(): Json {
    return Array.from(this.#entries, ([handle, { character }]): SavedCharacter => ({
      handle,
      state: character.save(),
      ground: this.#groundOf(character),
    }));
  }

  restore(changes: readonly Change<'character'>[], saved: Json): void {
    for (const handle of this.#entries.keys()) this.#owners.release(handle);
    this.#entries.clear();
    for (const change of changes) this.apply(change);
    for (const { handle, state, ground } of (saved ?? []) as readonly SavedCharacter[]) {
      const character = this.#entries.get(handle)?.character;
      character?.restore(state);
      if (character !== undefined) character.ground = this.#colliders.bodies.get(ground);
    }
    this.publish();
  }

  /** The page's handle of its ground. */
  #groundOf({ ground }: WorkerCharacter): number {
    return (ground?.isValid() === true && this.#colliders.bodies.handleOf(ground)) || NO_HANDLE;
  }

  #create(handle: number, collider: number, fields: CharacterFields): void {
    // The character was removed since.
    if (this.#colliders.get(collider) === undefined) return;
    const character = new WorkerCharacter(this.#tools.physics.world, fields);
    const values = this.#owners.claim(handle, CHARACTER_VALUE_COUNT);
    this.#entries.set(handle, { collider, character, values });
  }
}
