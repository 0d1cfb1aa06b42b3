/** What `useRapier().rapier` has: the classes of `betwixt/world` that Rapier has, and vectors. */
import type { Rotation, Vector } from '../shared/util/vectors.js';
import * as world from '../world/page/rapier-names.js';

/** Three numbers, as Rapier's `Vector3`. */
export class Vector3 implements Vector {
  x: number;
  y: number;
  z: number;

  constructor(x: number, y: number, z: number) {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

/** A unit quaternion, as Rapier's `Quaternion`. */
export class Quaternion implements Rotation {
  x: number;
  y: number;
  z: number;
  w: number;

  constructor(x: number, y: number, z: number, w: number) {
    this.x = x;
    this.y = y;
    this.z = z;
    this.w = w;
  }
}

/** Rapier's names for what needs no engine. */
export const rapier = { ...world, Vector3, Quaternion };
