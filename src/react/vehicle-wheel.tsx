/** `<VehicleWheel>`. */
import type { ThreeElements } from '@react-three/fiber';
import { useLayoutEffect, useRef, type JSX, type RefObject } from 'react';
import type { Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { checkProps } from './check-props.js';
import type { Vehicle } from '../world/page/index.js';
import { MESH_COLLIDER_PROPERTY } from './auto-colliders.js';
import { requireWheelsOf } from './vehicle-wheels.js';

/** Props of {@link VehicleWheel}, and those of an object of three.js: its `position` is that before the first tick. */
export interface VehicleWheelProps extends Omit<ThreeElements['object3D'], 'ref'> {
  /** What `useVehicle` has returned. */
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
