/** The page's own engine, with all that it answers. Loaded only by pages that ask. */
import { loadRapier } from '../../rapier/load-simd.js';
import { WorldShapes } from '../worker/world-shapes.js';
import { setShapeAnswers } from './shape-classes.js';
import { makeCharacter, makePid, makeVehicle } from './controllers.js';
import { NO_ASSETS, QueryWorld, type EngineWorld, type QueriedBody } from './query-world.js';

export class PageEngine extends QueryWorld {
  createCharacterController(offset: number) {
    return makeCharacter(this, offset);
  }

  createVehicleController(chassis: QueriedBody) {
    return makeVehicle(this, chassis);
  }

  createPidController(...args: Parameters<EngineWorld['createPidController']>) {
    return makePid(this, ...args);
  }
}

/** @throws Error if it does not load; the next call tries again. */
export async function loadPageEngine() {
  const rapier = await loadRapier();
  const shapes = new WorldShapes(rapier, NO_ASSETS);
  setShapeAnswers((data) => shapes.describe(data).shape);
  return rapier;
}
