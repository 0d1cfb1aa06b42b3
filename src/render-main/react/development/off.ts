/** In place of on.ts. */
import type * as on from './on.js';

export const checkCallback: typeof on.checkCallback | undefined = undefined;

export const checkProps: typeof on.checkProps | undefined = undefined;

export const warnOfEmptyMaps: typeof on.warnOfEmptyMaps | undefined = undefined;

export const warnOfChildren: typeof on.warnOfChildren | undefined = undefined;

export const warnOfMissingKey: typeof on.warnOfMissingKey | undefined = undefined;

export const warnOfNoPoints: typeof on.warnOfNoPoints | undefined = undefined;
