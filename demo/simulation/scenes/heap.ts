/** Mixed shapes that hang in a lattice over a tray and fall in layer by layer. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Random } from '../../../src/shared/index.js';
import type { Part } from '../../contract/scene-contract.js';
import { COLOR, MIX } from '../palette.js';
import { ball, box, capsule, cone, cylinder, hull } from '../shapes.js';
import { rotationAbout } from '../vectors.js';
import { addGround } from './ground.js';
import { GEM, SHARD } from './hulls.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';
import { StagedRelease } from './staged-release.js';

const SPACING = 1.05;
const WALL = { height: 1.6, thickness: 0.6 };
const FIRST_LAYER = 3;
const FALL_SECONDS = 9;

/**
 * The falling shapes, each as often as its share: contacts of cones, cylinders and hulls cost
 * several times more.
 */
const KINDS = [
  'cube',
  'cube',
  'cube',
  'cube',
  'cube',
  'slab',
  'ball',
  'ball',
  'ball',
  'ball',
  'ball',
  'ball',
  'ball',
  'capsule',
  'capsule',
  'capsule',
  'cone',
  'cylinder',
  'gem',
  'shard',
] as const;

export function buildHeap(kit: SceneKit): Scene {
  addGround(kit, 120);
  // About five layers, whatever the number: the heap gets wider, not higher.
  const columns = Math.max(4, Math.round(Math.sqrt(kit.wantedBodies / 5)));
  const side = columns * SPACING + 0.8;
  addTray(kit, side);

  const release = new StagedRelease(kit.physics);
  const layerSize = columns * columns;
  const layers = Math.ceil(kit.wantedBodies / layerSize);
  for (let layer = 0; layer < layers; layer++) {
    const count = Math.min(layerSize, kit.wantedBodies - layer * layerSize);
    const bodies = addLayer(kit, columns, count, FIRST_LAYER + layer * SPACING);
    release.add((layer / layers) * FALL_SECONDS, bodies);
  }
  return {
    camera: { position: [0.85 * side, 0.7 * side + 5, 1.25 * side + 2], target: [0, 2.6, 0] },
    beforeStep: (dt) => release.advance(dt),
    save: () => release.save(),
    restore: (saved) => release.restore(saved),
  };
}

function addLayer(kit: SceneKit, columns: number, count: number, y: number): RigidBody[] {
  const { random } = kit;
  return Array.from({ length: count }, (_, index) => {
    const column = (index % columns) - (columns - 1) / 2;
    const row = Math.floor(index / columns) - (columns - 1) / 2;
    const [ax, ay, az] = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const length = Math.hypot(ax, ay, az) || 1;
    return kit.add(randomPart(random), {
      position: [column * SPACING, y, row * SPACING],
      rotation: rotationAbout([ax / length, ay / length, az / length], random.between(0, 3)),
      spin: [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)],
      isAsleep: true,
      friction: 0.5,
      restitution: 0.1,
      damping: [0.05, 0.8],
    });
  });
}

/** All of similar size, and smaller than the lattice's spacing. */
function randomPart(random: Random): Part {
  const color = random.pick(MIX);
  const size = random.between(0.42, 0.62);
  switch (random.pick(KINDS)) {
    case 'cube':
      return box([size, size, size], color);
    case 'slab':
      return box([size * 1.4, size * 0.5, size * 0.8], color);
    case 'ball':
      return ball(size * 0.55, color);
    case 'capsule':
      return capsule(size * 0.36, size * 0.7, color);
    case 'cone':
      return cone(size * 0.6, size * 1.1, color);
    case 'cylinder':
      return cylinder(size * 0.5, size * 0.8, color);
    case 'gem':
      return hull('gem', GEM, color);
    case 'shard':
      return hull('shard', SHARD, color);
  }
}

function addTray(kit: SceneKit, side: number): void {
  const { height, thickness } = WALL;
  const middle = (side + thickness) / 2;
  const long = side + 2 * thickness;
  for (const sign of [-1, 1]) {
    kit.addStatic(box([long, height, thickness], COLOR.stone), [0, height / 2, sign * middle]);
    kit.addStatic(box([thickness, height, side], COLOR.stone), [sign * middle, height / 2, 0]);
  }
}
