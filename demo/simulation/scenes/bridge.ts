/** A hanging bridge of jointed planks; crates and figures fall on it, one after another. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR, WOOD } from '../palette.js';
import { box, capsule, cylinder } from '../shapes.js';
import { X, Y, Z, combine, rotationAbout } from '../vectors.js';
import { addGround } from './ground.js';
import { RAGDOLL_BODIES, addRagdoll } from './ragdoll.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';
import { StagedRelease } from './staged-release.js';

const PLANK: Vector = [0.5, 0.12, 2.6];
const GAP = 0.08;
/** Joints of two planks stand this far from the bridge's middle line. */
const ROPE = 1.15;
/** Height of the cliffs, and how far the bridge sags below it for each metre of span. */
const CLIFF = 5;
const SAG = 0.1;
/** Length of its part under the bridge, and how far from there the fog hides everything, in metres. */
const RIVER = { middle: 60, reach: 260 } as const;
const DROP = 3.2;
const LANES = [-0.6, 0, 0.6] as const;
const FIRST_S = 0.4;
const ALL_S = 11;

export function buildBridge(kit: SceneKit): Scene {
  addGround(kit, 110);
  const planks = Math.min(48, Math.max(8, Math.round(kit.wantedBodies * 0.3)));
  const span = addPlanks(kit, planks);
  addCliffs(kit, span);
  addRiver(kit, span);
  const release = new StagedRelease(kit.physics);
  const drops = addDrops(kit, span, kit.wantedBodies - planks);
  drops.forEach((bodies, index) => {
    release.add(FIRST_S + (index / drops.length) * ALL_S, bodies);
  });
  return {
    camera: { position: [0.4 * span, CLIFF + 4.5, 0.85 * span + 6], target: [0, CLIFF + 0.6, 0] },
    beforeStep: (stepS) => release.advance(stepS),
    save: () => release.save(),
    restore: (saved) => release.restore(saved),
  };
}

/** @returns The distance between the cliffs. */
function addPlanks(kit: SceneKit, count: number): number {
  const places = hangingCurve(count);
  const { JointData } = kit.rapier;
  const half = (PLANK[0] + GAP) / 2;
  const fence = PLANK[2] / 2 - 0.08;
  let before: RigidBody | undefined;
  for (const { x, y, slope } of places.planks) {
    const color = kit.random.pick(WOOD);
    const posts = [-1, 1].flatMap((side) => [
      cylinder(0.03, 0.7, COLOR.slate, { offset: [0, 0.4, side * fence] }),
      capsule(0.025, 2 * half, COLOR.sand, {
        offset: [0, 0.74, side * fence],
        rotation: rotationAbout(Z, Math.PI / 2),
      }),
    ]);
    const plank = kit.add(box(PLANK, color), {
      position: [x, y, 0],
      rotation: rotationAbout(Z, slope),
      decoration: posts,
      density: 1.4,
      friction: 0.8,
      damping: [0.15, 0.4],
      extraIterations: 6,
    });
    for (const z of [-ROPE, ROPE]) {
      const start = { x: -half, y: 0, z };
      const onBefore = before
        ? { x: half, y: 0, z }
        : { x: places.start[0], y: places.start[1], z };
      kit.join(JointData.spherical(onBefore, start), before ?? kit.anchor, plank);
    }
    before = plank;
  }
  for (const z of before ? [-ROPE, ROPE] : []) {
    const end = { x: -places.start[0], y: places.start[1], z };
    kit.join(JointData.spherical({ x: half, y: 0, z }, end), before ?? kit.anchor, kit.anchor);
  }
  return -2 * places.start[0];
}

interface HangingCurve {
  readonly start: readonly [x: number, y: number];
  readonly planks: readonly { readonly x: number; readonly y: number; readonly slope: number }[];
}

/** Planks end to end along nearly a parabola, so that the bridge starts about where it comes to rest. */
function hangingCurve(count: number): HangingCurve {
  const length = PLANK[0] + GAP;
  const top = CLIFF - PLANK[1] / 2;
  // Slopes run evenly from down to up; a parabola sagging by SAG of its span starts at 4 × SAG.
  const slopes = Array.from({ length: count }, (_, index) =>
    Math.atan(4 * SAG * ((2 * index + 1) / count - 1)),
  );
  const span = slopes.reduce((sum, slope) => sum + Math.cos(slope) * length, 0);
  let x = -span / 2;
  let y = top;
  const planks = slopes.map((slope) => {
    const [dx, dy] = [Math.cos(slope) * length, Math.sin(slope) * length];
    const plank = { x: x + dx / 2, y: y + dy / 2, slope };
    x += dx;
    y += dy;
    return plank;
  });
  return { start: [-span / 2, top], planks };
}

function addCliffs(kit: SceneKit, span: number): void {
  for (const side of [-1, 1]) {
    const x = side * (span / 2 + 4.05);
    kit.addStatic(box([8, CLIFF, 9], COLOR.stone), [x, CLIFF / 2, 0]);
    kit.addStatic(box([8.1, 0.25, 9.1], COLOR.moss), [x, CLIFF - 0.1, 0]);
    for (const z of [-ROPE - 0.15, ROPE + 0.15]) {
      kit.addStatic(cylinder(0.12, 1.2, COLOR.slate), [side * (span / 2 + 0.25), CLIFF + 0.6, z]);
    }
  }
  kit.addStatic(box([span, 0.04, RIVER.middle], COLOR.mist), [0, 0.02, 0]);
}

/** The river goes on until it is lost in the haze. Drawn only: the floor below it is as solid and as high. */
function addRiver(kit: SceneKit, span: number): void {
  const length = RIVER.reach - RIVER.middle / 2;
  for (const end of [-1, 1]) {
    kit.statics.push({
      ...box([span, 0.04, length], COLOR.mist),
      position: [0, 0.02, (end * (RIVER.middle + length)) / 2],
    });
  }
}

/** Crates, and here and there a figure, each in its own place over the bridge. */
function addDrops(kit: SceneKit, span: number, bodies: number): RigidBody[][] {
  const { random } = kit;
  const ragdolls = Math.floor((bodies * 0.45) / RAGDOLL_BODIES);
  const crates = bodies - ragdolls * RAGDOLL_BODIES;
  const every = Math.max(1, Math.floor((crates + ragdolls) / (ragdolls + 1)));
  const drops: RigidBody[][] = [];
  let figures = 0;
  for (let index = 0; index < crates + ragdolls; index++) {
    const place = dropPlace(index, span);
    if (figures < ragdolls && (index % every === every - 1 || index >= crates + figures)) {
      const rotation = combine(
        rotationAbout(Y, random.between(0, 6)),
        rotationAbout(X, random.between(-1, 1)),
      );
      const shirt = random.pick([COLOR.signal, COLOR.lagoon, COLOR.pine, COLOR.ochre] as const);
      drops.push(addRagdoll(kit, place, rotation, shirt));
      figures += 1;
      continue;
    }
    const size = random.between(0.38, 0.7);
    const crate = kit.add(box([size, size, size], random.pick(WOOD)), {
      position: place,
      rotation: rotationAbout(Y, random.between(0, 3)),
      spin: [random.between(-1, 1), 0, random.between(-1, 1)],
      density: 0.5,
      isAsleep: true,
    });
    drops.push([crate]);
  }
  return drops;
}

/** Columns over the middle of the bridge, then a level higher; later ones wait above earlier ones. */
function dropPlace(index: number, span: number): Vector {
  const columns = Math.max(3, Math.floor((span * 0.7) / 1.5));
  const perLevel = columns * LANES.length;
  // A stride without a common factor, so that neighbours do not follow each other.
  const slot = ((index % perLevel) * 7) % perLevel;
  const level = Math.floor(index / perLevel);
  const column = Math.floor(slot / LANES.length) - (columns - 1) / 2;
  return [column * 1.5, CLIFF + DROP + level * 2.1, (LANES[slot % LANES.length] ?? 0) * 1.5];
}
