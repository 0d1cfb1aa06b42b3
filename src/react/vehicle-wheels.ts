/** Which objects are moved with the wheels of a vehicle. */
import type { RefObject } from 'react';
import type { Object3D } from 'three';
import { requireInteger } from '../shared/util/validate.js';
import type { RigidBody, Vehicle } from '../world/page/index.js';
import type { PhysicsScope } from './physics-scope.js';

export class VehicleWheels {
  readonly #scope: PhysicsScope;
  readonly #objects = new Map<number, Object3D>();
  #wheels: readonly RigidBody[] = [];

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
  }

  setVehicle({ wheels }: Vehicle): void {
    this.#wheels = wheels;
    for (const index of this.#objects.keys()) this.#requireIndex(index);
    for (const [index, wheel] of wheels.entries()) {
      const owner = { ownerOf: () => `<VehicleWheel index={${index}}>` };
      const object = this.#objects.get(index);
      this.#scope.addBody(wheel, { object, owner, props: {} });
      this.#scope.setObject(wheel, object);
    }
  }

  /** @param object Undefined: none. @throws RangeError if the vehicle has no such wheel. */
  setObject(index: number, object: Object3D | undefined): void {
    if (object !== undefined) this.#requireIndex(index);
    const before = this.#objects.get(index);
    if (object === undefined) this.#objects.delete(index);
    else this.#objects.set(index, object);
    if (before !== undefined && before !== object) this.#scope.binding.detach(before);
    const wheel = this.#wheels[index];
    if (wheel?.isValid() === true) this.#scope.setObject(wheel, object);
  }

  #requireIndex(index: number): void {
    const count = this.#wheels.length;
    if (count > 0) requireInteger('index of <VehicleWheel>', index, 0, count - 1);
  }
}

const wheelsOf = new WeakMap<RefObject<Vehicle | null>, VehicleWheels>();

export function setWheelsOf(ref: RefObject<Vehicle | null>, wheels: VehicleWheels): void {
  wheelsOf.set(ref, wheels);
}

/** @throws TypeError if it is another ref. */
export function requireWheelsOf(ref: RefObject<Vehicle | null>): VehicleWheels {
  const wheels = wheelsOf.get(ref);
  if (wheels !== undefined) return wheels;
  throw new TypeError('vehicle of <VehicleWheel> must be the ref that useVehicle has returned');
}
