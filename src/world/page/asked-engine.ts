/** An engine that handles and worlds ask, the page's own or that of the tick that runs: questions, and callbacks within them. */
import type { ShapeData } from '../shared/shape-data.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { WorldShapes } from '../worker/world-shapes.js';

export type EngineWorld = InstanceType<Rapier['World']>;
export type EngineBody = InstanceType<Rapier['RigidBody']>;
export type EngineCollider = InstanceType<Rapier['Collider']>;
export type RapierShape = InstanceType<Rapier['Shape']>;

export abstract class AskedEngine {
  protected abstract readonly world: EngineWorld;
  protected readonly shapes: WorldShapes;
  readonly #engineShapes = new WeakMap<ShapeData, RapierShape>();
  /** Questions that are being answered: more than one if a predicate asks. */
  #depth = 0;
  /** The error of a predicate of the current question: the engine would swallow it. */
  #thrown: { readonly error: unknown } | undefined;

  constructor(shapes: WorldShapes) {
    this.shapes = shapes;
  }

  /** Undefined for what the engine has not: it was removed, or made by a predicate. */
  abstract bodyOf(handle: number): EngineBody | undefined;
  /** Undefined for what the engine has not: it was removed, or made by a predicate, or could not be made. */
  abstract colliderOf(handle: number): EngineCollider | undefined;
  /** The page's collider. */
  abstract pageOf(collider: EngineCollider): { readonly handle: number };
  /** Asks about one body, while others may be where they were. @returns Undefined for what the engine has not. */
  abstract askBody<T>(handle: number, question: (body: EngineBody) => T): T | undefined;
  /**
   * Has the engine know the contacts of a collider with all others.
   *
   * @returns Undefined for what the engine has not.
   */
  abstract touch(handle: number): EngineCollider | undefined;
  /** Called before a question that is in no other. */
  protected abstract prepare(): void;

  shapeOf(shape: ShapeData): RapierShape {
    const made = this.#engineShapes.get(shape) ?? this.shapes.make(shape);
    this.#engineShapes.set(shape, made);
    return made;
  }

  protected get depth(): number {
    return this.#depth;
  }

  /**
   * Asks the engine.
   *
   * @throws whatever a predicate throws.
   */
  ask<T>(question: (world: EngineWorld) => T): T {
    if (this.#depth === 0) this.prepare();
    const outer = this.#thrown;
    this.#thrown = undefined;
    this.#depth += 1;
    try {
      const answer = question(this.world);
      const thrown = this.#thrown as { readonly error: unknown } | undefined;
      if (thrown !== undefined) throw thrown.error;
      return answer;
    } finally {
      this.#depth -= 1;
      this.#thrown = outer;
    }
  }

  /** A callback of the page as one of the engine. An error that it throws reaches the caller of the question, which ends. */
  callback<A>(call: (item: A) => unknown): (item: A) => boolean {
    return (item) => {
      if (this.#thrown !== undefined) return false;
      try {
        return call(item) as boolean;
      } catch (error) {
        this.#thrown = { error };
        return false;
      }
    };
  }

  /** A predicate about the page's colliders as one about the engine's. */
  predicate(
    predicate: ((collider: never) => boolean) | null | undefined,
  ): ((collider: EngineCollider) => boolean) | undefined {
    if (typeof predicate !== 'function') return undefined;
    return this.callback((collider: EngineCollider) => predicate(this.pageOf(collider) as never));
  }
}
