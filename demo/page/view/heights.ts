/** How high the ground and all that never moves is, on a grid seen from above. */
import type { BufferGeometry } from 'three';
import type { StaticLook } from '../../contract/scene-contract.js';
import { mergeStatics } from './compound.js';
import { groundOf } from './ground.js';

/** Along each side of the grid. */
const CELLS = 256;
/** Steeper surfaces are walls: the height of their normal, of length 1. */
const MIN_UP = 0.2;

export class Heights {
  /** Where nothing else is. */
  readonly base: number;
  readonly #grid = new Float32Array(CELLS * CELLS);
  #left = 0;
  #back = 0;
  /** Cells per metre. */
  #perX = 0;
  #perZ = 0;

  constructor(statics: readonly StaticLook[]) {
    const ground = groundOf(statics);
    const isPlane = ground?.shape.kind === 'box';
    this.base = isPlane ? ground.position[1] + ground.shape.size[1] / 2 : -Infinity;
    const drawn = isPlane ? statics.filter((look) => look !== ground) : statics;
    if (drawn.length > 0) {
      const geometry = mergeStatics(drawn, 'coarse');
      this.#rasterise(geometry);
      geometry.dispose();
    }
    if (this.base === -Infinity) this.base = this.#lowest();
  }

  /** Height at a place, in metres: between the middles of four cells. */
  at(x: number, z: number): number {
    const column = (x - this.#left) * this.#perX - 0.5;
    const row = (z - this.#back) * this.#perZ - 0.5;
    const [left, back] = [Math.floor(column), Math.floor(row)];
    if (!(left >= 0 && back >= 0 && left < CELLS - 1 && back < CELLS - 1)) return this.base;
    const [s, t] = [column - left, row - back];
    const cell = back * CELLS + left;
    const behind = (1 - s) * this.#cell(cell) + s * this.#cell(cell + 1);
    const before = (1 - s) * this.#cell(cell + CELLS) + s * this.#cell(cell + CELLS + 1);
    return (1 - t) * behind + t * before;
  }

  #cell(cell: number): number {
    return Math.max(this.base, this.#grid[cell] ?? this.base);
  }

  #lowest(): number {
    const lowest = this.#grid.reduce(
      (least, height) => (height > -Infinity ? Math.min(least, height) : least),
      Infinity,
    );
    return lowest === Infinity ? 0 : lowest;
  }

  #rasterise(geometry: BufferGeometry): void {
    this.#grid.fill(-Infinity);
    geometry.computeBoundingBox();
    const { boundingBox: box, index } = geometry;
    const { array } = geometry.getAttribute('position');
    if (box === null || index === null) return;
    this.#left = box.min.x;
    this.#back = box.min.z;
    this.#perX = CELLS / Math.max(1e-6, box.max.x - box.min.x);
    this.#perZ = CELLS / Math.max(1e-6, box.max.z - box.min.z);
    const corner = (at: number): readonly [number, number, number] => {
      const from = 3 * index.getX(at);
      return [array[from] ?? 0, array[from + 1] ?? 0, array[from + 2] ?? 0];
    };
    for (let at = 0; at < index.count; at += 3) {
      this.#fill(corner(at), corner(at + 1), corner(at + 2));
    }
  }

  /** Raises all cells whose middle is below a triangle. */
  #fill(a: Corner, b: Corner, c: Corner): void {
    const [abX, abY, abZ] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const [acX, acY, acZ] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const up = abZ * acX - abX * acZ;
    const [nx, nz] = [abY * acZ - abZ * acY, abX * acY - abY * acX];
    if (Math.abs(up) < MIN_UP * Math.hypot(nx, up, nz) || up === 0) return;
    const columns = spanOf(this.#left, this.#perX, a[0], b[0], c[0]);
    const rows = spanOf(this.#back, this.#perZ, a[2], b[2], c[2]);
    for (let row = rows[0]; row <= rows[1]; row++) {
      const z = this.#back + (row + 0.5) / this.#perZ - a[2];
      for (let column = columns[0]; column <= columns[1]; column++) {
        const x = this.#left + (column + 0.5) / this.#perX - a[0];
        const s = (z * acX - x * acZ) / up;
        const t = (abZ * x - abX * z) / up;
        if (s < 0 || t < 0 || s + t > 1) continue;
        const cell = row * CELLS + column;
        const height = a[1] + s * abY + t * acY;
        if (height > (this.#grid[cell] ?? Infinity)) this.#grid[cell] = height;
      }
    }
  }
}

type Corner = readonly [x: number, y: number, z: number];

/** The first and the last cell of three places along a side. */
function spanOf(start: number, perMetre: number, ...places: number[]): readonly [number, number] {
  const cellOf = (place: number): number =>
    Math.min(CELLS - 1, Math.max(0, Math.floor((place - start) * perMetre)));
  return [cellOf(Math.min(...places)), cellOf(Math.max(...places))];
}
