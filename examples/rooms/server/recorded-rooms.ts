/**
 * What `npm run verify` replays recordings of the rooms with:
 *
 *     npm run verify -- FOLDER --simulation examples/rooms/server/recorded-rooms.ts
 */
import { createSumo } from '../src/simulation.js';

export const createSimulation = () => createSumo();
