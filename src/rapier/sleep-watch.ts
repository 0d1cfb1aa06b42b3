/** Reports which bodies of the snapshot fell asleep or woke since the last tick, including those of other engines. */
import {
  BODY_ASLEEP,
  GENERATION_MASK,
  IDENTITY_MASK,
  bodyId,
  type BodyId,
} from '../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../shared/memory/layout.js';
import type { Bodies } from '../sim-worker/api/bodies.js';
import type { Events } from '../sim-worker/api/events.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';

const SLEEP_BITS = IDENTITY_MASK | BODY_ASLEEP;

export class SleepWatch {
  readonly #bodies: Bodies;
  readonly #reporter: Pick<Events, 'sleep'>;
  /** By slot: the body in it and whether it was asleep, as reported last. */
  readonly #slept: Int32Array;

  constructor(bodies: Bodies, reporter: Pick<Events, 'sleep'>) {
    this.#bodies = bodies;
    this.#reporter = reporter;
    this.#slept = new Int32Array(bodies.capacity);
  }

  report(isLate: boolean): void {
    const { lanes, bodyLimit } = registryOf(this.#bodies);
    for (let slot = 0; slot < bodyLimit; slot++) {
      const meta = (lanes[slot * BODY_LANES + LANE.meta] ?? 0) & SLEEP_BITS;
      const before = this.#slept[slot] ?? 0;
      if (meta === before) continue;
      this.#slept[slot] = meta;
      // A body that was removed asleep ends its sleep.
      if ((before & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, before), false);
      if ((meta & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, meta), true, isLate);
    }
  }

  /** Reports all sleeping bodies as awake. */
  end(): void {
    this.#used.forEach((meta, slot) => {
      if ((meta & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, meta), false, true);
    });
  }

  forget(): void {
    this.#used.fill(0);
  }

  /** Without the slots that no body ever had. */
  get #used(): Int32Array {
    return this.#slept.subarray(0, registryOf(this.#bodies).bodyLimit);
  }
}

function idOf(slot: number, meta: number): BodyId {
  return bodyId(slot, meta & GENERATION_MASK);
}
