/**
 * Effects of the simulation's events: sparks and sounds of hard contacts, flashes of sensors.
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
import type { BodyId } from '../../../src/shared/index.js';
import type {
  ContactForceEvent,
  SensorEvent,
  SimulationHandle,
} from '../../../src/render-main/index.js';
import type { BodyLook, SceneDescription } from '../../contract/scene-contract.js';
import { Flashes } from './flashes.js';
import type { SoundPlayer } from '../view/screen.js';
import { Sparks } from './sparks.js';
import { radiusOf, strengthOf } from './strength.js';

/** What effects need of a simulation. */
export type EventSource = Pick<SimulationHandle, 'on'>;

/** Effects so far, and those visible now. */
export interface EffectCounts {
  /** Hard contacts, and sensors that flashed, since the page was loaded. */
  readonly hits: number;
  readonly flashes: number;
  /** Now. */
  readonly sparks: number;
  readonly lit: number;
  readonly voices: number;
}

declare global {
  /** For the console: `betwixtEffects.counts`. Those of the newest view. */
  var betwixtEffects: Effects | undefined;
}

/** Longer intervals are not frames: the page was hidden or frozen. */
const MAX_FRAME_SECONDS = 0.1;
/** Radius of unknown bodies, such as balls that were shot, in metres. */
const UNKNOWN_RADIUS = 0.32;

export class Effects {
  /** Everything that is drawn. */
  readonly root: Object3D = new Group();
  readonly #sparks = new Sparks();
  readonly #flashes = new Flashes();
  readonly #sounds: SoundPlayer;
  readonly #radii = new Map<BodyId, number>();
  #unsubscribe: readonly (() => void)[] = [];
  #lastFrameMs = Number.NaN;
  #hits = 0;
  #flashed = 0;

  /** @param scene Gets {@link root}. */
  constructor(scene: Object3D, sounds: SoundPlayer) {
    this.#sounds = sounds;
    this.root.add(this.#sparks.points, this.#flashes.root);
    scene.add(this.root);
    globalThis.betwixtEffects = this;
  }

  get counts(): EffectCounts {
    return {
      hits: this.#hits,
      flashes: this.#flashed,
      sparks: this.#sparks.alive,
      lit: this.#flashes.lit,
      voices: this.#sounds.voices,
    };
  }

  /** Something flies or glows: the next frame differs even if no body moves. */
  get isMoving(): boolean {
    return this.#sparks.alive > 0 || this.#flashes.lit > 0;
  }

  /** Follows the events of a simulation instead of those of the previous one. */
  connect(simulation: EventSource): void {
    this.#disconnect();
    this.clear();
    this.#unsubscribe = [
      simulation.on('contactForce', (event) => this.#onHit(event)),
      simulation.on('sensor', (event) => this.#onSensor(event)),
    ];
  }

  /** Clears all effects, and finds the sensors and the sizes of a scene. */
  show(description: SceneDescription): void {
    this.clear();
    this.#flashes.show(description);
    this.#radii.clear();
    for (const look of description.bodies) this.addBody(look);
  }

  /** Adds a body that came later: its size decides how it sounds. */
  addBody(look: BodyLook): void {
    this.#radii.set(look.id, radiusOf(look));
  }

  /**
   * Makes a sensor flash, as its event does.
   *
   * @param strength 0 to 1.
   */
  flash(sensor: number, strength: number): void {
    if (this.#flashes.flash(sensor, strength)) this.#flashed += 1;
  }

  /** @param frameMs The frame's time stamp, in ms. */
  update(frameMs: number): void {
    const elapsedSeconds = (frameMs - this.#lastFrameMs) / 1000;
    this.#lastFrameMs = frameMs;
    // Also false for the first frame.
    const dt = elapsedSeconds > 0 ? Math.min(MAX_FRAME_SECONDS, elapsedSeconds) : 0;
    this.#sparks.update(dt);
    this.#flashes.update(dt);
    this.#sounds.beginFrame();
  }

  /** Ends all effects, as when another scene or moment is shown. The sensors stay known. */
  clear(): void {
    this.#sparks.clear();
    this.#flashes.clear();
  }

  /** Takes everything away. */
  dispose(): void {
    this.#disconnect();
    this.#sparks.dispose();
    this.#flashes.dispose();
    this.root.removeFromParent();
    if (globalThis.betwixtEffects === this) globalThis.betwixtEffects = undefined;
  }

  #disconnect(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
  }

  #onHit({ a, b, force, x, y, z }: ContactForceEvent): void {
    if (!Number.isFinite(x + y + z + force)) return;
    const strength = strengthOf(force);
    this.#hits += 1;
    this.#sparks.burst(x, y, z, strength);
    // The smaller of the two rings: the larger one dampens.
    this.#sounds.hit(strength, Math.min(this.#radiusOf(a), this.#radiusOf(b)));
  }

  #onSensor({ phase, sensor, isLate }: SensorEvent): void {
    // Contacts that existed before are no events.
    if (phase !== 'enter' || isLate) return;
    this.flash(sensor, 1);
    this.#sounds.ping(sensor);
  }

  #radiusOf(body: BodyId | undefined): number {
    return body === undefined ? Infinity : (this.#radii.get(body) ?? UNKNOWN_RADIUS);
  }
}
