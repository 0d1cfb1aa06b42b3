/**
 * The engine of a world in the page's own thread, for hooks that run within its tick: what they read is the state of the tick,
 * with all that they have written.
 */
import type { ShapeData } from '../shared/shape-data.js';
import type { StepSide } from '../shared/world-batch.js';
import type { RunningTick } from '../worker/page-hooks.js';
import { WorldShapes } from '../worker/world-shapes.js';
import {
  AskedEngine,
  type EngineBody,
  type EngineCollider,
  type EngineWorld,
  type RapierShape,
} from './asked-engine.js';
import { NO_ASSETS } from './query-world.js';
import type { WorldLink } from './world-link.js';

export class TickEngine extends AskedEngine {
  readonly tick: RunningTick;
  readonly #link: WorldLink;
  readonly #shapes: WorldShapes;
  readonly #engineShapes = new WeakMap<ShapeData, RapierShape>();
  #side: StepSide = 'before';

  constructor(tick: RunningTick, link: WorldLink) {
    super();
    this.tick = tick;
    this.#link = link;
    this.#shapes = new WorldShapes(tick.rapier, NO_ASSETS);
  }

  protected get world(): EngineWorld {
    return this.tick.world;
  }

  /** Calls hooks: until it returns, handles read and write this engine. */
  run(side: StepSide, call: () => void): void {
    const link = this.#link;
    this.#side = side;
    link.running = this;
    link.noteMoment();
    try {
      call();
    } finally {
      this.prepare();
      link.running = undefined;
      link.noteMoment();
    }
  }

  /** Applies what was written until now. Not within a question: the engine must not be changed while it calls back. */
  protected prepare(): void {
    this.#link.batches.applyWithin(this.tick, this.#side);
  }

  bodyOf(handle: number): EngineBody | undefined {
    if (this.depth === 0) this.prepare();
    return this.tick.bodyOf(handle);
  }

  colliderOf(handle: number): EngineCollider | undefined {
    return this.tick.colliderOf(handle);
  }

  pageOf(collider: EngineCollider): { readonly handle: number } {
    const handle = this.tick.handleOfCollider(collider);
    return this.#link.colliderOf(handle ?? 0) as { readonly handle: number };
  }

  shapeOf(shape: ShapeData): RapierShape {
    const made = this.#engineShapes.get(shape) ?? this.#shapes.make(shape);
    this.#engineShapes.set(shape, made);
    return made;
  }

  askBody<T>(handle: number, question: (body: EngineBody) => T): T | undefined {
    const body = this.bodyOf(handle);
    return body && question(body);
  }

  touch(handle: number): EngineCollider | undefined {
    return this.colliderOf(handle);
  }
}
