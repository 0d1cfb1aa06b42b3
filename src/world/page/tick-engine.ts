/**
 * The engine of a world in the page's own thread, for hooks that run within its tick: what they read is the state of the tick,
 * with all that they have written.
 */
import type { StepTiming } from '../shared/world-batch.js';
import type { RunningTick } from '../worker/page-hooks.js';
import {
  AskedEngine,
  type EngineBody,
  type EngineCollider,
  type EngineWorld,
} from './asked-engine.js';
import { pageShapes } from './query-world.js';
import type { WorldLink } from './world-link.js';

export class TickEngine extends AskedEngine {
  readonly tick: RunningTick;
  readonly #link: WorldLink;
  #timing: StepTiming = 'before';
  /** Whether the engine steps, and asks filters. */
  #isStepping = false;

  constructor(tick: RunningTick, link: WorldLink) {
    super(pageShapes(tick.rapier));
    this.tick = tick;
    this.#link = link;
  }

  protected get world(): EngineWorld {
    return this.tick.world;
  }

  /** Calls hooks: until it returns, handles read and write this engine. */
  run(timing: StepTiming, call: () => void): void {
    const link = this.#link;
    this.#timing = timing;
    link.running = this;
    link.noteNewPoses();
    try {
      call();
    } finally {
      this.apply();
      link.batches.endWithin();
      link.running = undefined;
      link.noteNewPoses();
    }
  }

  protected prepare(): void {
    this.apply();
  }

  /** Applies what was written until now. Not within a question: the engine must not be changed while it calls back. */
  apply(): void {
    if (this.depth === 0) this.#link.batches.applyWithin(this.tick, this.#timing);
  }

  /** Asks filters: they may read where bodies were before the step, and nothing else of the engine, which steps. */
  answer<T>(ask: () => T): T {
    const link = this.#link;
    this.#isStepping = true;
    link.running = this;
    try {
      return ask();
    } finally {
      link.running = undefined;
      this.#isStepping = false;
    }
  }

  override ask<T>(question: (world: EngineWorld) => T): T {
    this.requireIdle();
    return super.ask(question);
  }

  /** @throws Error within the engine's step. */
  requireIdle(): void {
    if (!this.#isStepping) return;
    throw new Error(
      'a filter runs within the step of the engine: it may read where bodies are, and neither change anything nor ask for more. ' +
        'Let beforeStep (useBeforePhysicsStep) note what it needs',
    );
  }

  bodyOf(handle: number): EngineBody | undefined {
    if (this.#isStepping) return this.#bodyBefore(handle);
    if (!this.#link.batches.leavesBody(handle)) this.apply();
    return this.tick.bodyOf(handle);
  }

  /** Another kind of body: whatever else is called of it is refused. */
  #bodyBefore(handle: number): EngineBody | undefined {
    const pose = this.tick.publishedPose(handle);
    if (pose === undefined) return undefined;
    const { x, y, z, qx, qy, qz, qw } = pose;
    const known: Partial<EngineBody> = {
      translation: () => ({ x, y, z }),
      rotation: () => ({ x: qx, y: qy, z: qz, w: qw }),
    };
    return new Proxy(known as EngineBody, {
      get: (body, name, receiver) => {
        if (!(name in body)) this.requireIdle();
        return Reflect.get(body, name, receiver) as unknown;
      },
    });
  }

  colliderOf(handle: number): EngineCollider | undefined {
    return this.tick.colliderOf(handle);
  }

  pageOf(collider: EngineCollider): { readonly handle: number } {
    const handle = this.tick.handleOfCollider(collider);
    return this.#link.colliderOf(handle ?? 0) as { readonly handle: number };
  }

  askBody<T>(handle: number, question: (body: EngineBody) => T): T | undefined {
    const body = this.bodyOf(handle);
    return body && question(body);
  }

  touch(handle: number): EngineCollider | undefined {
    return this.colliderOf(handle);
  }
}
