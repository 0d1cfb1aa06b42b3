/** Vehicles as hooks. */
import { naming } from './named-errors.js';
import { useInsertionEffect, useMemo, useState, type RefObject } from 'react';
import type { RigidBody, Vehicle, VehicleDesc, World } from '../world/page/index.js';
import { fieldsOfVehicle } from '../world/page/vehicle.js';
import { usePhysics } from './physics-context.js';
import { useSlot } from './slot.js';
import type { BodyRef } from './types.js';
import { VehicleWheels, setWheelsOf } from './vehicle-wheels.js';

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
 * @throws TypeError for what is no description.
 * @throws RangeError if no numbers are left that it can publish: see `World.createVehicle`.
 */
export function useVehicle(chassis: BodyRef, desc: VehicleDesc): RefObject<Vehicle | null> {
  const { scope } = usePhysics('useVehicle');
  const key = useMemo(() => {
    const { fields, userData } = naming('useVehicle', () => fieldsOfVehicle(desc));
    return [JSON.stringify(fields), ...userData];
  }, [desc]);
  const [wheels] = useState(() => new VehicleWheels(scope));
  const ref = useSlot<Vehicle, null>('useVehicle', null, removeVehicle, {
    parts: [chassis],
    key,
    make: (world, [body]) => world.createVehicle(body as RigidBody, desc),
    onShown: (vehicle) => wheels.setVehicle(vehicle),
  });
  // Before the layout effects of its wheels.
  useInsertionEffect(() => setWheelsOf(ref, wheels), [ref, wheels]);
  return ref;
}

const removeVehicle = (world: World, vehicle: Vehicle): void => world.removeVehicle(vehicle);
