/** Several parts as one geometry: a compound body, or all that never moves, in a single draw call. */
import { BufferAttribute, type BufferGeometry, Color, Matrix4, Quaternion, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { Part, Rotation, StaticLook, Vector } from '../../contract/scene-contract.js';
import type { Detail } from '../quality/levels.js';
import { createUnitGeometry, isRound, sidesOf, unitShapeOf } from './geometries.js';
import { PLAIN_U } from './textures.js';

const ORIGIN: Vector = [0, 0, 0];
const UPRIGHT: Rotation = [0, 0, 0, 1];

/** Where a part belongs in its body. */
export function matrixOf(position: Vector = ORIGIN, rotation: Rotation = UPRIGHT): Matrix4 {
  return new Matrix4().compose(
    new Vector3(...position),
    new Quaternion(...rotation),
    new Vector3(1, 1, 1),
  );
}

/** The same for bodies that look the same. */
export function compoundKeyOf(parts: readonly Part[]): string {
  return parts
    .map(({ shape, color, offset = ORIGIN, rotation = UPRIGHT }) => {
      const { key, scale } = unitShapeOf(shape);
      return [key, ...scale, color, ...offset, ...rotation].join(' ');
    })
    .join(', ');
}

/** Gives all vertices a colour. */
export function paint(geometry: BufferGeometry, hex: number): void {
  const { r, g, b } = new Color(hex);
  const colors = new Float32Array(geometry.getAttribute('position').count * 3);
  for (let at = 0; at < colors.length; at += 3) colors.set([r, g, b], at);
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
}

/** A compound body's geometry, in the frame of the body. Colours are those of the vertices. */
export function compoundGeometry(parts: readonly Part[], detail: Detail): BufferGeometry {
  return mergeParts(parts, detail, (part) => matrixOf(part.offset, part.rotation));
}

/** Everything that never moves. The caller disposes of the geometry. */
export function mergeStatics(statics: readonly StaticLook[], detail: Detail): BufferGeometry {
  return mergeParts(statics, detail, ({ position, orientation, offset, rotation }) =>
    matrixOf(position, orientation).multiply(matrixOf(offset, rotation)),
  );
}

/**
 * Merges parts. The caller disposes of the geometry.
 *
 * @param matrix The place of each part. The matrix is changed.
 */
function mergeParts<P extends Part>(
  parts: readonly P[],
  detail: Detail,
  matrix: (part: P) => Matrix4,
): BufferGeometry {
  const pieces = parts.map((part) => paintedPiece(part, matrix(part), detail));
  const merged = mergeGeometries(pieces);
  for (const piece of pieces) piece.dispose();
  return merged;
}

function paintedPiece({ shape, color }: Part, matrix: Matrix4, detail: Detail): BufferGeometry {
  // Merging requires an index on all of them, and the same attributes.
  const piece = createUnitGeometry(shape, sidesOf(shape, detail));
  const [x, y, z] = unitShapeOf(shape).scale;
  piece.applyMatrix4(matrix.scale(new Vector3(x, y, z)));
  const vertices = piece.getAttribute('position').count;
  paint(piece, color);
  if (!isRound(shape)) piece.setAttribute('uv', plainUv(vertices));
  return piece;
}

/** Where the stripes' texture is uniform. */
function plainUv(count: number): BufferAttribute {
  return new BufferAttribute(new Float32Array(count * 2).fill(PLAIN_U), 2);
}
