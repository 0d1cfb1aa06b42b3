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
import type { BodyEntry } from './collision-events.js';
import { LateWork, naming, useLateErrors } from './errors.js';
import type { Dependent } from './leases.js';
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
  const key = useMemo(() => {
    const { fields, userData } = naming('useVehicle', () => fieldsOfVehicle(desc));
    return [JSON.stringify(fields), ...userData];
  }, [desc]);
  const ref = useDependentItem<Vehicle, null>('useVehicle', null, {
    dependencies: [chassis],
    key,
    make: (world, [body]) => world.createVehicle(body as RigidBody, desc),
    remove: (world, vehicle) => world.removeVehicle(vehicle),
  });
  // Before the layout effects of its wheels.
  useInsertionEffect(() => void vehicles.add(ref), [ref]);
  return ref;
}

/** The refs that `useVehicle` has returned. */
const vehicles = new WeakSet<RefObject<Vehicle | null>>();

/** An object that is moved with a wheel of a vehicle, whichever vehicle the ref has. */
class WheelObject implements BodyEntry, Dependent {
  current: RigidBody | undefined;
  object: Object3D | undefined;
  readonly props = {};
  readonly late = new LateWork();
  readonly #scope: PhysicsScope;
  #vehicle: RefObject<Vehicle | null> | undefined;
  #index = 0;

  constructor(scope: PhysicsScope) {
    this.#scope = scope;
  }

  componentOf(): string {
    return `<VehicleWheel index={${this.#index}}>`;
  }

  begin(object: Object3D | null, vehicle: RefObject<Vehicle | null>, index: number): void {
    if (!vehicles.has(vehicle)) {
      throw new TypeError('vehicle of <VehicleWheel> must be the ref that useVehicle has returned');
    }
    this.object = object ?? undefined;
    this.#vehicle = vehicle;
    this.#index = index;
    this.#scope.leases.dependents.add(this);
    this.#sync();
  }

  update(): void {
    this.late.do(() => this.#sync());
  }

  end(): void {
    this.#scope.leases.dependents.delete(this);
    if (this.object !== undefined) this.#scope.binding.detach(this.object);
    this.object = this.current = undefined;
  }

  #sync(): void {
    const wheels = this.#vehicle?.current?.wheels;
    if (wheels === undefined) return;
    const index = requireInteger('index of <VehicleWheel>', this.#index, 0, wheels.length - 1);
    const wheel = wheels[index] as RigidBody;
    if (wheel === this.current) return;
    this.current = wheel;
    this.#scope.show(wheel, this);
  }
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
  const { scope } = usePhysics('<VehicleWheel>');
  const object = useRef<Object3D>(null);
  const [wheel] = useState(() => new WheelObject(scope));
  wheel.late.onError = useLateErrors();
  useLayoutEffect(() => {
    wheel.begin(object.current, vehicle, index);
    return () => wheel.end();
  }, [wheel, vehicle, index]);
  return (
    <object3D ref={object} {...rest} {...{ [MESH_COLLIDER_PROPERTY]: true }}>
      {children}
    </object3D>
  );
}
