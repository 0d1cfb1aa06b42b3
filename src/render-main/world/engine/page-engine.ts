/** The page's own engine, with all that it answers. Loaded only by pages that ask. */
import { loadSimd } from '../../../sim-worker/engines/load-simd.js';
import { answerShapes } from '../shapes/shape-queries.js';
import { makeCharacter, makePid, makeVehicle } from './controllers.js';
import { QueryWorld, type EngineWorld, type QueriedBody } from './query-world.js';

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

let loading: ReturnType<typeof loadEngine> | undefined;

/** Loads the engine, once. @throws Error if it does not load; the next call tries again. */
export function loadPageEngine(): ReturnType<typeof loadEngine> {
  loading ??= loadEngine();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function loadEngine() {
  const rapier = await loadSimd();
  answerShapes(rapier);
  return rapier;
}
