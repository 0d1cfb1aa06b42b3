/**
 * A hanging bridge of jointed planks over a gorge; crates and figures leap onto it from its banks,
 * in sequence.
 */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR, WOOD } from '../palette.js';
import { box, capsule, cylinder } from '../shapes.js';
import { Y, Z, rotationAbout } from '../vectors.js';
import { Cargo, type Leaper } from './bridge-cargo.js';
import { LAND_HEIGHT, addLand } from './bridge-land.js';
import { RAGDOLL_BODIES, addRagdoll } from './ragdoll.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';

const PLANK: Vector = [0.5, 0.12, 2.6];
const GAP = 0.08;
/** Joints of two planks are this far from the bridge's middle line. */
const ROPE = 1.15;
/** How far the bridge sags below the land for each metre of span. */
const SAG = 0.1;
/**
 * Distances of those that wait: from the edge of the gorge, from the bridge's middle line, and from each
 * other, in metres.
 */
const SPACING = { fromEdge: 1.5, aside: 2.4, apart: 1.05 } as const;
/** Where on the bridge they land: across, and along as shares of the span from its middle. */
const LANES = [-0.6, 0, 0.6] as const;
const LANDING = { nearest: 0.3, farthest: -0.1 } as const;

export function buildBridge(kit: SceneKit): Scene {
  const planks = Math.min(48, Math.max(8, Math.round(kit.wantedBodies * 0.3)));
  const span = addPlanks(kit, planks);
  addPosts(kit, span);
  const cargo = new Cargo(kit, span / 2, addLeapers(kit, span, kit.wantedBodies - planks));
  addLand(kit, span + 0.1);
  return {
    camera: {
      position: [0.4 * span, LAND_HEIGHT + 4.8, 0.95 * span + 6.5],
      target: [0, LAND_HEIGHT + 0.6, 0],
    },
    beforeStep: (dt) => cargo.advance(dt),
    save: () => cargo.save(),
    restore: (saved) => cargo.restore(saved),
  };
}

/** @returns The width of the gorge. */
function addPlanks(kit: SceneKit, count: number): number {
  const curve = hangingCurve(count);
  const { JointData } = kit.rapier;
  const half = (PLANK[0] + GAP) / 2;
  const fence = PLANK[2] / 2 - 0.08;
  let before: RigidBody | undefined;
  for (const { x, y, slope } of curve.planks) {
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
      const onBefore = before ? { x: half, y: 0, z } : { x: curve.start[0], y: curve.start[1], z };
      kit.join(JointData.spherical(onBefore, start), before ?? kit.anchor, plank);
    }
    before = plank;
  }
  for (const z of before ? [-ROPE, ROPE] : []) {
    const end = { x: -curve.start[0], y: curve.start[1], z };
    kit.join(JointData.spherical({ x: half, y: 0, z }, end), before ?? kit.anchor, kit.anchor);
  }
  return -2 * curve.start[0];
}

interface HangingCurve {
  readonly start: readonly [x: number, y: number];
  readonly planks: readonly { readonly x: number; readonly y: number; readonly slope: number }[];
}

/**
 * Planks end to end along nearly a parabola, so that the bridge starts close to its rest position.
 */
function hangingCurve(count: number): HangingCurve {
  const length = PLANK[0] + GAP;
  const top = LAND_HEIGHT - PLANK[1] / 2;
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

function addPosts(kit: SceneKit, span: number): void {
  for (const side of [-1, 1]) {
    for (const z of [-ROPE - 0.15, ROPE + 0.15]) {
      const x = side * (span / 2 + 0.25);
      kit.addStatic(cylinder(0.12, 1.2, COLOR.slate), [x, LAND_HEIGHT + 0.6, z]);
    }
  }
}

/** Crates, and a few figures, alternating between the sides. */
function addLeapers(kit: SceneKit, span: number, bodies: number): Leaper[] {
  const ragdolls = Math.floor((bodies * 0.45) / RAGDOLL_BODIES);
  const crates = bodies - ragdolls * RAGDOLL_BODIES;
  const every = Math.max(1, Math.floor((crates + ragdolls) / (ragdolls + 1)));
  const leapers: Leaper[] = [];
  let figures = 0;
  for (let index = 0; index < crates + ragdolls; index++) {
    const isFigure =
      figures < ragdolls && (index % every === every - 1 || index >= crates + figures);
    const nth = isFigure ? figures : index - figures;
    const side = nth % 2 === 0 ? -1 : 1;
    const waiting = isFigure
      ? addFigure(kit, span, side, Math.floor(nth / 2))
      : addCrate(kit, side, cratePosition(span, Math.floor(nth / 2), Math.ceil(crates / 2)));
    leapers.push({
      bodies: waiting,
      target: landingPosition(kit, span, side, index),
      spin: spinOf(kit),
    });
    if (isFigure) figures += 1;
  }
  return leapers;
}

/** Figures queue on the way to the bridge. */
function addFigure(kit: SceneKit, span: number, side: number, column: number): RigidBody[] {
  const shirt = kit.random.pick([COLOR.signal, COLOR.lagoon, COLOR.pine, COLOR.ochre] as const);
  const x = side * (span / 2 + SPACING.fromEdge + column * SPACING.apart);
  const facing = rotationAbout(Y, (-side * Math.PI) / 2 + kit.random.between(-0.3, 0.3));
  return addRagdoll(kit, [x, LAND_HEIGHT, 0], facing, shirt);
}

function addCrate(kit: SceneKit, side: number, [x, y, z]: Vector): RigidBody[] {
  const { random } = kit;
  const size = random.between(0.38, 0.7);
  const crate = kit.add(box([size, size, size], random.pick(WOOD)), {
    // Not touching: the engine wakes bodies that begin to touch something.
    position: [side * x, y + size / 2 + 0.05, z],
    rotation: rotationAbout(Y, random.between(-0.25, 0.25)),
    density: 0.5,
    isAsleep: true,
  });
  return [crate];
}

/** In rows on both sides of the way, those at the edge first: none leaps over a later one. */
function cratePosition(span: number, index: number, count: number): Vector {
  const rows = Math.ceil(Math.sqrt(count / 2));
  const nth = Math.floor(index / 2);
  const aside = SPACING.aside + (nth % rows) * SPACING.apart;
  const fromEdge = SPACING.fromEdge + Math.floor(nth / rows) * SPACING.apart;
  return [span / 2 + fromEdge, LAND_HEIGHT, index % 2 === 0 ? -aside : aside];
}

function landingPosition(kit: SceneKit, span: number, side: number, index: number): Vector {
  const x = side * kit.random.between(LANDING.farthest, LANDING.nearest) * span;
  const sag = SAG * span * (1 - ((2 * x) / span) ** 2);
  return [x, LAND_HEIGHT - sag + 0.3, LANES[index % LANES.length] ?? 0];
}

function spinOf({ random }: SceneKit): Vector {
  return [random.between(-1, 1), random.between(-1, 1), random.between(-3, 3)];
}
