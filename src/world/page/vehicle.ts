/** A vehicle of a world, as applications have it. */
import type { VehicleInputs } from '../shared/control-inputs.js';
import type { RigidBody } from './rigid-body.js';
import type { WheelOptions } from './vehicle-options.js';

/** What a driver does. */
export interface Driving {
  /** Of each driven wheel, in N; negative is backwards. Default 0. */
  readonly engine?: number;
  /** Of each steered wheel, in radians; positive is to the left. Default 0. */
  readonly steering?: number;
  /** Of each wheel, in N, from 0. Default 0. */
  readonly brake?: number;
}

/**
 * A handle of a vehicle, made by `World.createVehicle`. It drives in the worker, with every tick; what is set here
 * takes effect on a later one. On a vehicle that was removed, methods do nothing, and say so once in the console. All throw
 * TypeError or RangeError, naming the field, for a value of another type or out of its range.
 */
export interface Vehicle {
  /** Its number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** The bodies of its wheels, in their order: to be drawn. They have no colliders and go with the vehicle. */
  readonly wheels: readonly RigidBody[];
  /** Along its forward axis after the newest tick that the page knows, in m/s; negative is backwards. */
  readonly speed: number;
  /** False after it was removed, or a body of it was. */
  isValid(): boolean;
  /** What it drives. */
  chassis(): RigidBody;
  /** Number of its wheels. */
  numWheels(): number;
  /** Drives it from now on, until the next call: a late page does not stop it. */
  drive(driving: Driving): void;
  /**
   * Sets the engine of one wheel, until it is set again or {@link drive} is called.
   *
   * @param wheel Its index, from 0.
   * @param force In newtons, any number: negative is backwards.
   */
  setWheelEngineForce(wheel: number, force: number): void;
  /**
   * Like {@link setWheelEngineForce}.
   *
   * @param wheel Its index, from 0.
   * @param angle In radians; positive is to the left.
   */
  setWheelSteering(wheel: number, angle: number): void;
  /**
   * Like {@link setWheelEngineForce}.
   *
   * @param wheel Its index, from 0.
   * @param force In newtons, from 0: Rapier's own number is this, times the seconds of a step.
   */
  setWheelBrake(wheel: number, force: number): void;
  /**
   * Changes a wheel, such as its friction: `setWheel(0, { frictionSlip: 2 })`.
   *
   * @param wheel Its index, from 0.
   */
  setWheel(wheel: number, options: Partial<Omit<WheelOptions, 'userData'>>): void;
  /**
   * Lets the player drive it, in addition to {@link drive}: each tick takes its own inputs of keys and gamepads, from the
   * sources of `betwixt/inputs` that feed `(await world.ready).inputs`. So a late page delays nothing, and recordings have
   * it.
   *
   * @param inputs What they do, and which; null: none.
   */
  setInputs(inputs: VehicleInputs | null): void;
  /**
   * Whether a wheel touched something in the newest tick that the page knows.
   *
   * @param wheel Its index, from 0.
   */
  wheelIsInContact(wheel: number): boolean;
  /**
   * The length of a wheel's suspension then, in m or the simulation's own unit; null if it touched nothing.
   *
   * @param wheel Its index, from 0.
   */
  wheelSuspensionLength(wheel: number): number | null;
}
