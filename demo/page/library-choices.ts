/** What the library leaves to choose, in the order in which the panel offers it. Records, so that none can be forgotten. */
import type { ConnectOptions, InterpolationMode, Transport } from '../../src/render-main/index.js';

export type GameLoop = NonNullable<ConnectOptions['stepper']>['kind'];

const LOOPS: Readonly<Record<GameLoop, true>> = {
  'frame-locked': true,
  variable: true,
  'frame-skip': true,
  'fixed-predict': true,
  'semi-fixed': true,
  fixed: true,
  'rate-groups': true,
  'bounded-variable': true,
};
const MODES: Readonly<Record<InterpolationMode, true>> = {
  none: true,
  interpolate: true,
  extrapolate: true,
};
const CARRIERS: Readonly<Record<Transport, true>> = { shared: true, transfer: true, local: true };

/** In the order of their history. */
export const GAME_LOOPS = Object.keys(LOOPS) as readonly GameLoop[];
export const INTERPOLATION_MODES = Object.keys(MODES) as readonly InterpolationMode[];
export const TRANSPORTS = Object.keys(CARRIERS) as readonly Transport[];
