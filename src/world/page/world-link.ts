/**
 * The parts of a world on the page share this: its contents, the open batch, the newest frame with the numbers that it has,
 * and the page's engine. Handles know nothing else of their world. Callers know the kinds of the items that it gives.
 */
import { warnOnce } from '../../shared/util/development.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import type { Kind, KindFields } from '../shared/setting-tables.js';
import { BatchSender, type Geometries } from './batch-sender.js';
import type { BodyHandle } from './body-handle.js';
import { isSameSetting, whatIs } from './checked-values.js';
import type { ColliderHandle } from './collider-handle.js';
import { OwnIntegrationParameters } from './integration-parameters.js';
import type { OpenBatch } from './open-batch.js';
import { PageContents, kindOf, type WorldItem } from './page-contents.js';
import type { AskedEngine } from './asked-engine.js';
import type { PageEngine } from './page-engine.js';
import type { TickEngine } from './tick-engine.js';
import { PageValues, type ValuesOf } from './page-values.js';
import type { QueriedContents } from './query-world.js';
import { SystemNames } from './system-handle.js';
import type { Vector } from '../../shared/util/vectors.js';
import type { WorldHandle } from './world-handle.js';

/** A handle of whatever kind. */
export type AnyItem = WorldItem & { isValid(): boolean };

/** Makes the page's engine, once it has loaded. */
export type MakeEngine = (contents: QueriedContents) => PageEngine;

let worlds = 0;

export interface LinkOptions {
  /** How many values are published with each state. */
  readonly values: number;
  /** Until the worker runs. */
  readonly tickRateHz: number;
  /** Names of the systems of the worker script. Undefined: the worker knows them. */
  readonly systems: readonly string[] | undefined;
  /** The page's engine, if it is asked for. */
  readonly engine: MakeEngine | Promise<MakeEngine> | undefined;
}

export class WorldLink implements QueriedContents {
  readonly contents = new PageContents();
  readonly batches: BatchSender;
  readonly ids = new BodyIds();
  readonly parameters: OwnIntegrationParameters;
  /** Number of the world among those of the page: warnings are given once for each. */
  readonly number = ++worlds;
  /** Undefined until the worker runs, and after the end. */
  simulation: WorldHandle | undefined;
  /** Has the assets of shapes. Undefined until the worker runs. */
  geometries: Geometries | undefined;
  /** The frame that was sampled last; undefined before the first. */
  frame: SampledFrame | undefined;
  /** The highest handle that something has or had. */
  lastHandle = 0;
  isDisposed = false;
  readonly systems: SystemNames;
  /** When the page's engine has loaded, if it is asked for. */
  readonly engineMade: Promise<void> | undefined;
  readonly #values: PageValues;
  readonly #hasQueries: boolean;
  /** Undefined: it has not loaded, or was not asked for. */
  #engine: PageEngine | undefined;
  /** Gravity of the whole world, as it was set last. */
  gravity: Readonly<Vector> = { x: 0, y: 0, z: 0 };
  /** The engine in the tick that runs, while hooks of the page run in it. */
  running: TickEngine | undefined;
  /** Whether what the page knows may be of another state than the one that its next change is for. */
  mayDiffer: () => boolean = () => false;
  /** Another number whenever other poses may be read. */
  revision = 0;

  constructor({ values, tickRateHz, systems, engine }: LinkOptions) {
    this.#values = new PageValues(values);
    this.systems = new SystemNames(systems);
    this.#hasQueries = engine !== undefined;
    this.batches = new BatchSender(({ ids }) => this.noteIds(ids));
    this.parameters = new OwnIntegrationParameters(
      this,
      () => this.simulation?.tickRateHz ?? tickRateHz,
    );
    if (typeof engine === 'function') this.#engine = engine(this);
    else {
      this.engineMade = engine?.then((make) => {
        this.#engine = make(this);
      });
      // Awaited when the run starts.
      this.engineMade?.catch(() => {});
    }
  }

  /** Whether what the page reads is that of a replay. */
  get isReplaying(): boolean {
    return this.simulation?.replay !== undefined;
  }

  has(kind: Kind, item: WorldItem): boolean {
    return this.contents.has(kind, item);
  }

  idOf(handle: number): BodyId | undefined {
    return this.ids.idOf(handle);
  }

  bodyOf(handle: number): BodyHandle | undefined {
    return this.contents.all('body').get(handle) as BodyHandle | undefined;
  }

  bodyWithId(id: BodyId): BodyHandle | undefined {
    return this.bodyOf(this.ids.handleOf(id) ?? this.simulation?.bodies.get(id) ?? 0);
  }

  colliderOf(handle: number): ColliderHandle | undefined {
    return this.contents.all('collider').get(handle) as ColliderHandle | undefined;
  }

  /** The handles of all bodies and colliders. */
  handles(): readonly number[] {
    return [...this.contents.all('body').keys(), ...this.contents.all('collider').keys()];
  }

  /** The colliders of a body, in the order in which they were created. */
  collidersOf(body: WorldItem): ReadonlySet<WorldItem> {
    return this.contents.dependents('collider', body);
  }

  /** The numbers that the newest state has of an item, or the tick that runs. */
  valuesOf(handle: number): ValuesOf {
    const { running } = this;
    if (running === undefined) return this.#values.of(this.frame, handle);
    // Looked through each time: the tick may give and take records.
    const { values } = running.tick;
    return this.#values.of({ newestValues: values, newestTick: Number.NaN }, handle);
  }

  /** @throws RangeError if no numbers are left that another item can publish. */
  requireValues(what: string, count: number): void {
    this.#values.require(what, this.contents.usedValues, count);
  }

  /** The open batch, to be changed; it is sent when the page's turn ends. */
  change(): OpenBatch {
    if (this.isDisposed) this.warnOfDisposed();
    this.running?.requireIdle();
    return this.batches.change();
  }

  /** Whether a value need not be sent: what it is set for has it. */
  hasValue(before: unknown, value: unknown): boolean {
    return isSameSetting(before, value) && !this.mayDiffer();
  }

  /** The fields of an item in the open batch, to be changed. Undefined: it was removed, which is reported once. */
  changeItem<K extends Kind>(kind: K, item: WorldItem): KindFields<K> | undefined {
    if (!this.has(kind, item)) {
      this.warnOfRemoved(kind, item);
      return undefined;
    }
    this.noteChange(item.handle);
    // Within a tick, calls count one after another, as in the engine.
    if (this.batches.changes(kind, item.handle)) this.running?.apply();
    return this.change().fieldsOf(kind, item.handle);
  }

  /** An item was made, changed or removed: the page's engine looks at it with its next answer. */
  noteChange(handle: number): void {
    this.#engine?.noteChange(handle);
  }

  /** Other poses may be read. */
  noteNewPoses(): void {
    this.revision += 1;
  }

  /** @param ids Handle and id of each body that is drawn from now on. */
  noteIds(ids: readonly number[]): void {
    const bodies = this.contents.all('body');
    for (let index = 0; index < ids.length; index += 2) {
      const handle = ids[index] as number;
      // The body may have been removed since.
      if (bodies.has(handle)) this.ids.set(handle, ids[index + 1] as BodyId);
    }
    this.noteNewPoses();
  }

  /** The run has jumped: bodies of another state, or of another run, may have other ids. */
  forgetState(simulation: WorldHandle): void {
    this.ids.clear();
    for (const [id, tag] of simulation.bodies) this.ids.set(tag, id);
    this.#values.forget();
    this.noteNewPoses();
  }

  get hasEngine(): boolean {
    return this.#engine !== undefined;
  }

  /**
   * The engine that answers: that of the tick that runs, or the page's.
   *
   * @throws As {@link pageEngine}.
   */
  engine(): AskedEngine {
    return this.running ?? this.pageEngine();
  }

  /** @throws Error until the page's engine has loaded, and if the world was created without. */
  pageEngine(): PageEngine {
    if (this.#engine !== undefined) return this.#engine;
    throw new Error(
      this.#hasQueries
        ? "the page's engine is loading: await world.ready before you ask the world"
        : 'this world answers no questions on the page: createWorld({ queries: true }), and await world.ready; ' +
            'in React, leave out queries={false} of <Physics>',
    );
  }

  /** The run has jumped: all answers so far are of another state. */
  forgetAnswers(): void {
    this.#engine?.forget();
  }

  dispose(): void {
    this.isDisposed = true;
    this.batches.stop();
    this.simulation = undefined;
    this.#engine?.free();
    this.#engine = undefined;
  }

  /**
   * @param name The name of an argument, for errors.
   * @returns The number of a handle; undefined if there is none, or it was removed.
   * @throws TypeError unless it is of this world.
   */
  handleIn(name: string, kind: Kind, item: AnyItem | null | undefined): number | undefined {
    if (item === undefined || item === null) return undefined;
    if (this.has(kind, item)) return item.handle;
    if (typeof item.isValid === 'function' && !item.isValid()) return undefined;
    throw new TypeError(`${name} must be a ${kind} of this world`);
  }

  /**
   * @param name The name of an argument, for errors.
   * @returns False: it was removed.
   * @throws TypeError unless it is of that kind. @throws Error if it is of another world.
   */
  isHere(kind: Kind, name: string, item: WorldItem): boolean {
    if (this.has(kind, item)) return true;
    const given = kindOf(item);
    if (given !== kind) {
      throw new TypeError(
        `${name} must be a ${kind} of this world, but is ${given === undefined ? whatIs(item) : `a ${given}`}`,
      );
    }
    if (!(item as AnyItem).isValid()) return false;
    throw new Error(`${name} is the ${kind} ${item.handle} of another world`);
  }

  /** @throws TypeError, Error unless this world has it. */
  requirePart(kind: Kind, name: string, part: WorldItem, ofWhat: string): void {
    if (this.isHere(kind, name, part)) return;
    throw new Error(`${ofWhat} cannot be made of the ${kind} ${part.handle}: it was removed`);
  }

  /** Reports the first item of each kind that is used after its removal. */
  warnOfRemoved(kind: Kind, { handle }: WorldItem): void {
    const what = `the ${kind} ${handle}`;
    warnOnce(
      `removed ${kind} of world ${this.number}`,
      `${what} was removed from its world, and a method of it was called: it does nothing. Drop references ` +
        'to what is removed',
    );
  }

  warnOfDisposed(): void {
    warnOnce(
      `the disposal of world ${this.number}`,
      'a world was sampled or changed after it was disposed, which does nothing. End the loop that ' +
        'draws it',
    );
  }
}

/** The ids of the bodies that are drawn, by their handles. */
class BodyIds {
  readonly #ids = new Map<number, BodyId>();
  readonly #handles = new Map<BodyId, number>();

  idOf(handle: number): BodyId | undefined {
    return this.#ids.get(handle);
  }

  handleOf(id: BodyId): number | undefined {
    return this.#handles.get(id);
  }

  set(handle: number, id: BodyId): void {
    this.delete(handle);
    this.#ids.set(handle, id);
    this.#handles.set(id, handle);
  }

  delete(handle: number): void {
    const id = this.#ids.get(handle);
    if (id === undefined) return;
    this.#ids.delete(handle);
    if (this.#handles.get(id) === handle) this.#handles.delete(id);
  }

  clear(): void {
    this.#ids.clear();
    this.#handles.clear();
  }
}
