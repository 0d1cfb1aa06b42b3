/**
 * Effects of the simulation's events: sparks of hard contacts, flashes of sensors.
 *
 *     const effects = new Effects(scene);          once, with the view
 *     effects.connect(simulation);                 with every simulation that was started
 *     effects.show(description);                   with every scene, when the view shows it
 *     effects.update(frameMs);                     once a frame, after `simulation.sample` and
 *     before drawing
 *
 * Events arrive when the display shows their tick, so effects match the frame. Nothing here affects
 * the simulation.
 */
import { Group, type Object3D } from 'three';
import type {
  ContactForceEvent,
  SensorEvent,
  SimulationHandle,
} from '../../../src/render-main/index.js';
import type { SceneDescription } from '../../contract/scene-contract.js';
import { Flashes } from './flashes.js';
import { Sparks } from './sparks.js';

/** Longer intervals are not frames: the page was hidden or frozen. */
const MAX_FRAME_SECONDS = 0.1;
/** Forces in kN: barely visible, and the maximum. Scenes span four powers of ten. Lengths are m, masses t. */
const FORCE = { min: 1, max: 3000 } as const;

export class Effects {
  /** Everything that is drawn. */
  readonly root: Object3D = new Group();
  readonly #sparks = new Sparks();
  readonly #flashes = new Flashes();
  #unsubscribe: readonly (() => void)[] = [];
  #lastFrameMs = Number.NaN;

  /** @param scene Gets {@link root}. */
  constructor(scene: Object3D) {
    this.root.add(this.#sparks.points, this.#flashes.root);
    scene.add(this.root);
  }

  /** Something flies or glows: the next frame differs even if no body moves. */
  get isMoving(): boolean {
    return this.#sparks.alive > 0 || this.#flashes.lit > 0;
  }

  /** Follows the events of a simulation instead of those of the previous one. */
  connect(simulation: Pick<SimulationHandle, 'on'>): void {
    this.#disconnect();
    this.clear();
    this.#unsubscribe = [
      simulation.on('contactForce', (event) => this.#onHit(event)),
      simulation.on('sensor', (event) => this.#onSensor(event)),
    ];
  }

  /** Clears all effects, and finds the sensors of a scene. */
  show(description: SceneDescription): void {
    this.clear();
    this.#flashes.show(description);
  }

  /** @param frameMs The frame's time stamp, in ms. */
  update(frameMs: number): void {
    const elapsedSeconds = (frameMs - this.#lastFrameMs) / 1000;
    this.#lastFrameMs = frameMs;
    // Also false for the first frame.
    const dt = elapsedSeconds > 0 ? Math.min(MAX_FRAME_SECONDS, elapsedSeconds) : 0;
    this.#sparks.update(dt);
    this.#flashes.update(dt);
  }

  /** Ends all effects, as when another scene or moment is shown. The sensors stay known. */
  clear(): void {
    this.#sparks.clear();
    this.#flashes.clear();
  }

  #disconnect(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
  }

  #onHit({ force, x, y, z }: ContactForceEvent): void {
    if (!Number.isFinite(x + y + z + force)) return;
    // By the order of magnitude.
    const share = Math.log(force / FORCE.min) / Math.log(FORCE.max / FORCE.min);
    this.#sparks.burst(x, y, z, Math.min(1, Math.max(0, share)));
  }

  #onSensor({ phase, sensor, isLate }: SensorEvent): void {
    // Contacts that existed before are no events.
    if (phase === 'enter' && !isLate) this.#flashes.flash(sensor, 1);
  }
}
