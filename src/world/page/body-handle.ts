/** The handle of a body: what was written here is read here, until a state shows it. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import {
  ZERO,
  cross,
  plus,
  scaled,
  written,
  type Rotation,
  type Vector,
} from '../../shared/util/vectors.js';
import { UNSET, filled, isUnset } from '../shared/partial-vector.js';
import type { Setting } from '../shared/setting-types.js';
import { BODY, changeField, type BodyFields, type Kind } from '../shared/setting-tables.js';
import { MotionVector } from './body-motion.js';
import { addAtPoint, mustFollow } from './body-fields.js';
import { RigidBody, implementClass, type Collider } from './body-and-collider.js';
import { flag, isSameSetting, rotation, vector } from './checked-values.js';
import { RigidBodyType } from './constants.js';
import { ItemHandle, type NewItem } from './item-handle.js';
import { Pushes, addTo, type Push, type Velocities } from './pushes.js';
import { SdpMatrix3 } from './query-types.js';
import type { EngineBody } from './asked-engine.js';
import { defineSettings, type SettingMethods, defineMethods } from './setting-methods.js';
import type { WorldLink } from './world-link.js';

type MotionName = 'translation' | 'linvel' | 'angvel';

const NO_FALL = { fall: ZERO };
/** Filled by each reading of a state. */
const pose = new Float64Array(7);
const velocity = new Float64Array(6);

const zero = (): Vector => ({ x: 0, y: 0, z: 0 });

/** @param at Index of the first number. */
function vectorIn(numbers: Float64Array, at: number, target?: Vector): Vector {
  const into = target ?? zero();
  into.x = numbers[at] as number;
  into.y = numbers[at + 1] as number;
  into.z = numbers[at + 2] as number;
  return into;
}

/** The engine wakes a body for each call that changes something, also if the next one undoes it. */
function noteReplaced(open: BodyFields, name: keyof BodyFields, value?: unknown): void {
  const before = open[name];
  if (before === undefined || open.wakeUp !== true) return;
  if (value === undefined || !isSameSetting(before, value)) open.sleeping = false;
}

type NextPose = Pick<BodyFields, 'nextTranslation' | 'nextRotation'>;

/** Where a kinematic body is after the next tick. */
interface SentPose extends NextPose {
  /** Tick of the frame in which it was sent. */
  readonly tick: number | undefined;
  /** Where it is read until a frame shows another tick: in as many frames as a display has for one, it goes once. */
  readonly from: Float64Array;
  readonly batch: number;
}

const noInertia = (): SdpMatrix3 => new SdpMatrix3([0, 0, 0, 0, 0, 0]);

function writeVector(into: Float64Array, at: number, { x, y, z }: Vector): void {
  into[at] = x;
  into[at + 1] = y;
  into[at + 2] = z;
}

/** Methods that the page's engine answers, by its names: the answers about a body that was removed. */
const MASS = {
  mass: () => 0,
  invMass: () => 0,
  effectiveInvMass: zero,
  localCom: zero,
  worldCom: zero,
  principalInertia: zero,
  invPrincipalInertia: zero,
  principalInertiaLocalFrame: () => ({ ...zero(), w: 1 }),
  effectiveAngularInertia: noInertia,
  effectiveWorldInvInertia: noInertia,
};
type MassMethod = keyof typeof MASS;

/** The answer of the page's engine in a target. A matrix is one of our class: the engine is another copy of that. */
function ownAnswer(target: object | undefined, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (!('elements' in answer)) return written(target, answer);
  return written(target, new SdpMatrix3(answer.elements as Float32Array));
}

export interface BodyHandle
  extends SettingMethods<RigidBody, typeof BODY>, Pick<RigidBody, MassMethod> {}

/** A body, until it is removed and after. */
export class BodyHandle extends ItemHandle<'body'> implements RigidBody {
  static override readonly kind: Kind = 'body';
  userData: unknown = undefined;
  readonly #motion: { readonly [Name in MotionName]: MotionVector };
  /** As it was set last, and the number of the batch with that. */
  #rotation: Readonly<Rotation>;
  #rotationIn = 0;
  /** Number of the batch that puts it somewhere at once: a kinematic body goes to its next pose with a tick. */
  #placedIn = 0;
  /** Until other poses may be read, a kinematic body is not where it is sent. */
  #sent: SentPose | undefined;
  /** Whether it was put to sleep last, and number of the batch with that. */
  #isAsleep: boolean;
  #asleepIn = 0;
  readonly #pushes = new Pushes();
  readonly #force = zero();
  readonly #torque = zero();

  static {
    defineSettings(this.prototype, BODY, (body, setting, value, wakeUp) =>
      body.#set(setting, value, wakeUp),
    );
    implementClass<RigidBody>(RigidBody, this.prototype);
    for (const [name, nothing] of Object.entries(MASS)) {
      defineMethods(this.prototype, {
        [name](this: BodyHandle, target?: object): unknown {
          return ownAnswer(
            target,
            this.#ask<unknown>((body) => body[name as MassMethod](), nothing()),
          );
        },
      });
    }
  }

  constructor(link: WorldLink, item: NewItem<'body'>) {
    super(link, item);
    const { fields } = item;
    this.#isAsleep = fields.sleeping ?? false;
    const { translation, rotation: turned, linvel, angvel } = fields;
    this.#motion = {
      translation: new MotionVector(link, translation),
      linvel: new MotionVector(link, linvel, this),
      angvel: new MotionVector(link, angvel, NO_FALL),
    };
    this.#rotation = turned ?? { x: 0, y: 0, z: 0, w: 1 };
  }

  /** The page has created it: what describes its motion is read until a state shows it. */
  noteCreated(userData: unknown): void {
    this.userData = userData;
    for (const motion of Object.values(this.#motion)) motion.noteCreated();
    this.#rotationIn = this.#openNumber;
    this.#asleepIn = this.#openNumber;
  }

  /** Whether it is put somewhere where no state has it yet. */
  get isPlaced(): boolean {
    return this.#placedIn > this.link.batches.shownNumber;
  }

  /** The engine's body in the tick that runs, for hooks of the page. */
  get #running(): EngineBody | undefined {
    return this.link.running?.bodyOf(this.handle);
  }

  /** Writes what `translation` and `rotation` return. @returns Whether a state has the body. */
  readPose(into: Float64Array): boolean {
    this.#arrive();
    const running = this.#running;
    if (running !== undefined) {
      writeVector(into, 0, running.translation());
      writeVector(into, 3, running.rotation());
      into[6] = running.rotation().w;
      return true;
    }
    const { id } = this;
    const link = this.link;
    const hasState = id !== undefined && link.frame?.newest(id, into) !== undefined;
    this.#motion.translation.overwrite(into, 0, hasState);
    if (!hasState || this.#rotationIn > link.batches.shownNumber) {
      writeVector(into, 3, this.#rotation);
      into[6] = this.#rotation.w;
    }
    if (this.#sent !== undefined) into.set(this.#sent.from);
    return hasState;
  }

  /** By how much gravity changes its velocity with each tick, in m/s. */
  get fall(): Readonly<Vector> {
    if (!this.isDynamic()) return NO_FALL.fall;
    const { gravity, parameters } = this.link;
    return scaled(gravity, parameters.dt * (this.fields.gravityScale ?? 1));
  }

  /** Writes what `linvel` and `angvel` return, without impulses that no state shows. @returns Whether a state has the body. */
  readVelocity(into: Float64Array): boolean {
    const running = this.#running;
    if (running !== undefined) {
      writeVector(into, 0, running.linvel());
      writeVector(into, 3, running.angvel());
      return true;
    }
    const { id } = this;
    const hasState = id !== undefined && this.link.frame?.velocity(id, into) !== undefined;
    this.#motion.linvel.overwrite(into, 0, hasState);
    this.#motion.angvel.overwrite(into, 3, hasState);
    return hasState;
  }

  override resync(fields: BodyFields): void {
    super.resync(fields);
    Object.assign(this.#force, fields.force);
    Object.assign(this.#torque, fields.torque);
    this.#arrive();
    this.#motion.translation.resync(fields.translation);
    this.#motion.linvel.resync(fields.linvel);
    this.#motion.angvel.resync(fields.angvel);
    if (this.#rotationIn <= this.link.batches.shownNumber) {
      this.#rotation = fields.rotation ?? this.#rotation;
    }
  }

  get id(): BodyId | undefined {
    return this.link.idOf(this.handle);
  }

  translation(target?: Vector): Vector {
    const hasState = this.readPose(pose);
    const read = vectorIn(pose, 0, target);
    if (hasState && this.link.running === undefined) this.#motion.translation.noteRead(read);
    return read;
  }

  rotation(target?: Rotation): Rotation {
    this.readPose(pose);
    const [, , , x, y, z, w] = pose as unknown as [0, 0, 0, number, number, number, number];
    return written(target, { x, y, z, w });
  }

  linvel(target?: Vector): Vector {
    return this.#velocity('linvel', 0, target);
  }

  angvel(target?: Vector): Vector {
    return this.#velocity('angvel', 3, target);
  }

  velocityAtPoint(point: Readonly<Vector>, target?: Vector): Vector {
    const fromCenter = plus(vector('point', point), this.worldCom(), -1);
    return written(target, plus(this.linvel(), cross(this.angvel(), fromCenter)));
  }

  nextTranslation(target?: Vector): Vector {
    const now = this.translation(target);
    return Object.assign(now, this.#running?.nextTranslation() ?? this.#sent?.nextTranslation);
  }

  nextRotation(target?: Rotation): Rotation {
    const now = this.rotation(target);
    return Object.assign(now, this.#running?.nextRotation() ?? this.#sent?.nextRotation);
  }

  isSleeping(): boolean {
    const running = this.#running;
    if (running !== undefined) return running.isSleeping();
    const { batches } = this.link;
    if (this.#asleepIn > batches.shownNumber) return this.#isAsleep;
    const { id } = this;
    return (id === undefined ? undefined : this.link.frame?.isAsleep(id)) ?? this.#isAsleep;
  }

  isMoving(): boolean {
    return [this.linvel(), this.angvel()].some(({ x, y, z }) => x !== 0 || y !== 0 || z !== 0);
  }

  isDynamic(): boolean {
    return this.bodyType() === RigidBodyType.Dynamic;
  }

  isFixed(): boolean {
    return this.bodyType() === RigidBodyType.Fixed;
  }

  isKinematic(): boolean {
    return !this.isDynamic() && !this.isFixed();
  }

  userForce(target?: Vector): Vector {
    return written(target, { ...this.#force });
  }

  userTorque(target?: Vector): Vector {
    return written(target, { ...this.#torque });
  }

  numColliders(): number {
    return this.link.collidersOf(this).size;
  }

  collider(index: number): Collider {
    return [...this.link.collidersOf(this)][index] as Collider;
  }

  setTranslation(value: Readonly<Vector>, wakeUp: boolean): void {
    this.#setParts('translation', vector('translation', value), wakeUp);
  }

  setRotation(value: Readonly<Rotation>, wakeUp: boolean): void {
    const checked = rotation('rotation', value);
    const before = this.rotation();
    const open = this.#open('rotation', flag(wakeUp));
    if (open === undefined) return;
    this.#noteChange(wakeUp, before, checked);
    open.rotation = checked;
    if (this.#sent !== undefined) {
      delete this.#sent.nextRotation;
      writeVector(this.#sent.from, 3, checked);
      this.#sent.from[6] = checked.w;
    }
    this.#noteRotation(checked, this.#openNumber);
    this.#placedIn = this.#openNumber;
  }

  setLinvel(value: Readonly<Vector>, wakeUp: boolean): void {
    this.#setVelocity('linvel', vector('linvel', value), wakeUp);
  }

  setAngvel(value: Readonly<Vector>, wakeUp: boolean): void {
    this.#setVelocity('angvel', vector('angvel', value), wakeUp);
  }

  setNextKinematicTranslation(value: Readonly<Vector>): void {
    this.#send({ nextTranslation: vector('translation', value) });
  }

  setNextKinematicRotation(value: Readonly<Rotation>): void {
    this.#send({ nextRotation: rotation('rotation', value) });
  }

  restrictTranslations(x: boolean, y: boolean, z: boolean, wakeUp: boolean): void {
    this.setEnabledTranslations(x, y, z, wakeUp);
  }

  restrictRotations(x: boolean, y: boolean, z: boolean, wakeUp: boolean): void {
    this.setEnabledRotations(x, y, z, wakeUp);
  }

  recomputeMassPropertiesFromColliders(): void {
    const open = this.#open('recomputeMass');
    if (open !== undefined) open.recomputeMass = true;
  }

  lockTranslations(locked: boolean, wakeUp: boolean): void {
    const isFree = !flag(locked);
    this.setEnabledTranslations(isFree, isFree, isFree, wakeUp);
  }

  lockRotations(locked: boolean, wakeUp: boolean): void {
    const isFree = !flag(locked);
    this.setEnabledRotations(isFree, isFree, isFree, wakeUp);
  }

  applyImpulse(impulse: Readonly<Vector>, wakeUp: boolean): void {
    const checked = vector('impulse', impulse);
    if (this.#add('impulse', checked, wakeUp)) this.#notePush({ impulse: checked });
  }

  applyTorqueImpulse(torqueImpulse: Readonly<Vector>, wakeUp: boolean): void {
    const checked = vector('torqueImpulse', torqueImpulse);
    if (this.#add('torqueImpulse', checked, wakeUp)) this.#notePush({ torque: checked });
  }

  applyImpulseAtPoint(impulse: Readonly<Vector>, point: Readonly<Vector>, wakeUp: boolean): void {
    const [checked, at] = [vector('impulse', impulse), vector('point', point)];
    this.#addAt('impulsesAtPoints', checked, at, wakeUp);
    this.#notePush({ impulse: checked, point: at });
  }

  addForce(force: Readonly<Vector>, wakeUp: boolean): void {
    const checked = vector('force', force);
    if (this.#add('force', checked, wakeUp)) addTo(this.#force, checked);
  }

  addTorque(torque: Readonly<Vector>, wakeUp: boolean): void {
    const checked = vector('torque', torque);
    if (this.#add('torque', checked, wakeUp)) addTo(this.#torque, checked);
  }

  addForceAtPoint(force: Readonly<Vector>, point: Readonly<Vector>, wakeUp: boolean): void {
    const [checked, at] = [vector('force', force), vector('point', point)];
    this.#addAt('forcesAtPoints', checked, at, wakeUp);
    if (!this.isValid()) return;
    // Without an engine, its center of mass is unknown.
    const center = this.link.hasEngine ? this.worldCom() : this.translation();
    addTo(this.#force, checked);
    addTo(this.#torque, cross(plus(at, center, -1), checked));
  }

  resetForces(wakeUp: boolean): void {
    this.#reset(1, this.#force, wakeUp);
  }

  resetTorques(wakeUp: boolean): void {
    this.#reset(2, this.#torque, wakeUp);
  }

  sleep(): void {
    if (!this.#setSleeping(true)) return;
    // The engine takes its velocities away.
    for (const name of ['linvel', 'angvel'] as const) {
      this.#motion[name].set(ZERO);
      this.#pushes.replace(name, ZERO);
    }
  }

  wakeUp(): void {
    this.#setSleeping(false);
  }

  /** The engine ignores the next poses of all others. */
  #goesWhereItIsTold(): boolean {
    return this.bodyType() === RigidBodyType.KinematicPositionBased;
  }

  /** The engine ignores the velocities that these are given. */
  #hasNoVelocity(): boolean {
    return this.isValid() && (this.isFixed() || this.#goesWhereItIsTold());
  }

  /** @param at Index of its first number in `velocity`. */
  #velocity(name: keyof Velocities, at: number, target: Vector | undefined): Vector {
    const hasState = this.readVelocity(velocity);
    const read = vectorIn(velocity, at, target);
    const { batches, hasEngine, running } = this.link;
    // Pushes are in it.
    if (running !== undefined) return read;
    if (this.#pushes.confirm(batches.shownNumber) && hasEngine && this.isValid()) {
      const sum = this.#ask((body) => this.#pushes.sum(body), undefined);
      if (sum !== undefined) addTo(read, sum[name]);
    }
    if (hasState) this.#motion[name].noteRead(read);
    return read;
  }

  /** Asks the page's engine. @param nothing The answer about a body that was removed, which is reported once. */
  #ask<T>(question: (body: EngineBody) => T, nothing: T): T {
    if (this.isValid()) return this.link.engine().askBody(this.handle, question) ?? nothing;
    this.link.warnOfRemoved('body', this);
    return nothing;
  }

  /** Without an engine of the page, what it changes is unknown until a state shows it. */
  #notePush(push: Push): void {
    const { batches, hasEngine } = this.link;
    const { x, y, z } = push.impulse ?? ZERO;
    this.#motion.linvel.noteChanged({ x: x || Number.NaN, y: y || Number.NaN, z: z || Number.NaN });
    if ((push.torque ?? push.point) !== undefined) this.#motion.angvel.noteChanged(ZERO);
    this.#pushes.confirm(batches.shownNumber);
    if (hasEngine && this.isValid()) this.#pushes.add(push, batches.openNumber);
  }

  /**
   * The fields of a change that has none that a call has to follow.
   *
   * @param wakes Undefined: it does not matter. Otherwise all calls of a change wake the body, or none does.
   */
  #open(name: keyof BodyFields, wakes?: boolean): BodyFields | undefined {
    let open = this.link.changeItem('body', this);
    if (open === undefined) return undefined;
    if (mustFollow(open, name, wakes)) {
      open = this.link.change().laterFieldsOf(this.handle, this.isDynamic());
    }
    if (wakes !== undefined) open.wakeUp = wakes;
    return open;
  }

  #noteRotation(value: Rotation, batch: number): void {
    this.#rotation = value;
    this.#rotationIn = batch;
  }

  #send(next: NextPose): void {
    const { running, frame } = this.link;
    // Before the change is opened: within a tick, reading applies what is open.
    this.readPose(pose);
    const open = this.#open('nextTranslation');
    if (open === undefined) return;
    Object.assign(open, next);
    if (!this.isKinematic()) return;
    this.#noteChange(true, undefined, next);
    if (running !== undefined) return;
    const [tick, from] = [frame?.tick, pose.slice()];
    this.#sent = { ...this.#sent, ...next, tick, from, batch: this.#openNumber };
  }

  /** States come before the first that has it: at other moments, it is where it was sent. */
  #arrive(): void {
    const sent = this.#sent;
    if (sent === undefined || sent.tick === this.link.frame?.tick) return;
    this.#sent = undefined;
    if (!this.#goesWhereItIsTold()) return;
    const { batch, nextTranslation, nextRotation } = sent;
    if (nextTranslation !== undefined) this.#motion.translation.set(nextTranslation, batch);
    if (nextRotation !== undefined) this.#noteRotation(nextRotation, batch);
  }

  get #openNumber(): number {
    return this.link.batches.openNumber;
  }

  #setVelocity(name: keyof Velocities, value: Vector, wakeUp: boolean): void {
    if (this.#hasNoVelocity()) return;
    const parts = this.#setParts(name, value, wakeUp);
    if (parts !== undefined) this.#pushes.replace(name, parts);
  }

  /** Sets the components of a vector that the application has not just read. @returns Them; the others are NaN. */
  #setParts(name: MotionName, value: Vector, wakeUp: boolean): Readonly<Vector> | undefined {
    const isPlace = name === 'translation';
    if (isPlace) this.readPose(pose);
    else this.readVelocity(velocity);
    const before = vectorIn(isPlace ? pose : velocity, name === 'angvel' ? 3 : 0);
    const open = this.#open(name, flag(wakeUp));
    if (open === undefined) return undefined;
    this.#noteChange(wakeUp, before, value);
    if (isPlace && this.#sent !== undefined) {
      delete this.#sent.nextTranslation;
      writeVector(this.#sent.from, 0, value);
    }
    const motion = this.#motion[name];
    const parts = motion.partsToSet(value);
    if (isUnset(parts)) return parts;
    const set = filled(parts, () => open[name] ?? UNSET);
    noteReplaced(open, name, set);
    open[name] = set;
    motion.set(parts);
    this.#placedIn = this.#openNumber;
    return parts;
  }

  /** @param bit Of the field `resets`. */
  #reset(bit: 1 | 2, sum: Vector, wakeUp: boolean): void {
    const open = this.#open('resets', flag(wakeUp));
    if (open === undefined) return;
    open.resets = (open.resets ?? 0) | bit;
    this.#noteChange(wakeUp, sum, ZERO);
    Object.assign(sum, ZERO);
  }

  /** @returns False: it was removed. */
  #setSleeping(isAsleep: boolean): boolean {
    const open = this.#open('sleeping');
    if (open === undefined) return false;
    open.sleeping = isAsleep;
    this.#noteAsleep(isAsleep);
    return true;
  }

  /** The engine wakes a body that gets another value, unless it is fixed. */
  #noteChange(wakeUp: boolean, before: unknown, value: unknown): void {
    if (!flag(wakeUp) || this.isFixed()) return;
    // Within a tick, what is read has all changes before, and this one is not complete.
    const isKnown = this.link.running === undefined && this.isSleeping();
    if (!isKnown || !isSameSetting(before, value)) this.#noteAsleep(false);
  }

  #noteAsleep(isAsleep: boolean): void {
    this.#isAsleep = isAsleep;
    this.#asleepIn = this.link.batches.openNumber;
  }

  #set({ name, row }: Setting, value: unknown, wakeUp: boolean): void {
    const before = this.fields as Readonly<Record<string, unknown>>;
    if (this.isValid() && this.link.hasValue(before[name], value)) return;
    const open = this.#open(name as keyof BodyFields, row.wakes ? flag(wakeUp) : undefined);
    if (open === undefined) return;
    if (row.wakes) noteReplaced(open, name as keyof BodyFields, value);
    this.fields = { ...this.fields };
    for (const fields of [this.fields, open]) {
      changeField(fields, name as keyof BodyFields, value as never);
    }
    if (row.wakes) this.#noteChange(wakeUp, before[name] ?? row.default, value);
  }

  #add(name: 'impulse' | 'torqueImpulse' | 'force' | 'torque', what: Vector, wakeUp: boolean) {
    const open = this.#open(name, flag(wakeUp));
    if (open === undefined) return false;
    const before = open[name];
    if (this.isDynamic()) noteReplaced(open, name);
    if (before === undefined) open[name] = { ...what };
    else addTo(before, what);
    if (this.isDynamic()) this.#noteChange(wakeUp, ZERO, what);
    return true;
  }

  #addAt(
    name: 'impulsesAtPoints' | 'forcesAtPoints',
    what: Vector,
    point: Vector,
    wakeUp: boolean,
  ): void {
    const open = this.#open(name, flag(wakeUp));
    if (open === undefined) return;
    if (this.isDynamic()) this.#noteChange(wakeUp, ZERO, what);
    addAtPoint(open, name, what, point);
  }
}
