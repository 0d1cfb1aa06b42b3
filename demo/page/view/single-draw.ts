/**
 * Draws the bodies of an instanced mesh in one piece: a copy of its geometry for each of them,
 * whose vertices read their body's matrix from a texture. Software renderers draw instances one by
 * one, which is slower than a few triangles.
 */
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  FloatType,
  type InstancedMesh,
  type Material,
  Mesh,
  RGBAFormat,
} from 'three';
import { stripeAt } from './textures.js';
import { createInTextureMaterial } from './vertex-lit.js';

/**
 * Fewer bodies gain nothing; more may exceed a texture's height, which every browser supports up to
 * this.
 */
const COUNT = { min: 12, max: 2048 } as const;

/** Whether it pays. The capacity counts: which of its bodies live may change. */
export function isForSingleDraw({ instanceMatrix }: InstancedMesh): boolean {
  const { count } = instanceMatrix;
  return count >= COUNT.min && count <= COUNT.max;
}

export class SingleDraw {
  readonly mesh: Mesh<BufferGeometry, Material>;
  readonly #matrices: DataTexture;

  /**
   * @param source It is full, and its bodies and their colours stay as they are. Rays hit this one.
   * @param unit The geometry of one body, with an index. It may be disposed of.
   * @param isStriped Round bodies have stripes: at their vertices, like all colours.
   */
  constructor(source: InstancedMesh, unit: BufferGeometry, isStriped: boolean) {
    const { array, count } = source.instanceMatrix;
    const matrices = array as Float32Array<ArrayBuffer>;
    this.#matrices = new DataTexture(matrices, 4, count, RGBAFormat, FloatType);
    this.mesh = new Mesh(
      copiesOf(source, unit, isStriped),
      createInTextureMaterial(this.#matrices),
    );
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => {};
  }

  /** Takes over the matrices that were written into the instanced mesh. */
  update(): void {
    this.#matrices.needsUpdate = true;
  }

  /** Forgets the texture on the graphics card: call it while the context is lost. */
  forgetUpload(): void {
    this.#matrices.dispose();
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.#matrices.dispose();
    this.mesh.removeFromParent();
  }
}

/** One copy per body, in the colours of both, each vertex with the number of its body. */
function copiesOf(
  { instanceMatrix, instanceColor }: InstancedMesh,
  unit: BufferGeometry,
  isStriped: boolean,
): BufferGeometry {
  const { index } = unit;
  const { count } = instanceMatrix;
  if (index === null || instanceColor === null) throw new Error('it has no index, or no colours');
  const vertices = unit.getAttribute('position').count;
  const own = ownColors(unit, isStriped);
  const geometry = new BufferGeometry();
  for (const name of ['position', 'normal']) {
    const { array, itemSize } = unit.getAttribute(name);
    const copies = new Float32Array(array.length * count);
    for (let body = 0; body < count; body++) copies.set(array, body * array.length);
    geometry.setAttribute(name, new BufferAttribute(copies, itemSize));
  }
  const colors = new Float32Array(3 * vertices * count);
  const bodies = new Float32Array(vertices * count);
  const indices = new Uint32Array(index.count * count);
  for (let body = 0; body < count; body++) {
    bodies.fill(body, body * vertices, (body + 1) * vertices);
    for (let vertex = 0; vertex < vertices; vertex++) {
      const at = 3 * (body * vertices + vertex);
      for (let part = 0; part < 3; part++) {
        const share = own[3 * vertex + part] ?? 1;
        colors[at + part] = share * instanceColor.getComponent(body, part);
      }
    }
    for (let at = 0; at < index.count; at++) {
      indices[body * index.count + at] = index.getX(at) + body * vertices;
    }
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  geometry.setAttribute('body', new BufferAttribute(bodies, 1));
  geometry.setIndex(new BufferAttribute(indices, 1));
  return geometry;
}

/** Colours of a geometry's vertices, with their stripes; white where it has none. */
function ownColors(unit: BufferGeometry, isStriped: boolean): Float32Array {
  const painted = unit.hasAttribute('color') ? unit.getAttribute('color') : undefined;
  const uvs = isStriped && unit.hasAttribute('uv') ? unit.getAttribute('uv') : undefined;
  const colors = new Float32Array(3 * unit.getAttribute('position').count);
  for (let at = 0; at < colors.length; at++) {
    const vertex = Math.floor(at / 3);
    const stripe = uvs === undefined ? 1 : stripeAt(uvs.getX(vertex));
    // Converts a perceived shade to an amount of light.
    colors[at] = (painted?.getComponent(vertex, at % 3) ?? 1) * stripe ** 2.2;
  }
  return colors;
}
