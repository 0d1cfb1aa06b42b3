/** The library's choices. Records, so that none can be forgotten. */
import type { InterpolationMode, Transport } from '../../src/render-main/index.js';

const MODES: Readonly<Record<InterpolationMode, true>> = {
  none: true,
  interpolate: true,
  extrapolate: true,
};
const CARRIERS: Readonly<Record<Transport, true>> = { shared: true, transfer: true, local: true };

export const INTERPOLATION_MODES = Object.keys(MODES) as readonly InterpolationMode[];
export const TRANSPORTS = Object.keys(CARRIERS) as readonly Transport[];
