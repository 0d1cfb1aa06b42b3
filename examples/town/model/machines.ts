/** Moving parts: doors on hinges, a bridge of planks, a lift, crates, and rings on a peg. */
import * as THREE from 'three';
import * as color from './colors.js';
import { boxOf } from './glb.js';
import { meshOf, type Model } from './model.js';
import { Shape, placed, type Triple } from './shape.js';
import { SEA, TERRACE } from './square.js';

const WOODEN = { staticFriction: 0.6, dynamicFriction: 0.6, restitution: 0.1 };
/** Holds three distances and two angles, so that only the turn about an axis is free. */
const hingeAbout = (axis: 0 | 1 | 2, range: number, more: object = {}) => ({
  limits: [
    { linearAxes: [0, 1, 2], min: 0, max: 0 },
    { angularAxes: [0, 1, 2].filter((other) => other !== axis), min: 0, max: 0 },
    { angularAxes: [axis], min: -range, max: range },
  ],
  ...more,
});

export function addMachines(model: Model): void {
  addDoors(model);
  addBridge(model);
  addLift(model);
  addCrates(model);
  addRings(model);
}

/** Two leaves each, which swing to both sides and close by themselves. */
function addDoors(model: Model): void {
  const swing = hingeAbout(1, 1.9, {
    drives: [
      {
        type: 'angular',
        mode: 'acceleration',
        axis: 1,
        positionTarget: 0,
        stiffness: 14,
        damping: 4,
      },
    ],
  });
  for (const { name, at, turn, leaf, tint } of [
    // Doors of the bakery, and of the gate at the top of the stairs.
    {
      name: 'Bakery',
      at: [12.15, 0.05, 5.25],
      turn: -Math.PI / 2,
      leaf: [0.84, 2.2],
      tint: 0x4f8070,
    },
    {
      name: 'Gate',
      at: [-2.2, TERRACE + 0.04, -10.9],
      turn: 0,
      leaf: [1.5, 2.3],
      tint: color.WOOD,
    },
  ] as const) {
    const [width, height] = leaf;
    const frame = placed(at, turn);
    const size = boxOf(width - 0.04, height, 0.08);
    for (const [side, which] of [
      [-1, 'L'],
      [1, 'R'],
    ] as const) {
      const shape = new Shape();
      const [left, bottom] = [-(width - 0.04) / 2, -height / 2];
      for (let board = 0; board < 4; board++) {
        const each = (width - 0.04) / 4;
        const from = [left + board * each, bottom, -0.03] as const;
        shape.slab(from, [from[0] + each - 0.012, -bottom, 0.03], tint, { jitter: 0.1 });
      }
      for (const y of [bottom + 0.2, -bottom - 0.4]) {
        shape.slab([left, y, -0.05], [-left, y + 0.18, 0.05], tint, { foot: 0.8 });
      }
      shape.box([0.08, 0.08, 0.2], [-side * (left + 0.12), 0, 0], color.IRON);
      const middle = frame.clone().multiply(placed([(side * width) / 2, height / 2, 0]));
      const door = model.node(`${name}Door${which}`, shape, middle, {
        motion: { mass: 12 },
        collider: { shape: size, physicsMaterial: WOODEN },
      });
      const hinge = placed([(side * width) / 2, 0, 0]);
      const post = new THREE.Object3D();
      model.place(`${name}Post${which}`, post, middle.clone().multiply(hinge));
      const joint = { joint: swing, connectedNode: post };
      model.place(`${name}Hinge${which}`, new THREE.Object3D(), hinge, { joint }, door);
    }
  }
  // Around them.
  const trim = model.shape('Trim', 'matte');
  trim.frame = placed([12.15, 0, 5.25], -Math.PI / 2);
  for (const x of [-0.94, 0.94]) trim.box([0.14, 2.4, 0.42], [x, 0, 0], color.PALE_STONE);
  trim.box([2.1, 0.2, 0.44], [0, 2.32, 0], color.PALE_STONE);
  const gate = model.shape('Stone-col', 'stone');
  for (const x of [-4.1, -0.3]) {
    gate.box([0.72, 3, 0.8], [x, TERRACE, -10.9], color.PALE_STONE, { foot: 0.85 });
  }
  const arch = new THREE.Shape();
  arch.moveTo(-2.26, 0);
  arch.lineTo(2.26, 0);
  arch.lineTo(2.26, 1.2);
  arch.quadraticCurveTo(1.4, 2.5, 0, 2.6);
  arch.quadraticCurveTo(-1.4, 2.5, -2.26, 1.2);
  arch.holes.push(new THREE.Path().absellipse(0, 0.02, 1.54, 1.3, 0, Math.PI, false));
  const options = { depth: 0.7, bevelEnabled: false, curveSegments: 8 };
  const stones = new THREE.ExtrudeGeometry(arch, options);
  gate.add(stones.translate(-2.2, TERRACE + 3, -11.25), color.STONE, { jitter: 0 });
  trim.frame = placed([-2.2, TERRACE, -10.9]);
  for (const x of [-1.9, 1.9]) trim.box([0.86, 0.18, 0.94], [x, 2.98, 0], color.PALE_STONE);
}

const PLANKS = 12;
/** From the quay to the islet. */
const SPAN = { from: -13.2, to: -22, z: 4, sag: 0.5 } as const;

/** Planks that hang between two banks, each on a hinge to the one before it. */
function addBridge(model: Model): void {
  const pitch = (SPAN.to - SPAN.from) / PLANKS;
  const length = Math.abs(pitch);
  /** The bridge hangs through like a chain. */
  const heightAt = (way: number): number => 0.02 - 4 * SPAN.sag * way * (1 - way);
  const pointAt = (index: number) =>
    new THREE.Vector3(SPAN.from + pitch * index, heightAt(index / PLANKS), SPAN.z);
  const board = new Shape();
  for (const side of [-1, 1]) {
    const from = side < 0 ? -length / 2 : 0.01;
    board.slab([from, -0.05, -1.1], [from + length / 2 - 0.02, 0.05, 1.1], color.WOOD, {
      jitter: 0.16,
    });
  }
  const rail = new Shape();
  rail.box([0.1, 0.95, 0.1], [0, 0, 0], color.DARK_WOOD, { foot: 0.8 });
  for (const y of [0.2, 0.5, 0.85]) {
    rail.box([length + 0.02, 0.06, 0.05], [0, y, 0], color.WOOD);
  }
  const [plank, fence] = [meshOf(board, 'matte'), meshOf(rail, 'matte')];
  const [plankBox, fenceBox] = [boxOf(length - 0.02, 0.1, 2.2), boxOf(length - 0.04, 0.95, 0.1)];
  const hinge = hingeAbout(2, 0.6, {
    drives: [{ type: 'angular', mode: 'force', axis: 2, velocityTarget: 0, damping: 60 }],
  });
  const bank = (name: string, at: THREE.Vector3) => {
    const node = new THREE.Object3D();
    model.place(name, node, placed([at.x, at.y, at.z]));
    return node;
  };
  let before: THREE.Object3D = bank('BridgeStart', pointAt(0));
  for (let index = 0; index < PLANKS; index++) {
    const [from, to] = [pointAt(index + 1), pointAt(index)];
    const middle = from.clone().lerp(to, 0.5);
    const half = from.distanceTo(to) / 2;
    const tilt = Math.atan2(to.y - from.y, to.x - from.x);
    const at = placed([middle.x, middle.y, middle.z]).multiply(
      new THREE.Matrix4().makeRotationZ(tilt),
    );
    const node = model.node(`Plank${index + 1}`, plank, at, {
      motion: { mass: 10 },
      collider: { shape: plankBox, physicsMaterial: WOODEN },
    });
    for (const side of [-1, 1]) {
      const place = placed([0, 0.05, side * 1.05]);
      const piece = model.place(
        `Rail${index + 1}${side < 0 ? 'L' : 'R'}`,
        fence.clone(),
        place,
        undefined,
        node,
      );
      const collider = { shape: fenceBox, physicsMaterial: WOODEN };
      model.place(
        `${piece.name}Box`,
        new THREE.Object3D(),
        placed([0, 0.475, 0]),
        { collider },
        piece,
      );
    }
    const joint = { joint: hinge, connectedNode: before };
    const start = new THREE.Object3D();
    model.place(`Hinge${index + 1}`, start, placed([half, 0, 0]), { joint }, node);
    before = new THREE.Object3D();
    model.place(`PlankEnd${index + 1}`, before, placed([-half, 0, 0]), undefined, node);
  }
  const end = bank('BridgeEnd', pointAt(PLANKS));
  const last = { joint: { joint: hinge, connectedNode: before } };
  model.physics.set(end, last);
  // Posts at both banks.
  const trim = model.shape('Stone-col', 'stone');
  for (const x of [-12.9, -22.4]) {
    for (const z of [SPAN.z - 1.35, SPAN.z + 1.35]) {
      trim.box([0.4, 1.25, 0.4], [x, 0, z], color.PALE_STONE, { foot: 0.8 });
    }
  }
  model.shape('Paving-col', 'paving').slab([-23.6, -0.2, 2.6], [-22, 0.02, 5.4], color.PAVING);
  // Sunken planks come to rest.
  model.shape('Limits-colonly', 'matte').slab([-60, -14, -60], [60, -12, 60], 0);
  model.place('Sea', new THREE.Object3D(), placed([-30, SEA - 3, 0]), {
    trigger: { shape: boxOf(160, 4, 160) },
  });
}

/** From 0 to 1, with a slow beginning and end. */
const eased = (part: number): number => {
  const within = Math.min(1, Math.max(0, part));
  return within * within * (3 - 2 * within);
};

/** A platform that an animation moves between the square and the terrace. */
function addLift(model: Model): void {
  const [x, z] = [8.5, -7.7];
  const shape = new Shape();
  for (let board = 0; board < 7; board++) {
    const from = -1.1 + (board * 2.2) / 7;
    shape.slab([from, -0.08, -1.25], [from + 0.3, 0.06, 1.25], color.WOOD, { jitter: 0.14 });
  }
  shape.slab([-1.15, -0.16, -1.3], [1.15, -0.08, 1.3], color.IRON);
  for (const side of [-1.12, 1.12]) {
    for (const at of [-1.2, 0, 1.2]) shape.box([0.07, 1, 0.07], [side, 0.06, at], color.IRON);
    shape.box([0.09, 0.08, 2.5], [side, 1.02, 0], 0xb08b3c);
    shape.box([0.05, 0.05, 2.5], [side, 0.5, 0], color.IRON);
  }
  const lift = model.node('Lift', shape, placed([x, 0.09, z]), {
    motion: { isKinematic: true, mass: 200 },
    collider: { shape: boxOf(2.3, 0.2, 2.6), physicsMaterial: WOODEN },
  });
  lift.position.y = 0.04;
  for (const side of [-1.12, 1.12]) {
    const rail = { collider: { shape: boxOf(0.1, 1, 2.5), physicsMaterial: WOODEN } };
    const name = `LiftRail${side < 0 ? 'L' : 'R'}`;
    model.place(name, new THREE.Object3D(), placed([side, 0.6, 0]), rail, lift);
  }
  const { positions, times } = { positions: [] as number[], times: [] as number[] };
  for (let time = 0; time <= 18; time += 0.25) {
    const height = eased((time - 3) / 5) - eased((time - 12) / 5);
    times.push(time);
    positions.push(x, 0.04 + height * (TERRACE - 0.06), z);
  }
  model.animations.push(
    new THREE.AnimationClip('Lift', -1, [
      new THREE.VectorKeyframeTrack('Lift.position', times, positions),
    ]),
  );

  // The lift's frame.
  const posts = model.shape('LiftFrame-col', 'matte');
  const trim = model.shape('Trim', 'matte');
  for (const side of [-1.38, 1.38]) {
    for (const at of [z - 1.05, z + 1.15]) {
      posts.box([0.3, 6.6, 0.3], [x + side, 0, at], color.DARK_WOOD, { foot: 0.8 });
    }
    trim.box([0.24, 0.3, 3], [x + side, 6.6, z + 0.05], color.DARK_WOOD);
    trim.box([0.1, 0.12, 2.2], [x + side, 3.2, z + 0.05], color.DARK_WOOD);
  }
  for (const at of [z - 1.05, z + 1.15]) {
    trim.box([3.3, 0.3, 0.3], [x, 6.6, at], color.DARK_WOOD);
  }
  const wheel = new THREE.TorusGeometry(0.5, 0.09, 6, 14).translate(x, 7.2, z);
  trim.add(wheel, color.IRON);
  trim.box([0.12, 0.9, 0.12], [x, 6.75, z], color.IRON, { turn: 0.8 });
  trim.box([3.1, 0.24, 0.24], [x, 6.62, z], color.DARK_WOOD);
}

function crate(size: number, tint: number): THREE.Mesh {
  const shape = new Shape();
  const [half, edge] = [size / 2, size * 0.13];
  const inner = size - 0.05;
  shape.slab([-inner / 2, -inner / 2, -inner / 2], [inner / 2, inner / 2, inner / 2], tint, {
    foot: 0.75,
  });
  for (const a of [-half, half - edge]) {
    for (const b of [-half, half - edge]) {
      shape.slab([-half, a, b], [half, a + edge, b + edge], color.DARK_WOOD);
      shape.slab([a, -half + edge, b], [a + edge, half - edge, b + edge], color.DARK_WOOD);
      shape.slab([a, b, -half + edge], [a + edge, b + edge, half - edge], color.DARK_WOOD);
    }
  }
  return meshOf(shape, 'matte');
}

/** Stacks that one can push over. */
function addCrates(model: Model): void {
  const [large, small] = [crate(0.8, color.WOOD), crate(0.6, 0xa97a4b)];
  const [largeBox, smallBox] = [boxOf(0.8, 0.8, 0.8), boxOf(0.6, 0.6, 0.6)];
  const stack: readonly (readonly [Triple, turn: number, isSmall?: boolean])[] = [
    [[-10.4, 0.4, 7.4], 0],
    [[-9.52, 0.4, 7.5], 0.06],
    [[-8.66, 0.4, 7.4], -0.04],
    [[-9.98, 1.2, 7.44], 0.1],
    [[-9.1, 1.2, 7.44], -0.08],
    [[-9.5, 2, 7.44], 0.3],
    [[-10.9, 0.3, 8.7], 0.5, true],
    [[-6.3, 0.3, -8], 0.2, true],
    [[-6.9, 0.4, -8.9], 0.1],
    [[1.6, 0.3, -9.4], 0.3, true],
    [[6.2, TERRACE + 0.4, -13.4], 0.4],
    [[6.1, TERRACE + 1.1, -13.4], 0.2, true],
  ];
  for (const [index, [at, turn, isSmall = false]] of stack.entries()) {
    model.node(`Crate${index + 1}`, isSmall ? small : large, placed(at, turn), {
      motion: { mass: isSmall ? 5 : 10 },
      collider: { shape: isSmall ? smallBox : largeBox, physicsMaterial: WOODEN },
    });
  }
  // Barrels have no extension: their names say that they move, and a hull is enough.
  const barrel = new Shape();
  for (const [y, low, high] of [
    [-0.5, 0.32, 0.4],
    [-0.17, 0.4, 0.4],
    [0.17, 0.4, 0.32],
  ] as const) {
    barrel.post([low, 0.335, high], [0, y, 0], color.WOOD, { sides: 12, jitter: 0.1 });
    barrel.post([0.41, 0.05, 0.41], [0, y + (y > 0 ? -0.03 : 0.3), 0], color.IRON, { sides: 12 });
  }
  const mesh = meshOf(barrel, 'matte');
  for (const [index, at] of (
    [
      [11.2, 0.51, -0.7],
      [10.9, 0.51, 0.3],
      [-11.6, 0.51, 13],
      [-10.8, 0.51, 13.6],
    ] as const
  ).entries()) {
    model.node(`Barrel${index + 1}-convcol-rigid`, mesh, placed(at));
  }
}

/** Rings of convex pieces: the peg goes through their holes. */
function addRings(model: Model): void {
  const peg = new Shape();
  peg.post([0.62, 0.16, 0.56], [0, 0, 0], color.STONE, { sides: 12 });
  peg.post([0.11, 1.25, 0.08], [0, 0.16, 0], color.WOOD, { sides: 8 });
  peg.post([0.1, 0.12, 0.02], [0, 1.41, 0], 0xc4503c, { sides: 8 });
  model.node('Peg-col', peg, placed([4.4, 0, 5.4]));
  for (const [index, tint] of [0x3f7f9a, 0xe0b354, 0xc4503c].entries()) {
    const ring = new Shape();
    const torus = new THREE.TorusGeometry(0.4, 0.1, 7, 16).rotateX(Math.PI / 2);
    ring.add(torus, tint);
    model.node(`Ring${index + 1}-pieces-rigid`, ring, placed([4.4, 0.3 + 0.24 * index, 5.4]));
  }
}
