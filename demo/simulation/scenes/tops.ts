/** Spinning tops on a table, handles that tumble in the air, and a Newton's cradle. */
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR, MIX } from '../palette.js';
import { ball, box, capsule, cone, cylinder, mesh } from '../shapes.js';
import { X, Z, combine, rotationAbout, turned } from '../vectors.js';
import { Cradle } from './cradle.js';
import { addGround } from './ground.js';
import { surfaceOfRevolution } from './meshes.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';

const TABLE = { height: 0.5, rim: 0.4 };
/** Slippery, so that the tops wander about and meet. */
const TABLE_FRICTION = 0.04;
/** Nothing is stacked here. */
const KNOCK = { speed: 0.8, load: 4 };
const TOP_SPACING = 1.9;

export function buildTops(kit: SceneKit): Scene {
  addGround(kit, 90);
  const cradleBalls = kit.wantedBodies < 12 ? 3 : 5;
  const handles = Math.min(12, Math.max(1, Math.floor(kit.wantedBodies / 8)));
  const tops = kit.wantedBodies - cradleBalls - handles;
  const radius = 1.6 + TOP_SPACING * Math.sqrt(tops / Math.PI);

  addTable(kit, radius);
  for (let index = 0; index < tops; index++) addTop(kit, positionOf(index, tops, radius - 1.4));
  const cradle = new Cradle(kit, [0, 1.6, -radius - 2.6], cradleBalls, cradleBalls < 5 ? 1 : 2);
  for (let index = 0; index < handles; index++) {
    addHandle(kit, [(index - (handles - 1) / 2) * 3, 4.9 + (index % 2) * 0.9, -0.3 * radius]);
  }
  return {
    camera: {
      position: [0.44 * radius, 0.95 * radius + 3.3, 1.9 * radius + 3.8],
      target: [0, 1.3, -0.2 * radius],
    },
    afterStep: () => cradle.settle(),
  };
}

/** Evenly over a disc, like the seeds of a sunflower (Vogel, 1979). */
function positionOf(index: number, count: number, radius: number): Vector {
  const distance = radius * Math.sqrt((index + 0.5) / count);
  const angle = index * Math.PI * (3 - Math.sqrt(5));
  const [x, z] = [distance * Math.cos(angle), distance * Math.sin(angle)];
  return [x, TABLE.height, z];
}

/** A disc on a cone, with a round tip. Its origin is where disc and cone meet. */
function addTop(kit: SceneKit, tipAt: Vector): void {
  const { random } = kit;
  const size = random.between(0.8, 1.15);
  const tip = 0.07 * size;
  const depth = 0.62 * size;
  const [color, accent] = [random.pick(MIX), random.pick([COLOR.ink, COLOR.chalk] as const)];
  const tilt = rotationAbout(turned(rotationAbout([0, 1, 0], random.between(0, 6)), X), 0.12);
  const speed = random.between(28, 48) * (random.next() < 0.5 ? -1 : 1);
  const up = turned(tilt, [0, depth, 0]);
  const disc = cylinder(0.6 * size, 0.16 * size, color, { offset: [0, 0.06 * size, 0] });
  kit.add(
    [
      disc,
      cone(0.45 * size, depth, color, {
        offset: [0, -depth / 2, 0],
        rotation: rotationAbout(X, Math.PI),
      }),
      ball(tip, COLOR.slate, { offset: [0, -depth, 0] }),
    ],
    {
      position: [tipAt[0] + up[0], tipAt[1] + up[1] + tip + 0.02, tipAt[2] + up[2]],
      rotation: tilt,
      spin: turned(tilt, [0, speed, 0]),
      velocity: [random.between(-2, 2), 0, random.between(-2, 2)],
      decoration: [
        cylinder(0.06 * size, 0.5 * size, COLOR.slate, { offset: [0, 0.36 * size, 0] }),
        box([1.1 * size, 0.02, 0.14 * size], accent, { offset: [0, 0.145 * size, 0] }),
        box([0.14 * size, 0.02, 1.1 * size], accent, { offset: [0, 0.145 * size, 0] }),
      ],
      friction: TABLE_FRICTION,
      restitution: 0.5,
      hit: KNOCK,
      isRestless: true,
    },
  );
}

/**
 * Turns about the axis of its middle moment of inertia, which is unstable: every few seconds it flips over
 * (Dzhanibekov effect).
 */
function addHandle(kit: SceneKit, position: Vector): void {
  const color = kit.random.pick([COLOR.ochre, COLOR.signal, COLOR.lagoon] as const);
  const wobble = kit.random.between(0.02, 0.06);
  const start = combine(rotationAbout(Z, wobble), rotationAbout(X, wobble));
  kit.add(
    [
      capsule(0.13, 0.5, color, { offset: [0, 0.35, 0] }),
      capsule(0.15, 1.3, COLOR.slate, { rotation: rotationAbout(Z, Math.PI / 2) }),
    ],
    {
      position,
      rotation: start,
      spin: [0, kit.random.between(9, 12), 0],
      gravityScale: 0,
      isRestless: true,
    },
  );
}

function addTable(kit: SceneKit, radius: number): void {
  const { height, rim } = TABLE;
  const slippery = { friction: TABLE_FRICTION };
  // Flat in the middle: a contact with a cylinder costs a tenth of one with a mesh.
  const middle: Vector = [0, height / 2, 0];
  kit.addStatic(cylinder(radius + 0.4, height, COLOR.stone), middle, undefined, slippery);
  const profile = [
    [radius, height],
    [radius + 0.2, height + rim],
    [radius + 0.5, height + rim],
    [radius + 0.6, 0.03],
  ] as const;
  const edge = mesh('rim', surfaceOfRevolution(profile, 64), COLOR.sand);
  kit.addStatic(edge, [0, 0, 0], undefined, { ...slippery, restitution: 0.5 });
}
