/** Finds in each frame whether what something was made of has changed, without allocating. */
import type { BufferGeometry, Material, Matrix4, Mesh, Object3D } from 'three';
import type { Vector } from '../shared/util/vectors.js';

/**
 * Compares a list of values with the list before it:
 *
 *     changes.addGeometry(mesh.geometry, mesh.material);
 *     if (changes.takeChange()) makeAgain();
 */
export class ChangeDetector {
  readonly #values: unknown[] = [];
  #count = 0;
  #isChanged = false;

  add(value: unknown): void {
    const at = this.#count;
    this.#count += 1;
    if (at < this.#values.length && Object.is(this.#values[at], value)) return;
    this.#values[at] = value;
    this.#isChanged = true;
  }

  /** Adds what decides what is drawn of a geometry. As for the renderer, an edit in place needs a new version. */
  addGeometry(geometry: BufferGeometry, material: Mesh['material']): void {
    const { attributes, boundingBox, drawRange, groups, index } = geometry;
    const position = attributes['position'];
    this.add(geometry);
    this.add(position);
    this.add(versionOf(position));
    this.add(index);
    this.add(index?.version);
    this.add(drawRange.start);
    // Infinity, the default, is no small integer: passed as it is, it would be garbage of each frame and geometry.
    this.add(drawRange.count === Infinity ? undefined : drawRange.count);
    if (boundingBox !== null && 'isInstancedBufferGeometry' in geometry) {
      this.addVector(boundingBox.min);
      this.addVector(boundingBox.max);
    }
    const hasGroups = Array.isArray(material);
    this.add(hasGroups);
    if (!hasGroups) return;
    for (let at = 0; at < groups.length; at++) {
      const { start, count, materialIndex } = groups[at] as (typeof groups)[number];
      this.add(start);
      this.add(count);
      this.add(isShown(material, materialIndex));
    }
  }

  /** Adds the scales of an object and its ancestors, which do not change when bodies are moved. */
  addScales(object: Object3D | null): void {
    let depth = 0;
    for (let at = object; at !== null; at = at.parent) {
      depth += 1;
      const { matrixAutoUpdate, scale } = at;
      // Most scales are 1: comparing each would cost more.
      if (matrixAutoUpdate && scale.x === 1 && scale.y === 1 && scale.z === 1) continue;
      this.add(depth);
      if (matrixAutoUpdate) this.addVector(scale);
      else this.addMatrix(at.matrix);
    }
  }

  /** Adds where an object is in its parent, without its scale. */
  addPlace({ matrix, matrixAutoUpdate, position, quaternion }: Object3D): void {
    if (!matrixAutoUpdate) return this.addMatrix(matrix);
    this.addVector(position);
    this.addVector(quaternion);
    this.add(quaternion.w);
  }

  addMatrix({ elements }: Matrix4): void {
    for (let at = 0; at < elements.length; at++) this.add(elements[at]);
  }

  addVector({ x, y, z }: Readonly<Vector>): void {
    this.add(x);
    this.add(y);
    this.add(z);
  }

  /** @returns Whether what was added since the last call differs from what was added before it. */
  takeChange(): boolean {
    const isChanged = this.#isChanged || this.#count !== this.#values.length;
    if (isChanged) this.#values.length = this.#count;
    this.#count = 0;
    this.#isChanged = false;
    return isChanged;
  }
}

/** The version of an attribute, or of the buffer that it shares with others. */
function versionOf(attribute: BufferGeometry['attributes'][string] | undefined): unknown {
  if (attribute === undefined) return undefined;
  return 'data' in attribute ? attribute.data.version : (attribute as { version?: number }).version;
}

/** Whether a group of triangles is drawn, as the renderer decides it. @param index Index of the group's material. */
export const isShown = (materials: readonly Material[], index: number | undefined): boolean =>
  materials[index ?? -1]?.visible === true;
