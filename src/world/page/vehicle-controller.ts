/** Rapier's vehicle controller, by its names: a vehicle of the worker whose wheels the page may add and set one by one. */
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { warnOnce } from '../../shared/util/development.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireInteger } from '../../shared/util/validate.js';
import { dot, plus, rotated, type Rotation, type Vector } from '../../shared/util/vectors.js';
import { readHandle } from '../shared/value-records.js';
import type { WheelRays } from '../shared/setting-tables.js';
import { settingsIn } from '../shared/setting-types.js';
import {
  CONTROL,
  CONTROL_LAYOUT,
  WHEEL,
  WHEEL_LAYOUT,
  WHEEL_VALUES as VALUE,
  WHEEL_VALUE_COUNT,
  forwardOf,
  type Wheel,
  wheelsAsNumbers,
  wheelsOfNumbers,
} from '../shared/vehicle-wheels.js';
import { MOST_TICKS } from '../shared/world-batch.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import { bits, settingValue } from './checked-values.js';
import { DrawnValues } from './drawn-values.js';
import { defineMethods } from './setting-methods.js';
import { VehicleItem, checkedWheel } from './vehicle.js';

/** Rapier's class. */
type EngineVehicle = InstanceType<Rapier['DynamicRayCastVehicleController']>;

/**
 * Rapier's vehicle controller, made by `World.createVehicleController`. It drives in the worker, with every tick; what is
 * set here counts from the next one, and what a wheel does, such as `wheelRotation` and `wheelSuspensionLength`, is read
 * as the frame shows it: until a state has the wheel, it hangs in the air. A wheel that it does not have is null, and not
 * set. On a controller that was removed, or whose chassis was, methods do nothing, and say so once in the console. Those
 * that change something throw TypeError or RangeError, naming the field, for a value of another type or out of its range.
 */
export interface DynamicRayCastVehicleController extends Omit<
  EngineVehicle,
  'chassis' | 'free' | 'updateVehicle' | 'wheelGroundObject'
> {
  /** The body that it drives. */
  chassis(): RigidBody;
  /**
   * Has the vehicle driven with every tick from now on. Call it in each frame or step, as with Rapier: a page that draws 30 frames
   * and receives 30 ticks without a call has stopped, and its wheels carry nothing until the next call. A page that is
   * late or hidden draws no frames, and stops nothing.
   *
   * @param dt In seconds, as in Rapier, but not used: each tick takes its own time step.
   * @param filterFlags 32 bits of `QueryFilterFlags`: what the wheels' rays do not hit. Default: none.
   * @param filterGroups 32 bits: the groups that the rays are in, and those that they meet. Default: all.
   * @param filterPredicate Must be left out: the worker cannot call it.
   * @throws TypeError for a predicate; it says what to do instead.
   */
  updateVehicle(
    dt: number,
    filterFlags?: number,
    filterGroups?: number,
    filterPredicate?: undefined,
  ): void;
  /** The collider that a wheel touches; null for one in the air, and for a collider that a system has made. @param i From 0. */
  wheelGroundObject(i: number): Collider | null;
}

/** The settings of wheels, by the fields that have them. */
const SETTINGS = {
  wheels: { table: WHEEL, layout: WHEEL_LAYOUT },
  controls: { table: CONTROL, layout: CONTROL_LAYOUT },
} as const;
type SettingName = Exclude<keyof typeof WHEEL, 'isDriven' | 'isSteered'> | keyof typeof CONTROL;
type SettingMethod = `${'wheel' | 'setWheel'}${Capitalize<SettingName>}`;

/** The engine takes Infinity as a limit, which is no number in 32 bits. */
const limited = (value: unknown): unknown =>
  typeof value === 'number' && Math.abs(value) > LIMITS.float32
    ? Math.sign(value) * LIMITS.float32
    : value;

const pose = new Float64Array(7);

export interface VehicleControllerHandle extends Pick<
  DynamicRayCastVehicleController,
  SettingMethod
> {}

export class VehicleControllerHandle
  extends VehicleItem
  implements DynamicRayCastVehicleController
{
  readonly #drawn = new DrawnValues();
  /** The newest tick when the page updated it last, and the frames since. */
  #updatedIn = 0;
  #frames = 0;

  static {
    for (const [field, { table, layout }] of Object.entries(SETTINGS)) {
      for (const { name, row, set } of settingsIn(table)) {
        if (set === undefined) continue;
        const method = set.replace('set', 'setWheel');
        const offset = layout.offsets[name as never] as number;
        const startOf = (wheel: number): number => layout.length * wheel + offset;
        defineMethods(this.prototype, {
          [method.replace('setWheel', 'wheel')](this: VehicleControllerHandle, i: number) {
            if (!this.#has(i)) return null;
            const numbers = this.fields[field as keyof typeof SETTINGS] ?? [];
            const [x = 0, y = 0, z = 0] = [0, 1, 2].map((index) => numbers[startOf(i) + index]);
            return row.kind === 'vector' ? { x, y, z } : x;
          },
          [method](this: VehicleControllerHandle, i: number, value: unknown) {
            const checked = settingValue(row, name, [limited(value)]) as number | Vector;
            if (!this.#has(i)) {
              this.#warnOfWheel(method, i);
              return;
            }
            const numbers =
              typeof checked === 'number' ? [checked] : [checked.x, checked.y, checked.z];
            this.setNumbers(field as keyof typeof SETTINGS, startOf(i), numbers);
          },
        });
      }
    }
  }

  get indexUpAxis(): number {
    return this.fields.indexUpAxis ?? 1;
  }

  set indexUpAxis(axis: number) {
    this.setField('indexUpAxis', requireInteger('axis', axis, 0, 2));
  }

  get indexForwardAxis(): number {
    return this.fields.indexForwardAxis ?? 0;
  }

  set setIndexForwardAxis(axis: number) {
    this.setField('indexForwardAxis', requireInteger('axis', axis, 0, 2));
  }

  addWheel(
    chassisConnectionCs: Vector,
    directionCs: Vector,
    axleCs: Vector,
    suspensionRestLength: number,
    radius: number,
  ): void {
    const options = { directionCs, axleCs, suspensionRestLength, radius };
    const wheel = checkedWheel({ chassisConnectionPointCs: chassisConnectionCs, ...options });
    this.link.requireValues('wheel', WHEEL_VALUE_COUNT);
    this.setNumbers('wheels', this.fields.wheels?.length ?? 0, wheelsAsNumbers([wheel]));
  }

  updateVehicle(
    _dt: number,
    filterFlags?: number | null,
    filterGroups?: number | null,
    filterPredicate?: unknown,
  ): void {
    if (typeof filterPredicate === 'function') {
      throw new TypeError(
        "filterPredicate of updateVehicle must be left out: the worker, which casts the wheels' rays, cannot call it. " +
          'Choose what they hit by filterFlags, such as QueryFilterFlags.EXCLUDE_SENSORS, or by filterGroups and ' +
          "setCollisionGroups of colliders; or drive the engine's own controller in a system",
      );
    }
    const flags = filterFlags ?? undefined;
    const groups = filterGroups ?? undefined;
    const rays: WheelRays = {
      ...(flags !== undefined && { flags: bits('filterFlags', flags) }),
      ...(groups !== undefined && { groups: bits('filterGroups', groups) }),
    };
    this.#updatedIn = this.link.frame?.newestTick ?? 0;
    this.#frames = 0;
    this.setField('rays', rays);
  }

  override noteFrame(frame: SampledFrame): void {
    this.#drawn.note(frame, this.link.valuesOf(this.handle));
    // In a replay, the recording says when it was updated.
    this.#frames = this.link.isReplaying ? 0 : this.#frames + 1;
    // The run may have jumped back.
    this.#updatedIn = Math.min(this.#updatedIn, frame.newestTick);
    const ticks = frame.newestTick - this.#updatedIn;
    if (this.#frames > MOST_TICKS && ticks > MOST_TICKS && this.fields.rays !== null) {
      this.setField('rays', null as never);
    }
  }

  currentVehicleSpeed(): number {
    const velocity = this.chassis().linvel();
    const forward = rotated(this.chassis().rotation(), forwardOf(this.fields));
    const speed = Math.sqrt(dot(velocity, velocity));
    return dot(forward, velocity) < 0 ? -speed : speed;
  }

  wheelIsInContact(i: number): boolean {
    return this.#has(i) && this.#published(i, VALUE.contact) > 0;
  }

  wheelRotation(i: number): number | null {
    if (!this.#has(i)) return null;
    const at = WHEEL_VALUE_COUNT * i + VALUE.rotation;
    return this.#drawn.blended((numbers) => numbers[at] ?? 0);
  }

  wheelForwardImpulse(i: number): number | null {
    return this.#has(i) ? this.#published(i, VALUE.forwardImpulse) : null;
  }

  wheelSideImpulse(i: number): number | null {
    return this.#has(i) ? this.#published(i, VALUE.sideImpulse) : null;
  }

  wheelSuspensionForce(i: number): number | null {
    return this.#has(i) ? this.#published(i, VALUE.suspensionForce) : null;
  }

  wheelSuspensionLength(i: number): number | null {
    if (!this.#has(i)) return null;
    const wheel = this.#wheel(i);
    const { radius, suspensionRestLength: rest, maxSuspensionTravel: travel } = wheel;
    return Math.min(rest + travel, Math.max(rest - travel, this.#reach(i, wheel) - radius));
  }

  wheelHardPoint(i: number): Vector | null {
    if (!this.#has(i)) return null;
    const { translation, rotation } = this.#chassisPose();
    return plus(translation, rotated(rotation, this.#wheel(i).chassisConnectionPointCs));
  }

  wheelContactPoint(i: number): Vector | null {
    const start = this.wheelHardPoint(i);
    if (start === null) return null;
    const wheel = this.#wheel(i);
    const direction = rotated(this.#chassisPose().rotation, wheel.directionCs);
    return plus(start, direction, this.#reach(i, wheel));
  }

  wheelContactNormal(i: number): Vector | null {
    if (!this.#has(i)) return null;
    const [x = 0, y = 0, z = 0] = [0, 1, 2].map((at) => this.#published(i, VALUE.normal + at));
    return { x, y, z };
  }

  wheelGroundObject(i: number): Collider | null {
    if (!this.wheelIsInContact(i)) return null;
    const handle = readHandle(this.#drawn.later, WHEEL_VALUE_COUNT * i + VALUE.ground);
    return (this.link.colliderOf(handle) as Collider | undefined) ?? null;
  }

  #has(wheel: number): boolean {
    return wheel >= 0 && wheel < this.numWheels();
  }

  #wheel(index: number): Wheel {
    const { length } = WHEEL_LAYOUT;
    const numbers = Array.from(this.fields.wheels ?? []).slice(
      length * index,
      length * (index + 1),
    );
    return wheelsOfNumbers(numbers)[0] as Wheel;
  }

  /** In the state that the frame shows last. */
  #published(wheel: number, value: number): number {
    return this.#drawn.later[WHEEL_VALUE_COUNT * wheel + value] ?? 0;
  }

  /** How many times its direction a ray goes. */
  #reach(index: number, { radius, suspensionRestLength }: Wheel): number {
    const at = WHEEL_VALUE_COUNT * index + VALUE.contact;
    return this.#drawn.blended((numbers) => {
      const contact = numbers[at] ?? 0;
      return contact > 0 ? contact - 1 : suspensionRestLength + radius;
    });
  }

  /** As it is drawn. */
  #chassisPose(): { readonly translation: Vector; readonly rotation: Rotation } {
    const chassis = this.chassis();
    const { id } = chassis;
    if (id === undefined || this.link.frame?.pose(id, pose) === undefined) chassis.readPose(pose);
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, w = 1] = pose;
    return { translation: { x, y, z }, rotation: { x: qx, y: qy, z: qz, w } };
  }

  #warnOfWheel(method: string, wheel: number): void {
    if (!this.isValid()) return;
    warnOnce(
      `a wheel of the vehicle ${this.handle} of world ${this.link.number}`,
      `${method}(${wheel}) does nothing, as in Rapier: the vehicle has ${this.numWheels()} wheels, counted from 0. ` +
        'Call addWheel first',
    );
  }
}
