/** Painted triangles: simple geometries that become one mesh, with a color at each vertex and no textures. */
import * as THREE from 'three';
import { mergeGeometries, mergeVertices } from 'three/addons/utils/BufferGeometryUtils.js';

export type Triple = readonly [x: number, y: number, z: number];

/** Where something is, turned about y; its scale. */
export function placed(at: Triple, turn = 0, scale: Triple = [1, 1, 1]): THREE.Matrix4 {
  const rotation = new THREE.Quaternion().setFromAxisAngle(THREE.Object3D.DEFAULT_UP, turn);
  const [position, size] = [new THREE.Vector3(...at), new THREE.Vector3(...scale)];
  return new THREE.Matrix4().compose(position, rotation, size);
}

/** The same numbers between 0 and 1 in each run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

export interface Paint {
  /** How bright its lowest points are, where dirt and shade are. Default: as bright as the others. */
  readonly foot?: number;
  /** How much colors differ at random. */
  readonly jitter?: number;
}

export class Shape {
  readonly #parts: THREE.BufferGeometry[] = [];
  readonly #random = randomNumbers(5);
  /** Places all that is added. */
  frame = new THREE.Matrix4();

  /** Adds a geometry. @param color Of all of it, or by the height in m. */
  add(
    geometry: THREE.BufferGeometry,
    color: number | ((height: number) => number),
    { foot = 1, jitter = 0.05 }: Paint = {},
  ): this {
    const part = geometry.index === null ? geometry.clone() : geometry.toNonIndexed();
    for (const name of Object.keys(part.attributes)) {
      if (name !== 'position') part.deleteAttribute(name);
    }
    part.computeBoundingBox();
    const { min, max } = part.boundingBox as THREE.Box3;
    const { position } = part.attributes as { position: THREE.BufferAttribute };
    const brightness = 1 + jitter * (this.#random() * 2 - 1);
    const tint = new THREE.Color();
    const colors = new Float32Array(3 * position.count);
    for (let vertex = 0; vertex < position.count; vertex++) {
      const height = (position.getY(vertex) - min.y) / (max.y - min.y || 1);
      const light = brightness * (foot + (1 - foot) * height);
      const { r, g, b } = tint.set(
        typeof color === 'number' ? color : color(position.getY(vertex)),
      );
      colors.set([r * light, g * light, b * light], 3 * vertex);
    }
    part.setAttribute('color', new THREE.BufferAttribute(colors, 3));
    this.#parts.push(part.applyMatrix4(this.frame));
    return this;
  }

  /** Adds a box. @param at The middle of its lower side. */
  box([x, y, z]: Triple, at: Triple, color: number, { turn = 0, ...paint }: Turned = {}): this {
    const geometry = new THREE.BoxGeometry(x, y, z).translate(0, y / 2, 0);
    return this.add(geometry.applyMatrix4(placed(at, turn)), color, paint);
  }

  /** Adds a box between two corners. */
  slab([x, y, z]: Triple, [x2, y2, z2]: Triple, color: number, paint?: Paint): this {
    const size = [x2 - x, y2 - y, z2 - z] as const;
    return this.box(size, [(x + x2) / 2, y, (z + z2) / 2], color, paint);
  }

  /** Adds a column or a cone. @param at The middle of its lower side. */
  post(
    [radius, height, top = radius]: readonly [radius: number, height: number, top?: number],
    at: Triple,
    color: number,
    { sides = 8, turn = 0, ...paint }: Turned & { readonly sides?: number } = {},
  ): this {
    const geometry = new THREE.CylinderGeometry(top, radius, height, sides);
    geometry.translate(0, height / 2, 0);
    return this.add(geometry.applyMatrix4(placed(at, turn)), color, paint);
  }

  /** Adds a dented ball: leaves, rocks. */
  blob(size: Triple, at: Triple, color: number, { detail = 1, ...paint }: Blob = {}): this {
    const geometry = mergeVertices(
      new THREE.IcosahedronGeometry(1, detail).deleteAttribute('normal').deleteAttribute('uv'),
    );
    const { position } = geometry.attributes as { position: THREE.BufferAttribute };
    const point = new THREE.Vector3();
    for (let vertex = 0; vertex < position.count; vertex++) {
      point.fromBufferAttribute(position, vertex).multiplyScalar(0.82 + 0.3 * this.#random());
      position.setXYZ(vertex, point.x, point.y, point.z);
    }
    return this.add(geometry.applyMatrix4(placed(at, 0, size)), color, { foot: 0.6, ...paint });
  }

  /** The shape's triangles, with shared vertices and small colors. They have no normals: readers of glTF shade them flat. */
  geometry(): THREE.BufferGeometry {
    const merged = mergeVertices(mergeGeometries(this.#parts), 1e-4);
    const { color, position } = merged.attributes as Record<string, THREE.BufferAttribute>;
    const bytes = Uint8Array.from(color?.array ?? [], (value) => Math.min(255, value * 255));
    merged.setAttribute('color', new THREE.BufferAttribute(bytes, 3, true));
    // To tenths of a millimetre, so that other versions of Node write the same file.
    const rounded = Float32Array.from(
      position?.array ?? [],
      (value) => Math.round(value * 1e4) / 1e4,
    );
    merged.setAttribute('position', new THREE.BufferAttribute(rounded, 3));
    return merged;
  }
}

type Turned = Paint & { readonly turn?: number };
type Blob = Paint & { readonly detail?: number };
