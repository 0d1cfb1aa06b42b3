/**
 * What follows from the mass of a body. The engine computes it, and the worker sends it with the answer to what has changed it.
 * Until the first answer, the page knows what the masses of the colliders say, which it may have to estimate; the rest is NaN.
 */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import { vector } from '../checks/checked-values.js';
import type { Collider } from './collider.js';
import { product, rotated } from '../../../shared/world/rotations.js';
import { inverseOf, turnedMatrix, type Free, type SdpMatrix3 } from '../values/sdp-matrix.js';

const UNKNOWN = { x: Number.NaN, y: Number.NaN, z: Number.NaN } as const;
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 } as const;
const STUCK: Free = { x: false, y: false, z: false };

/** As the engine has it: 0 of 0. */
const inverse = (value: number): number => (value === 0 ? 0 : Math.fround(1 / value));

/** Along or about which axes something may move. */
export interface Freedom {
  readonly translations: readonly [boolean, boolean, boolean];
  readonly rotations: readonly [boolean, boolean, boolean];
}

export abstract class MassiveBody {
  /** A row of `masses.ts`. Undefined: the worker has not answered yet. */
  #known: Float64Array | undefined;

  abstract isDynamic(): boolean;
  abstract translation(): Vector;
  abstract rotation(): Rotation;
  abstract linvel(): Vector;
  abstract angvel(): Vector;
  abstract numColliders(): number;
  abstract collider(index: number): Collider | undefined;
  protected abstract readonly freedom: Freedom;
  /** In kg: what was set in addition to the colliders'. */
  protected abstract readonly ownMass: number;

  /** @param row As in `masses.ts`. */
  noteMass(row: Float64Array): void {
    this.#known = row;
  }

  mass(): number {
    return this.#known === undefined ? this.#estimate().mass : inverse(this.invMass());
  }

  invMass(): number {
    const known = this.#known;
    return known === undefined ? inverse(this.#estimate().mass) : (known[1] as number);
  }

  effectiveInvMass(): Vector {
    const invMass = this.isDynamic() ? this.invMass() : 0;
    const [x, y, z] = this.freedom.translations;
    return { x: x ? invMass : 0, y: y ? invMass : 0, z: z ? invMass : 0 };
  }

  localCom(): Vector {
    return this.#known === undefined ? this.#estimate().center : vectorAt(this.#known, 2);
  }

  worldCom(): Vector {
    const { x, y, z } = this.translation();
    const center = rotated(this.localCom(), this.rotation());
    return { x: x + center.x, y: y + center.y, z: z + center.z };
  }

  velocityAtPoint(point: Readonly<Vector>): Vector {
    const { x, y, z } = vector('point', point);
    const center = this.worldCom();
    const [v, w] = [this.linvel(), this.angvel()];
    const [rx, ry, rz] = [x - center.x, y - center.y, z - center.z];
    return {
      x: v.x + w.y * rz - w.z * ry,
      y: v.y + w.z * rx - w.x * rz,
      z: v.z + w.x * ry - w.y * rx,
    };
  }

  invPrincipalInertia(): Vector {
    return this.#known === undefined ? { ...UNKNOWN } : vectorAt(this.#known, 5);
  }

  principalInertia(): Vector {
    const { x, y, z } = this.invPrincipalInertia();
    return { x: inverse(x), y: inverse(y), z: inverse(z) };
  }

  principalInertiaLocalFrame(): Rotation {
    const known = this.#known;
    if (known === undefined) return { ...UPRIGHT };
    return { ...vectorAt(known, 8), w: known[11] as number };
  }

  effectiveWorldInvInertia(): SdpMatrix3 {
    const frame = product(this.rotation(), this.principalInertiaLocalFrame());
    return turnedMatrix(this.invPrincipalInertia(), frame, this.#freeTurns());
  }

  effectiveAngularInertia(): SdpMatrix3 {
    return inverseOf(this.effectiveWorldInvInertia(), this.#freeTurns());
  }

  #freeTurns(): Free {
    if (!this.isDynamic()) return STUCK;
    const [x, y, z] = this.freedom.rotations;
    return { x, y, z };
  }

  #estimate(): { readonly mass: number; readonly center: Vector } {
    let mass = this.ownMass;
    const center = { x: 0, y: 0, z: 0 };
    for (let index = 0; index < this.numColliders(); index++) {
      const collider = this.collider(index);
      if (collider?.isEnabled() !== true) continue;
      const at = collider.translationWrtParent() ?? center;
      const own = collider.mass();
      mass += own;
      center.x += own * at.x;
      center.y += own * at.y;
      center.z += own * at.z;
    }
    const factor = mass === 0 ? 0 : 1 / mass;
    return {
      mass,
      center: { x: center.x * factor, y: center.y * factor, z: center.z * factor },
    };
  }
}

const vectorAt = (row: Float64Array, index: number): Vector => ({
  x: row[index] as number,
  y: row[index + 1] as number,
  z: row[index + 2] as number,
});
