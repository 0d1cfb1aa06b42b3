/** The actions of keys, and the script of keys that is played on both libraries. */
import type { EcctrlHandle } from 'ecctrl';
import type { EcctrlVehicleHandle } from 'ecctrl/vehicle';

export type Key =
  | 'forward'
  | 'backward'
  | 'left'
  | 'right'
  | 'jump'
  | 'run'
  | 'drive'
  | 'reverse'
  | 'steerLeft'
  | 'steerRight'
  | 'brake';

/** Between a person or a script and the course. */
export interface Driver {
  readonly keys: Set<Key>;
  walker?: EcctrlHandle | undefined;
  car?: EcctrlVehicleHandle | undefined;
  box?: EcctrlHandle['body'] | undefined;
}
