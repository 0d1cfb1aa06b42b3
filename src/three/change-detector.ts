/** What something was made of, to be compared in each frame: that allocates nothing. */
import type { BufferGeometry, Material, Matrix4, Mesh, Object3D } from 'three';
import type { Vector } from '../shared/util/vectors.js';

/**
 * A list of values: those that were there last, and those that are there now.
 *
 *     madeOf.addGeometry(mesh.geometry, mesh.material);
 *     if (madeOf.takeChange()) makeAgain();
 */
export class MadeOf {
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

  /** What decides what is drawn of a geometry. An edit in place counts when it says so, as for the renderer. */
  addGeometry(geometry: BufferGeometry, material: Mesh['material']): void {
    const { attributes, boundingBox, drawRange, groups, index } = geometry;
    const position = attributes['position'];
    this.add(geometry);
    this.add(position);
    this.add(versionOf(position));
    this.add(index);
    this.add(index?.version);
    this.add(drawRange.start);
    this.add(drawRange.count);
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

  /** The scales that make that of an object in the scene: what moves bodies does not change them. */
  addScales(object: Object3D | null): void {
    let depth = 0;
    for (let at = object; at !== null; at = at.parent) {
      depth += 1;
      const { matrixAutoUpdate, scale } = at;
      // As of most: they are not worth a comparison each.
      if (matrixAutoUpdate && scale.x === 1 && scale.y === 1 && scale.z === 1) continue;
      this.add(depth);
      if (matrixAutoUpdate) this.addVector(scale);
      else this.addMatrix(at.matrix);
    }
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

/** Of an attribute, or of the buffer that it shares with others. */
function versionOf(attribute: BufferGeometry['attributes'][string] | undefined): unknown {
  if (attribute === undefined) return undefined;
  return 'data' in attribute ? attribute.data.version : (attribute as { version?: number }).version;
}

/** Whether a group of triangles is drawn, as the renderer decides it. @param index That of its material. */
export const isShown = (materials: readonly Material[], index: number | undefined): boolean =>
  materials[index ?? -1]?.visible === true;
