/**
 * One hold of one body, from the press to the release.
 *
 *     press      ray hits a drawn body ── grab(ray) ──────────► a tick casts the ray itself
 *     frames     pointer's point ┄ waits for the answer         ◄── Grab, or nothing there
 *                pointer's point ── drag(point), one at a time ► the next tick, which confirms it
 *     release    ── release() ────────────────────────────────► after all that was sent before
 *
 * Timed commands keep their order, so a release sent before the answer to its grab still takes
 * effect after it. While the simulation is paused no tick answers: the line follows the pointer all
 * the same, and the body follows in the next ticks.
 */
import { Ray, Vector3 } from 'three';
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { Grab, Vector } from '../../contract/scene-contract.js';
import type { DemoSimulation } from '../start-simulation.js';
import type { DemoView } from './demo-view.js';
import type { Pick } from './picker.js';
import type { Viewport } from './split-view.js';

/** Shorter pointer moves are ignored, in metres. */
const MIN_MOVE = 1e-4;

const forward = new Vector3();
const offset = new Vector3();
const point = new Vector3();
const ray = new Ray();

export interface DragParts {
  readonly view: DemoView;
  readonly simulation: DemoSimulation;
  readonly pointerId: number;
  readonly viewport: Viewport;
  readonly pick: Pick;
  readonly onError: (error: unknown) => void;
  /** Called when nothing is held any more, for any other reason than `release` and `onMissed`. */
  readonly onLost: () => void;
  /** Called when the worker found nothing to hold. */
  readonly onMissed: () => void;
}

export class DragSession {
  readonly pointerId: number;
  readonly #parts: DragParts;
  readonly #description: unknown;
  readonly #sent = new Vector3(Number.NaN, 0, 0);
  /** Distance of the held point from the camera, along its view. */
  #depth = 0;
  #grab: Grab | undefined;
  #isTied = false;
  #isSending = false;
  #hasEnded = false;

  /** @param origin Of the ray through the pointer, and its `direction`. */
  constructor(parts: DragParts, { origin, direction }: Ray) {
    this.pointerId = parts.pointerId;
    this.#parts = parts;
    this.#description = parts.view.description;
    this.#setDepth(parts.pick.point);
    const { commands } = parts.simulation;
    commands.grab(origin.toArray(), direction.toArray()).then(this.#onAnswer, this.#fail);
  }

  /**
   * Pulls the body to the pointer. Call it once a frame: the camera may move under a resting
   * pointer.
   *
   * @param frame The sampled frame.
   */
  move(clientX: number, clientY: number, frame: SampledFrame): void {
    const { view, viewport, pick } = this.#parts;
    if (this.#hasEnded) return;
    // The body's scene is gone. A hold that no tick has taken yet would otherwise apply to the new
    // one.
    if (view.description !== this.#description) {
      this.release();
      this.#parts.onLost();
      return;
    }
    if (!this.#isTied) {
      this.#isTied = true;
      view.grabLine.tie(pick.id, pick.point, frame);
    }
    const { origin, direction } = view.rayAt(clientX, clientY, viewport, ray);
    viewport.camera.getWorldDirection(forward);
    const along = this.#depth / Math.max(0.05, direction.dot(forward));
    point.copy(origin).addScaledVector(direction, along);
    view.grabLine.setEnd(point);
    if (this.#grab !== undefined && !this.#isSending) this.#send(point);
  }

  /** Releases the body. */
  release(): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#parts.simulation.commands.release().catch(this.#parts.onError);
  }

  readonly #onAnswer = (grab: Grab | undefined): void => {
    if (this.#hasEnded) return;
    if (grab === undefined) {
      // The body moved out of the ray between the frame and the tick, or it cannot be held.
      this.#end();
      this.#parts.onMissed();
      return;
    }
    this.#grab = grab;
    this.#setDepth(offset.set(...grab.point));
    // The worker's ray hit another body than the frame showed: the line goes there.
    const { pick, view } = this.#parts;
    if (grab.id !== pick.id) view.grabLine.tie(grab.id, offset, this.#parts.simulation.latest);
  };

  #setDepth(held: Vector3): void {
    const { camera } = this.#parts.viewport;
    camera.getWorldDirection(forward);
    this.#depth = point.subVectors(held, camera.position).dot(forward);
  }

  #send(target: Vector3): void {
    if (target.distanceTo(this.#sent) < MIN_MOVE) return;
    this.#sent.copy(target);
    this.#isSending = true;
    const vector: Vector = [target.x, target.y, target.z];
    this.#parts.simulation.commands.drag(vector).then(() => {
      this.#isSending = false;
    }, this.#fail);
  }

  readonly #fail = (error: unknown): void => {
    if (!this.#hasEnded) {
      // A worker that replaces a failed one holds the body again.
      this.release();
      this.#parts.onLost();
    }
    this.#parts.onError(error);
  };

  #end(): void {
    this.#hasEnded = true;
    this.#parts.view.grabLine.hide();
  }
}
