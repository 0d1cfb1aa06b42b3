/** Vehicles: `useVehicle`, and `<VehicleWheel>`, which draws a wheel. */
import {
  type JSX,
  type RefObject,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Object3D } from 'three';
import type { ThreeElements } from '@react-three/fiber';
import type { RigidBody, Vehicle, VehicleDesc } from '../world/page/index.js';
import { fieldsOfVehicle } from '../world/page/vehicle.js';
import { requireInteger } from '../shared/util/validate.js';
import { isDevelopment } from '../shared/util/development.js';
import { naming } from './errors.js';
import { usePhysics } from './physics-context.js';
import { useDependentItem } from './dependent-item.js';
import type { BodyRef } from './types.js';
import type { PhysicsScope } from './physics-scope.js';
import { checkProps } from './development.js';
import { MESH_COLLIDER_PROPERTY } from './auto-colliders.js';

/**
 * Makes a vehicle of a body: wheels that are rays below it, with suspension, engine, steering and brakes. It is driven in
 * the worker, with every tick: `drive` holds until the next call. `<VehicleWheel>` draws its wheels.
 *
 *     const chassis = useRef<RapierRigidBody>(null);
 *     const vehicle = useVehicle(chassis, CAR);
 *     // <RigidBody ref={chassis}>…<VehicleWheel vehicle={vehicle} index={0}><mesh>…</mesh></VehicleWheel></RigidBody>
 *     // In a handler: vehicle.current?.drive({ engine: 600, steering: 0.2 });
 *
 * @param chassis A dynamic body, or a kinematic one that is moved by velocities. The vehicle is made when it is there.
 * @param desc It may be made in each render: an equal one is the same vehicle, another one makes another.
 * @returns A ref of the vehicle. Null while there is none.
 * @throws Error outside of `<Physics>`, and for a body that cannot be a chassis.
 * @throws TypeError for an invalid description.
 * @throws RangeError if no numbers are left that it can publish: see `World.createVehicle`.
 */
export function useVehicle(chassis: BodyRef, desc: VehicleDesc): RefObject<Vehicle | null> {
  const { scope } = usePhysics('useVehicle');
  const key = useMemo(() => {
    const { fields, userData } = naming('useVehicle', () => fieldsOfVehicle(desc));
    return [JSON.stringify(fields), ...userData];
  }, [desc]);
  const [wheels] = useState(() => new WheelObjects(scope));
  const ref = useDependentItem<Vehicle, null>('useVehicle', null, {
    dependencies: [chassis],
    key,
    make: (world, [body]) => world.createVehicle(body as RigidBody, desc),
    remove: (world, vehicle) => world.removeVehicle(vehicle),
    onShown: (vehicle) => wheels.setVehicle(vehicle),
  });
  // Before the layout effects of its wheels.
  useInsertionEffect(() => void wheelsOf.set(ref, wheels), [ref, wheels]);
  return ref;
}

/** The objects that are moved with the wheels of a vehicle. */
class WheelObjects {
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
      const names = { componentOf: () => `<VehicleWheel index={${index}}>` };
      const object = this.#objects.get(index);
      this.#scope.addBody(wheel, { object, names, props: {} });
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

const wheelsOf = new WeakMap<RefObject<Vehicle | null>, WheelObjects>();

/** @throws TypeError if it is another ref. */
function requireWheelsOf(ref: RefObject<Vehicle | null>): WheelObjects {
  const wheels = wheelsOf.get(ref);
  if (wheels !== undefined) return wheels;
  throw new TypeError('vehicle of <VehicleWheel> must be the ref that useVehicle has returned');
}

/** Props of {@link VehicleWheel}, and those of an object of three.js: its `position` is that before the first tick. */
export interface VehicleWheelProps extends Omit<ThreeElements['object3D'], 'ref'> {
  /** The result of `useVehicle`. */
  vehicle: RefObject<Vehicle | null>;
  /** Which wheel of its description, from 0. */
  index: number;
}

/**
 * Draws what is in it where a wheel of a vehicle is: turned by its speed and steering, and moved by its suspension. It may
 * be anywhere in the scene, also in the `<RigidBody>` of the chassis, which gets no colliders for the meshes in it.
 *
 * @throws TypeError if `vehicle` is not the ref of `useVehicle`.
 */
export function VehicleWheel(props: VehicleWheelProps): JSX.Element {
  const { vehicle, index, children, ...rest } = props;
  if (isDevelopment) checkProps('wheel', '<VehicleWheel>', props);
  const object = useRef<Object3D>(null);
  useLayoutEffect(() => {
    const wheels = requireWheelsOf(vehicle);
    wheels.setObject(index, object.current ?? undefined);
    return () => wheels.setObject(index, undefined);
  }, [vehicle, index]);
  return (
    <object3D ref={object} {...rest} {...{ [MESH_COLLIDER_PROPERTY]: true }}>
      {children}
    </object3D>
  );
}
