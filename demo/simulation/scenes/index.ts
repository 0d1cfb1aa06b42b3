/** The scenes by name. */
import type { SceneName } from '../../contract/scene-contract.js';
import { buildBridge } from './bridge.js';
import { buildDominoes } from './dominoes.js';
import { buildHeap } from './heap.js';
import { buildMarbles } from './marbles.js';
import type { SceneBuilder } from './scene.js';
import { buildTops } from './tops.js';
import { buildTower } from './tower.js';
import { buildVehicle } from './vehicle.js';

export const SCENE_BUILDERS: Readonly<Record<SceneName, SceneBuilder>> = {
  tower: buildTower,
  heap: buildHeap,
  dominoes: buildDominoes,
  tops: buildTops,
  bridge: buildBridge,
  marbles: buildMarbles,
  vehicle: buildVehicle,
};
