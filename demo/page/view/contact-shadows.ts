/**
 * A soft dark disc below each body, which shows how high it is: instead of real shadows, where those
 * would cost too much.
 */
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, MeshBasicMaterial } from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { BodyLook, SceneDescription, Shape } from '../../contract/scene-contract.js';
import { Heights } from './heights.js';

/** Around a disc. */
const SIDES = 6;
const VERTICES = SIDES + 1;
/** Opacity in the middle of a disc; at its edge it is 0. */
const DARKNESS = 0.55;
/** A disc's radius in those of its body, and the height in them at which half of the darkness is left. */
const SPREAD = 1.5;
const HALF_AT = 4;
/** Above the ground, in metres. */
const LIFT = 0.02;
/** Bodies that come later; beyond this number the oldest loses its disc. */
const LATER_BODIES = 64;

interface Caster {
  readonly id: BodyId;
  readonly radius: number;
}

export class ContactShadows {
  readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #casters: Caster[];
  readonly #first: number;
  readonly #positions: BufferAttribute;
  readonly #colors: BufferAttribute;
  readonly #heights: Heights;
  readonly #pose = new Float32Array(7);
  #later = 0;

  constructor({ bodies, statics }: SceneDescription) {
    this.#casters = bodies.map(casterOf);
    this.#first = bodies.length;
    this.#heights = new Heights(statics);
    const count = VERTICES * (bodies.length + LATER_BODIES);
    this.#positions = new BufferAttribute(new Float32Array(3 * count), 3);
    this.#colors = new BufferAttribute(new Float32Array(4 * count), 4);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.#positions.setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', this.#colors.setUsage(DynamicDrawUsage));
    geometry.setIndex(trianglesOf(bodies.length + LATER_BODIES));
    const material = new MeshBasicMaterial({
      vertexColors: true,
      transparent: true,
      depthWrite: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => {};
  }

  /** A body that came later. */
  addBody(look: BodyLook): void {
    this.#casters[this.#first + (this.#later % LATER_BODIES)] = casterOf(look);
    this.#later += 1;
  }

  /** Moves the discs below the bodies of a frame. */
  update(frame: SampledFrame): void {
    const pose = this.#pose;
    const end = VERTICES * this.#casters.length;
    this.mesh.geometry.setDrawRange(0, 3 * SIDES * this.#casters.length);
    for (const [index, { id, radius }] of this.#casters.entries()) {
      const isAlive = frame.pose(id, pose) !== undefined;
      const [x = 0, y = 0, z = 0] = pose;
      this.#place(index, x, y, z, isAlive ? radius : 0);
    }
    this.#positions.clearUpdateRanges();
    this.#positions.addUpdateRange(0, 3 * end);
    this.#positions.needsUpdate = true;
    this.#colors.clearUpdateRanges();
    this.#colors.addUpdateRange(0, 4 * end);
    this.#colors.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.removeFromParent();
  }

  /** @param radius Of the body; 0: it has no disc. */
  #place(index: number, x: number, y: number, z: number, radius: number): void {
    const middle = VERTICES * index;
    const top = this.#heights.at(x, z);
    // Something above the body is not what carries it.
    const ground = top > y + radius ? this.#heights.base : top;
    const spread = SPREAD * radius;
    const half = HALF_AT * radius;
    const darkness = radius === 0 ? 0 : (DARKNESS * half) / (half + Math.max(0, y - ground));
    this.#positions.setXYZ(middle, x, ground + LIFT, z);
    this.#colors.setW(middle, darkness);
    for (let side = 0; side < SIDES; side++) {
      const px = x + spread * (COSINES[side] ?? 0);
      const pz = z + spread * (SINES[side] ?? 0);
      const edge = this.#heights.at(px, pz);
      // The disc follows a slope, and climbs no wall.
      const height = Math.abs(edge - ground) > spread ? ground : edge;
      this.#positions.setXYZ(middle + 1 + side, px, height + LIFT, pz);
    }
  }
}

const angles = Array.from({ length: SIDES }, (_, side) => (2 * Math.PI * side) / SIDES);
const COSINES = angles.map(Math.cos);
const SINES = angles.map(Math.sin);

function trianglesOf(discs: number): BufferAttribute {
  const indices = new Uint32Array(3 * SIDES * discs);
  for (let disc = 0, at = 0; disc < discs; disc++) {
    const middle = VERTICES * disc;
    for (let side = 0; side < SIDES; side++) {
      indices[at++] = middle;
      indices[at++] = middle + 1 + ((side + 1) % SIDES);
      indices[at++] = middle + 1 + side;
    }
  }
  return new BufferAttribute(indices, 1);
}

/** About as wide as the body's parts together. */
function casterOf({ id, parts }: BodyLook): Caster {
  const radii = parts.map(({ shape, offset = [0, 0, 0] }) => {
    const radius = radiusOf(shape);
    return radius + Math.hypot(offset[0], offset[2]) * 0.7;
  });
  return { id, radius: Math.max(...radii) };
}

function radiusOf(shape: Shape): number {
  switch (shape.kind) {
    case 'box':
      return (shape.size[0] + shape.size[1] + shape.size[2]) / 6;
    case 'hull':
      return reachOf(shape.points);
    case 'mesh':
      return reachOf(shape.vertices);
    default:
      return shape.radius;
  }
}

/** Mean distance of points from the origin. */
function reachOf(points: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < points.length; at += 3) {
    sum += Math.hypot(points[at] ?? 0, points[at + 1] ?? 0, points[at + 2] ?? 0);
  }
  return (3 * sum) / points.length;
}
