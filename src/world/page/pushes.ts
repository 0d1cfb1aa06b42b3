/**
 * Impulses that no state shows yet. The engine adds them to velocities at once, so the page reads them at once, too: what looks
 * at a velocity in each frame and corrects it would correct the same error twice when two frames fall into one tick.
 */
import { ZERO, cross, type Vector } from '../../shared/util/vectors.js';
import { AXES, isWhole } from '../shared/partial-vector.js';
import type { EngineBody } from './asked-engine.js';

export interface Push {
  readonly impulse?: Vector;
  readonly torque?: Vector;
  /** Where the impulse acts, in the world. Default: at the center of mass. */
  readonly point?: Vector;
}

export interface Velocities {
  readonly linvel: Vector;
  readonly angvel: Vector;
}

/** The pushes of a batch. */
interface PendingPushes {
  readonly batch: number;
  /** The sum of impulses, but 0 along axes whose velocity was set since. */
  readonly linear: Vector;
  /** The sum of what turns the body, about the origin of the world; and of the impulses in it. 0 if its angular velocity was set since. */
  angular: Vector;
  atPoints: Vector;
}

export class Pushes {
  #pending: PendingPushes[] = [];
  /** Undefined whenever the pending pushes have changed. */
  #sum: Velocities | undefined;

  add({ impulse = ZERO, torque = ZERO, point }: Push, batch: number): void {
    let last = this.#pending.at(-1);
    if (last?.batch !== batch) {
      last = { batch, linear: { ...ZERO }, angular: { ...ZERO }, atPoints: { ...ZERO } };
      this.#pending.push(last);
    }
    addTo(last.linear, impulse);
    addTo(last.angular, torque);
    if (point !== undefined) {
      addTo(last.angular, cross(point, impulse));
      addTo(last.atPoints, impulse);
    }
    this.#sum = undefined;
  }

  /** A velocity was set. @param value A component that is NaN was not set. */
  replace(name: keyof Velocities, value: Readonly<Vector>): void {
    for (const pushes of this.#pending) {
      if (name === 'linvel') {
        for (const axis of AXES) if (!Number.isNaN(value[axis])) pushes.linear[axis] = 0;
      } else if (isWhole(value)) {
        pushes.angular = { ...ZERO };
        pushes.atPoints = { ...ZERO };
      }
    }
    this.#sum = undefined;
  }

  /** Forgets what the newest state shows. @param batch The newest batch that it has. @returns Whether any are left. */
  confirm(batch: number): boolean {
    const first = this.#pending[0];
    if (first === undefined || first.batch > batch) return first !== undefined;
    this.#pending = this.#pending.filter((pushes) => pushes.batch > batch);
    this.#sum = undefined;
    return this.#pending.length > 0;
  }

  /** How all pending pushes change the velocities. */
  sum(body: EngineBody): Velocities {
    this.#sum ??= this.#add(body);
    return this.#sum;
  }

  #add(body: EngineBody): Velocities {
    const center = body.worldCom();
    const inverse = body.effectiveInvMass();
    const { m11, m12, m13, m22, m23, m33 } = body.effectiveWorldInvInertia();
    const impulse = { x: 0, y: 0, z: 0 };
    const torque = { x: 0, y: 0, z: 0 };
    for (const { linear, angular, atPoints } of this.#pending) {
      addTo(impulse, linear);
      addTo(torque, angular);
      addTo(torque, cross(atPoints, center));
    }
    const { x, y, z } = torque;
    return {
      linvel: { x: impulse.x * inverse.x, y: impulse.y * inverse.y, z: impulse.z * inverse.z },
      angvel: {
        x: m11 * x + m12 * y + m13 * z,
        y: m12 * x + m22 * y + m23 * z,
        z: m13 * x + m23 * y + m33 * z,
      },
    };
  }
}

export function addTo(sum: Vector, { x, y, z }: Readonly<Vector>): void {
  sum.x += x;
  sum.y += y;
  sum.z += z;
}
