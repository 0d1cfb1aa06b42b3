/** Time from an input to the picture in which a body reacts: an input turns the flight of the probes along z. */
import type { Contestant } from '../contestants/index.js';
import type { InputTimes } from '../engine/frame-log.js';
import { PROBE_SPEED } from '../scene/peer-scene.js';

/** Speed along z, in m/s, alternately in both directions. */
const SPEED = 5;
/** A reaction is a distance of more than this from the flight until then, in m: 0.1 ms of it. */
const REACTION = 1e-3;

export class InputMeter {
  readonly times = { readyMs: [] as number[], shownMs: [] as number[] } satisfies InputTimes;
  readonly #contestant: Contestant;
  readonly #worker: Worker;
  readonly #frameMs: number;
  /** When the input happened that the picture does not show yet; NaN: none. */
  #inputMs = Number.NaN;
  #speed = 0;
  /** Speed and a point of the flight before it. */
  #oldSpeed = 0;
  #x = Number.NaN;
  #z = Number.NaN;

  constructor(contestant: Contestant, displayHz: number) {
    this.#contestant = contestant;
    this.#frameMs = 1000 / displayHz;
    this.#worker = new Worker(new URL('./input-source.worker.ts', import.meta.url), {
      type: 'module',
    });
    this.#worker.onmessage = ({ data }: MessageEvent<number>) => this.#push(data);
  }

  /** After each frame's work. */
  look(stampMs: number): void {
    const [x, z] = this.#probe();
    const isTurned =
      Math.abs(z - this.#z - this.#oldSpeed * ((x - this.#x) / PROBE_SPEED)) > REACTION;
    if (Number.isNaN(this.#inputMs)) [this.#x, this.#z] = [x, z];
    if (Number.isNaN(this.#inputMs) || !isTurned) return;
    const nowMs = performance.now();
    const refreshMs = stampMs + Math.ceil((nowMs - stampMs) / this.#frameMs) * this.#frameMs;
    this.times.readyMs.push(nowMs - this.#inputMs);
    this.times.shownMs.push(refreshMs - this.#inputMs);
    this.#inputMs = Number.NaN;
    [this.#x, this.#z] = [x, z];
  }

  stop(): void {
    this.#worker.terminate();
  }

  #push(atMs: number): void {
    // One at a time, and none before the first frame.
    if (!Number.isNaN(this.#inputMs) || Number.isNaN(this.#x)) return;
    this.#oldSpeed = this.#speed;
    this.#speed = this.#speed > 0 ? -SPEED : SPEED;
    this.#inputMs = atMs - performance.timeOrigin;
    this.#contestant.push(this.#speed);
  }

  #probe(): [x: number, z: number] {
    const contestant = this.#contestant;
    const z = contestant.singleZ();
    return Number.isNaN(z)
      ? [contestant.instancedX(), contestant.instancedZ()]
      : [contestant.singleX(), z];
  }
}
