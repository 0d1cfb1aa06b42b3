/**
 * A scene's reports to the page: hard hits, and bodies that pass its sensors.
 *
 * Rapier reports a contact's force in every tick, and in stacks forces are large although nothing
 * happens. So a hit is reported only in its first tick, and a common load is not reported.
 */
import type { Collider, RigidBody } from '@dimforge/rapier3d-simd-compat';
import { slotOf, type BodyId, type Json } from '../../src/shared/index.js';
import type { Events } from '../../src/sim-worker/index.js';
import { RapierEvents, type Rapier, type RapierWorld } from '../../src/rapier/rapier.js';

/** How hard a hit must be to be reported to the page. */
export interface HitLimit {
  /** Change of speed within a step, in m/s. */
  readonly speed: number;
  /** In weights of the body: the load that it may carry without that being a hit. */
  readonly load: number;
}

export const DEFAULT_HIT: HitLimit = { speed: 4, load: 15 };

/** Receives the events: a simulation's `context.events`. */
export type SceneReporter = Pick<Events, 'run' | 'contact' | 'contactForce' | 'sensor' | 'sleep'>;

/** For a scene whose events are not reported. */
export const SILENT_REPORTER: SceneReporter = {
  run: 0,
  contact: () => false,
  contactForce: () => {},
  sensor: () => false,
  sleep: () => {},
};

/** A type and no interface, so that it counts as plain data. */
type SavedEvents = { readonly dt: number };

interface Watched {
  readonly limit: HitLimit;
  /** Mass of the whole body, in t. */
  readonly mass: number;
}

const GRAVITY = 9.81;
/** The step before the first, until the real one is known. */
const DEFAULT_STEP_SECONDS = 1 / 60;
/** Used in keys of pairs for "no body": more than any slot. */
const NO_BODY = 2 ** 25;

export class SceneEvents {
  readonly #physics: RapierWorld;
  readonly #reporter: SceneReporter;
  readonly #events: RapierEvents;
  /** By the collider's handle. */
  readonly #watched = new Map<number, Watched>();
  #pressing = new Set<number>();
  #pressedBefore = new Set<number>();
  #dt = DEFAULT_STEP_SECONDS;

  constructor(rapier: Rapier, physics: RapierWorld, reporter: SceneReporter) {
    this.#physics = physics;
    this.#reporter = reporter;
    this.#events = new RapierEvents(rapier, physics, this.#createFilter());
  }

  /** Reports hits of a body from now on. Its colliders must exist already. */
  watchHits(rigidBody: RigidBody, limit: HitLimit = DEFAULT_HIT): void {
    for (const collider of this.#remember(rigidBody, limit)) {
      this.#events.watchForces(collider, this.#thresholdOf(collider.handle));
    }
  }

  /**
   * Recognizes a body that was watched when its world was saved. The world has kept the settings,
   * and must not be touched: saving it again must give the same bytes.
   */
  rewatchHits(rigidBody: RigidBody, limit: HitLimit = DEFAULT_HIT): void {
    this.#remember(rigidBody, limit);
  }

  /** Makes a collider a sensor: the page flashes the mark with its number when a body enters. */
  addSensor(collider: Collider, sensor: number): void {
    this.#events.sensor(collider, sensor);
  }

  /** The same hit makes a greater force in a shorter step. */
  adaptTo(dt: number): void {
    this.#dt = dt;
    const { world } = this.#physics;
    for (const handle of this.#watched.keys()) {
      const collider = world.getCollider(handle) as Collider | null;
      if (collider?.handle === handle) {
        collider.setContactForceEventThreshold(this.#thresholdOf(handle));
      } else {
        this.#watched.delete(handle);
      }
    }
  }

  /** Call it after each step. */
  drain(): void {
    this.#events.drain();
    const spare = this.#pressedBefore;
    this.#pressedBefore = this.#pressing;
    this.#pressing = spare;
    spare.clear();
  }

  save(): Json {
    return { dt: this.#dt } satisfies SavedEvents;
  }

  /** The contents of sensors are determined again in the next step. */
  restore(saved: Json): void {
    this.#dt = (saved as SavedEvents).dt;
    this.#pressing.clear();
    this.#pressedBefore.clear();
  }

  /** Frees the engine's memory. */
  free(): void {
    this.#events.free();
  }

  #remember(rigidBody: RigidBody, limit: HitLimit): readonly Collider[] {
    const colliders = Array.from({ length: rigidBody.numColliders() }, (_, index) =>
      rigidBody.collider(index),
    );
    // The engine sums them up only in its next step.
    const mass = colliders.reduce((sum, collider) => sum + collider.mass(), 0);
    for (const { handle } of colliders) this.#watched.set(handle, { limit, mass });
    return colliders;
  }

  #thresholdOf(handle: number): number {
    const watched = this.#watched.get(handle);
    if (watched === undefined) return Infinity;
    const { limit, mass } = watched;
    return mass * Math.max(limit.speed / this.#dt, limit.load * GRAVITY);
  }

  /** Queue of the engine's events on their way to the page. */
  #createFilter(): SceneReporter {
    const reporter = this.#reporter;
    return {
      get run() {
        return reporter.run;
      },
      contact: (...touch) => reporter.contact(...touch),
      contactForce: (a, b, ...where) => {
        const pair = pairKey(slotKey(a), slotKey(b));
        this.#pressing.add(pair);
        if (!this.#pressedBefore.has(pair)) reporter.contactForce(a, b, ...where);
      },
      sensor: (...change) => reporter.sensor(...change),
      sleep: (...change) => reporter.sleep(...change),
    };
  }
}

const slotKey = (body: BodyId | undefined): number => (body === undefined ? NO_BODY : slotOf(body));
const pairKey = (a: number, b: number): number => a * (NO_BODY + 1) + b;
