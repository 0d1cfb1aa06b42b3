/** A world of rigid bodies that the page makes and a worker simulates. */
import type { Vector } from '../../shared/util/vectors.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import { isDevelopment, warnOnce } from '../../shared/util/development.js';
import type { BodyEvent } from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import { ofLibrary } from '../../render-main/util/library-handlers.js';
import { treeProblem, type JointEdge } from '../shared/joint-tree.js';
import {
  KIND_NAMES,
  type JointFields,
  type Kind,
  type KindFields,
  type WorldFields,
} from '../shared/world-fields.js';
import { Frame } from '../../render-main/frame/frame.js';
import type { SampledFrame } from '../../render-main/api/sampled-frame.js';
import type { SimulationStatus } from '../../render-main/api/simulation-status.js';
import { warnOfUnmet } from './unmet-pairs.js';
import { WorldQueries } from './world-queries.js';
import { CHARACTER_VALUE_COUNT } from '../shared/value-records.js';
import { publishedBy } from '../shared/vehicle-wheels.js';
import { BatchSender, type WorldNames, reportUnlessOver } from './batch-sender.js';
import { makeBody, type BodyHandle } from './body-handle.js';
import { BodyIds } from './body-ids.js';
import type { Character } from './character.js';
import type { CharacterDesc } from './character-desc.js';
import type { CharacterHandle } from './character-handle.js';
import { flag, vector } from './checked-values.js';
import type { Collider } from './collider.js';
import { fieldsOfCollider, type ColliderDesc } from './collider-desc.js';
import { makeCollider, type ColliderHandle } from './collider-handle.js';
import { RigidBodyType } from './constants.js';
import { settable } from './vectors.js';
import type { EngineBodyDesc, EngineColliderDesc, EngineJointData } from './engine-data.js';
import { partsOf } from './desc-parts.js';
import type { ImpulseJoint } from './impulse-joint.js';
import { EventRelay } from './event-relay.js';
import { fieldsOfJoint, type JointData } from './joint-data.js';
import { Geometries } from './geometries.js';
import { OwnIntegrationParameters } from './integration-parameters.js';
import { makeJoint } from './joint-handle.js';
import { kindOf, type Maker } from './make-handle.js';
import {
  makeMultibodyJoint,
  type MultibodyJoint,
  type MultibodyJointHandle,
} from './multibody-joint.js';
import type { OpenBatch } from './open-batch.js';
import { PageContents, setOf, type Thing } from './page-contents.js';
import { PageValues } from './page-values.js';
import type { PageEngine } from './page-engine.js';
import type { QueriedContents } from './query-world.js';
import { whatIs } from './required-desc.js';
import type { RigidBody } from './rigid-body.js';
import { RigidBodyDesc, fieldsOfBody } from './rigid-body-desc.js';
import { copyOfProps, makeSystem, type SystemHandle } from './system-handle.js';
import { SystemNames } from './system-names.js';
import type { Vehicle } from './vehicle.js';
import type { VehicleDesc } from './vehicle-desc.js';
import type { VehicleHandle } from './vehicle-handle.js';
import type { HandleSet } from './handle-set.js';
import type { WorldHandle } from './world-handle.js';
import type { World } from './world.js';
import { PairImpulses } from './pair-impulses.js';
import type { OnWorldEvent } from './world-events.js';
import { WorldFollower } from './world-follower.js';
import type { WorldLink } from './world-link.js';

let worlds = 0;
const pose = new Float64Array(7);
/** What a world shows before its worker runs. */
const NO_FRAME = new Frame();

/** Makes the page's engine, once it has loaded. */
export type MakeEngine = (contents: QueriedContents) => PageEngine;

/** A handle of whatever kind. */
export type AnyThing = Thing & { isValid(): boolean };

export class PageWorld extends WorldQueries implements World {
  /** Called when the page has what a jump of the run has led to. */
  onFollowed: (() => void) | undefined;
  /** While paused: bodies that the page has put somewhere, and that no state has. */
  unshown: readonly BodyHandle[] = [];
  readonly ready: Promise<WorldHandle>;
  readonly #contents = new PageContents();
  readonly #foreign = new WeakSet<object>();
  readonly #sender = new BatchSender(
    ({ ids }) => this.#noteIds(ids),
    () => {
      // No jump: what is lost would be lost again.
      if (this.#handle !== undefined) this.#ask(this.#handle);
    },
  );
  protected readonly link: WorldLink;
  readonly #follower = new WorldFollower(this.#contents, this.#sender, {
    make: (make, handle, parts, fields) => {
      this.#lastHandle = Math.max(this.#lastHandle, handle);
      const thing = make(this.link, handle, parts, { ...fields });
      this.#foreign.add(thing);
      return thing;
    },
    isReplaying: () => this.#handle?.replay !== undefined,
    geometry: () => this.#geometries,
    onWorld: ({ gravity = this.#gravity, ...parameters }) => {
      this.#gravity = gravity;
      this.integrationParameters.adopt(parameters);
    },
    onFollowed: () => {
      this.#engine?.forget();
      this.#impulses.forget();
    },
    onEnd: () => {
      if (!this.#isJumping) return;
      this.#isJumping = false;
      this.onFollowed?.();
    },
  });
  readonly #ids = new BodyIds();
  readonly #events = new EventRelay({
    collider: (handle) => this.#contents.getOrRemoved('collider', handle) as Collider | undefined,
    body: (id) => this.getRigidBody(this.#ids.handleOf(id) ?? this.#handle?.bodies.get(id) ?? 0),
  });
  #geometries: Geometries | undefined;
  #frame: SampledFrame | undefined;
  #handle: WorldHandle | undefined;
  #lastHandle = 0;
  readonly #number = ++worlds;
  #wasReplaying = false;
  /** Whether the run has jumped and the page does not know yet where to. */
  #isJumping = false;
  #isDisposed = false;
  #gravity: Vector;
  readonly integrationParameters: OwnIntegrationParameters;
  readonly #systemNames: SystemNames;
  readonly #values: PageValues;
  /** Undefined: it has not loaded, or there is none. */
  #engine: PageEngine | undefined;
  readonly #hasQueries: boolean;
  /** Another one whenever other poses may be read. */
  #moment = 0;
  #momentTick = Number.NaN;

  /**
   * @param fields What it begins with.
   * @param systems Names of those of the worker script. Undefined: the worker knows them.
   * @param values How many are published with each state.
   * @param tickRateHz Until the worker runs.
   * @param engine The page's engine, if it is asked for.
   */
  constructor(
    connected: Promise<WorldHandle>,
    fields: WorldFields & { readonly gravity: Vector },
    isStarted: boolean,
    systems: readonly string[] | undefined,
    values: number,
    tickRateHz: number,
    engine: MakeEngine | Promise<MakeEngine> | undefined,
  ) {
    super();
    this.#hasQueries = engine !== undefined;
    const engineMade =
      engine instanceof Promise ? engine.then((make) => this.#useEngine(make)) : undefined;
    // It is awaited below.
    engineMade?.catch(() => {});
    this.integrationParameters = new OwnIntegrationParameters(
      () => this.#change().world,
      () => this.#handle?.tickRateHz ?? tickRateHz,
    );
    this.#gravity = fields.gravity;
    this.#systemNames = new SystemNames(systems);
    this.#values = new PageValues(values);
    Object.assign(this.#sender.change().world, fields);
    this.link = this.#makeLink();
    if (typeof engine === 'function') this.#useEngine(engine);
    this.ready = connected.then(async (handle) => {
      if (!this.#systemNames.isKnown) await this.#learnSystems(handle);
      this.#geometries = new Geometries(await orDispose(handle, handle.openAssets()));
      if (engineMade !== undefined) await orDispose(handle, engineMade);
      return this.#begin(handle, this.#geometries, isStarted);
    });
  }

  /** Whether the page has changed something that the newest state does not have. */
  get isChangePending(): boolean {
    return this.#sender.isPending;
  }

  /** Whether the page has what a replay shows, or does not know yet what a jump has led to. */
  get isElsewhere(): boolean {
    const isReplaying = this.#wasReplaying || this.#handle?.replay !== undefined;
    return isReplaying || this.#isJumping;
  }

  /** Everything in it, in the order in which it was made. */
  get things(): readonly AnyThing[] {
    const things = KIND_NAMES.flatMap((kind) => Array.from(this.#contents.all(kind).values()));
    return things.toSorted(
      (a, b) => a.handle - b.handle,
    ) as readonly Thing[] as readonly AnyThing[];
  }

  /** Whether another page has made it, whose state or recording this one has. */
  isForeign(thing: object): boolean {
    return this.#foreign.has(thing);
  }

  /** What is made of something, and what of that. */
  madeOf(thing: Thing): readonly AnyThing[] {
    const all = [thing];
    // The list grows in the loop.
    for (const one of all) {
      for (const kind of KIND_NAMES) all.push(...this.#contents.dependents(kind, one));
    }
    return all.slice(1) as readonly Thing[] as readonly AnyThing[];
  }

  /** Removes it, of whatever kind it is. */
  discard(thing: Thing): void {
    this.#remove(kindOf(thing) as Kind, thing);
  }

  /** Called when the page changes something, once in each turn. */
  set onChange(callback: () => void) {
    this.#sender.onChange = callback;
  }

  set names(names: Partial<WorldNames>) {
    this.#sender.names = { ...this.#sender.names, ...names };
  }

  get gravity(): Vector {
    return settable(this.#gravity, (gravity) => this.#setGravity(gravity));
  }

  set gravity(gravity: Readonly<Vector>) {
    this.#setGravity(gravity);
  }

  get timestep(): number {
    return this.integrationParameters.dt;
  }

  set timestep(dt: number) {
    this.integrationParameters.dt = dt;
  }

  get lengthUnit(): number {
    return this.integrationParameters.lengthUnit;
  }

  set lengthUnit(value: number) {
    this.integrationParameters.lengthUnit = value;
  }

  get numSolverIterations(): number {
    return this.integrationParameters.numSolverIterations;
  }

  set numSolverIterations(value: number) {
    this.integrationParameters.numSolverIterations = value;
  }

  get numInternalPgsIterations(): number {
    return this.integrationParameters.numInternalPgsIterations;
  }

  set numInternalPgsIterations(value: number) {
    this.integrationParameters.numInternalPgsIterations = value;
  }

  get maxCcdSubsteps(): number {
    return this.integrationParameters.maxCcdSubsteps;
  }

  set maxCcdSubsteps(value: number) {
    this.integrationParameters.maxCcdSubsteps = value;
  }

  forEachRigidBody(callback: (body: RigidBody) => void): void {
    this.bodies.forEach(callback);
  }

  forEachActiveRigidBody(callback: (body: RigidBody) => void): void {
    for (const body of this.bodies.getAll()) {
      if (!body.isFixed() && body.isEnabled() && !body.isSleeping()) callback(body);
    }
  }

  forEachCollider(callback: (collider: Collider) => void): void {
    this.colliders.forEach(callback);
  }

  get bodies(): HandleSet<RigidBody> {
    return setOf(this.#contents.all('body'));
  }

  get colliders(): HandleSet<Collider> {
    return setOf(this.#contents.all('collider'));
  }

  get impulseJoints(): HandleSet<ImpulseJoint> {
    return setOf(this.#contents.all('joint'));
  }

  get multibodyJoints(): HandleSet<MultibodyJoint> {
    return setOf(this.#contents.all('multibodyJoint'));
  }

  get systems(): HandleSet<SystemHandle> {
    return setOf(this.#contents.all('system'));
  }

  createRigidBody(desc: RigidBodyDesc | EngineBodyDesc): RigidBody {
    const body = this.#create('body', [], fieldsOfBody(desc), makeBody) as BodyHandle;
    body.noteCreated(desc.userData);
    return body;
  }

  createCollider(desc: ColliderDesc | EngineColliderDesc, parent?: RigidBody): Collider {
    if (parent !== undefined) this.#require('body', 'parent', parent, 'a collider');
    const parts = parent === undefined ? [] : [parent];
    return this.#create('collider', parts, fieldsOfCollider(desc), makeCollider) as ColliderHandle;
  }

  createImpulseJoint<J extends ImpulseJoint>(
    data: JointData<J> | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): J {
    const bodies = [body1, body2];
    this.#require('body', 'body1', body1, 'a joint');
    this.#require('body', 'body2', body2, 'a joint');
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag(wakeUp) };
    return this.#create('joint', bodies, fields, makeJoint) as Thing as J;
  }

  system(name: string, props: Json = null): SystemHandle<never> {
    this.#systemNames.require(name);
    const fields = { name, props: copyOfProps(props) };
    return this.#create('system', [], fields, makeSystem) as Thing as SystemHandle<never>;
  }

  createCharacter(collider: Collider, desc: CharacterDesc): Character {
    this.#require('collider', 'collider', collider, 'a character');
    if (collider.parent()?.bodyType() !== RigidBodyType.KinematicPositionBased) {
      throw new Error(
        `the collider ${collider.handle} cannot be a character: it must be part of a kinematic body, ` +
          'of RigidBodyDesc.kinematicPositionBased()',
      );
    }
    this.#requireValues('character', CHARACTER_VALUE_COUNT);
    const { fields, make } = partsOf('CharacterDesc', desc);
    return this.#create('character', [collider], fields, make) as CharacterHandle;
  }

  removeCharacter(character: Character): void {
    this.#remove('character', character);
  }

  createVehicle(chassis: RigidBody, desc: VehicleDesc): Vehicle {
    this.#require('body', 'chassis', chassis, 'a vehicle');
    if (chassis.isFixed() || chassis.bodyType() === RigidBodyType.KinematicPositionBased) {
      throw new Error(
        `the body ${chassis.handle} cannot be a vehicle: it must be dynamic, of RigidBodyDesc.dynamic()`,
      );
    }
    const { fields, userData, make } = partsOf('VehicleDesc', desc);
    this.#requireValues('vehicle', publishedBy(userData.length));
    const { x, y, z } = chassis.translation();
    const wheel = RigidBodyDesc.kinematicPositionBased().setTranslation(x, y, z);
    const wheels = userData.map((data) => this.createRigidBody(wheel.setUserData(data)));
    return this.#create('vehicle', [chassis, ...wheels], fields, make) as VehicleHandle;
  }

  removeVehicle(vehicle: Vehicle): void {
    this.#remove('vehicle', vehicle);
  }

  removeSystem(system: SystemHandle<unknown>): void {
    this.#remove('system', system);
  }

  createMultibodyJoint(
    data: JointData | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): MultibodyJoint {
    const bodies = [body1, body2];
    this.#require('body', 'body1', body1, 'a multibody joint');
    this.#require('body', 'body2', body2, 'a multibody joint');
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag(wakeUp) };
    const edges = this.multibodyJoints
      .getAll()
      .map((joint): JointEdge => [joint.body1().handle, joint.body2().handle]);
    const problem = treeProblem(edges, [body1.handle, body2.handle]);
    if (problem !== undefined) throw new Error(problem);
    return this.#create(
      'multibodyJoint',
      bodies,
      fields,
      makeMultibodyJoint,
    ) as MultibodyJointHandle;
  }

  removeRigidBody(body: RigidBody): void {
    this.#remove('body', body);
    this.#ids.delete(body.handle);
  }

  removeCollider(collider: Collider): void {
    this.#remove('collider', collider);
  }

  removeImpulseJoint(joint: ImpulseJoint): void {
    this.#remove('joint', joint);
  }

  removeMultibodyJoint(joint: MultibodyJoint): void {
    this.#remove('multibodyJoint', joint);
  }

  getRigidBody(handle: number): RigidBody | undefined {
    return this.#contents.all('body').get(handle) as RigidBody | undefined;
  }

  getCollider(handle: number): Collider | undefined {
    return this.#contents.all('collider').get(handle) as Collider | undefined;
  }

  getImpulseJoint(handle: number): ImpulseJoint | undefined {
    return this.#contents.all('joint').get(handle) as ImpulseJoint | undefined;
  }

  getMultibodyJoint(handle: number): MultibodyJoint | undefined {
    return this.#contents.all('multibodyJoint').get(handle) as MultibodyJointHandle | undefined;
  }

  readonly on: OnWorldEvent = (name, handler, options) => this.#events.on(name, handler, options);
  readonly #impulses = new PairImpulses(this);

  protected impulseOf(a: Collider, b: Collider): number {
    return this.#impulses.of(a, b);
  }

  sample(frameMs: number): SampledFrame {
    if (this.#isDisposed) this.#warnOfDisposed();
    if (this.#handle === undefined) return NO_FRAME;
    this.#sender.flush();
    const frame = this.#handle.sample(frameMs) as Frame;
    this.#frame = frame;
    // The run continues from where a replay was closed, which is no jump.
    const isReplaying = this.#handle.replay !== undefined;
    if (this.#wasReplaying && !isReplaying) this.#follow(this.#handle);
    this.#wasReplaying = isReplaying;
    const { shownNumber } = this.#sender;
    // A recording may be of another run, with other batches.
    const lastBatch = isReplaying ? 0 : PageValues.lastBatchOf(frame);
    this.#sender.noteShown(frame.newestTick, lastBatch);
    if (frame.newestTick !== this.#momentTick || shownNumber !== this.#sender.shownNumber) {
      this.#momentTick = frame.newestTick;
      this.#moment += 1;
    }
    if (frame.paused && !isReplaying && this.isChangePending) this.#showPlaced(frame);
    else if (this.unshown.length > 0) this.unshown = [];
    return frame;
  }

  /** No tick comes that would show where the page has put bodies. */
  #showPlaced(frame: Frame): void {
    const unshown: BodyHandle[] = [];
    for (const body of this.#contents.all('body').values() as Iterable<BodyHandle>) {
      if (!body.isPlaced) continue;
      const { id } = body;
      if (id !== undefined && frame.newest(id, pose) !== undefined) {
        body.readPose(pose);
        frame.place(id, pose);
      } else unshown.push(body);
    }
    this.unshown = unshown;
  }

  get frame(): SampledFrame {
    return this.#frame ?? NO_FRAME;
  }

  /** @param callbacks What has changed something, if callbacks of steps have: see {@link BatchSender.flush}. */
  flush(callbacks?: 'before' | 'after'): void {
    this.#sender.flush(callbacks);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#sender.stop();
    this.#handle = undefined;
    this.#engine?.free();
    this.#engine = undefined;
    const handle = await this.ready.catch(() => undefined);
    this.#sender.stop();
    this.#handle = undefined;
    await handle?.dispose();
  }

  #useEngine(make: MakeEngine): void {
    const contents = this.#contents;
    this.#engine = make({
      body: (handle) => contents.all('body').get(handle) as BodyHandle | undefined,
      collider: (handle) => contents.all('collider').get(handle) as ColliderHandle | undefined,
      handles: () => [...contents.all('body').keys(), ...contents.all('collider').keys()],
      moment: () => this.#moment,
      timestep: () => this.timestep,
      lengthUnit: () => this.lengthUnit,
    });
  }

  #setGravity(gravity: Readonly<Vector>): void {
    this.#gravity = vector('gravity', gravity);
    this.#change().world.gravity = this.#gravity;
  }

  #requireEngine(): PageEngine {
    if (this.#engine !== undefined) return this.#engine;
    throw new Error(
      this.#hasQueries
        ? "the page's engine is loading: await world.ready before you ask the world"
        : 'this world answers no questions on the page: createWorld({ queries: true }), and await world.ready; ' +
            'in React, leave out queries={false} of <Physics>',
    );
  }

  #makeLink(): WorldLink {
    const hasEngine = (): boolean => this.#engine !== undefined;
    return {
      get hasEngine() {
        return hasEngine();
      },
      engine: () => this.#requireEngine(),
      batches: this.#sender,
      frame: () => this.#frame,
      has: (kind, thing) => this.#contents.has(kind, thing),
      change: (kind, thing) => {
        if (!this.#contents.has(kind, thing)) return this.#warnOfRemoved(kind, thing);
        this.#engine?.noteChange(thing.handle);
        return this.#change().fieldsOf(kind, thing.handle);
      },
      collidersOf: (body) => this.#contents.dependents('collider', body),
      colliderOf: (handle) => this.getCollider(handle),
      bodyOf: (handle) => this.getRigidBody(handle),
      valuesOf: (handle) => this.#values.of(this.#frame, handle),
      warnOfRemoved: (kind, thing) => this.#warnOfRemoved(kind, thing),
      idOf: (handle) => this.#ids.idOf(handle),
    };
  }

  /** @throws RangeError if one was created that the worker script does not have. */
  async #learnSystems(handle: WorldHandle): Promise<void> {
    this.#systemNames.learn(await handle.queries.systems());
    try {
      for (const { name } of this.systems.getAll()) this.#systemNames.require(name);
    } catch (error) {
      await handle.dispose();
      throw error;
    }
  }

  #begin(handle: WorldHandle, geometries: Geometries, isStarted: boolean): WorldHandle {
    this.#handle = handle;
    const onStatus = ({ kind }: SimulationStatus) => {
      if (['jumped', 'restarted', 'replaced'].includes(kind)) {
        this.#follow(handle);
        if (isDevelopment) this.#findUnmet(handle);
      }
      // Its script may be another one.
      if (kind === 'replaced') {
        handle.queries
          .systems()
          .then((names) => this.#systemNames.learn(names))
          .catch((error: unknown) => reportUnlessOver(handle, error));
      }
    };
    const nameOf = (tag: Json) =>
      typeof tag === 'number' ? this.#sender.names.nameOf('body', tag) : undefined;
    handle.on('status', ofLibrary(onStatus, nameOf));
    if (isDevelopment) {
      this.#findUnmet(handle);
      warnOfUnmet(handle, this.#number, (number) => this.getCollider(number));
    }
    // The answer to a batch that waits for its tick has no ids.
    const noteBody = ({ id, tag }: BodyEvent<number>): void => {
      if (this.#ids.idOf(tag) === undefined) this.#noteIds([tag, id]);
    };
    handle.on('spawn', noteBody, { when: 'now' });
    // What neither the page nor a jump has done, a recording has that is shown.
    handle.on('spawn', ({ id, tag }) => {
      if (this.#follower.noteSpawned(tag)) this.#changeElsewhere(handle);
      if (this.getRigidBody(tag) !== undefined) this.#ids.set(tag, id);
      this.#moment += 1;
    });
    handle.on('despawn', ({ id, tag }) => {
      if (this.#ids.idOf(tag) === id) this.#ids.delete(tag);
      if (this.getRigidBody(tag) !== undefined) this.#changeElsewhere(handle);
    });
    this.#events.start(handle);
    this.#sender.start(handle, geometries);
    // Not before: the first tick has what was created until now, however long the worker took to load.
    if (isStarted) handle.resume().catch((error: unknown) => reportUnlessOver(handle, error));
    return handle;
  }

  /** Nothing depends on it. */
  #findUnmet(handle: WorldHandle): void {
    handle.queries.findUnmet().catch(() => {});
  }

  /** The run has jumped. */
  #follow(handle: WorldHandle): void {
    this.#isJumping = true;
    this.#ask(handle);
  }

  /** A body has come or gone, which the page did not cause: in a replay, or by a system. */
  #changeElsewhere(handle: WorldHandle): void {
    this.#isJumping ||= handle.replay !== undefined;
    this.#follower.follow(handle);
  }

  /** What the page has may not be what the worker has. */
  #ask(handle: WorldHandle): void {
    // Bodies of another state, or of another run, may have other ids.
    this.#ids.clear();
    this.#moment += 1;
    this.#values.forget();
    for (const [id, tag] of handle.bodies) this.#ids.set(tag, id);
    this.#follower.follow(handle);
  }

  /** Once for each thing of each world. */
  #warnOfRemoved(kind: Kind, { handle }: Thing): undefined {
    const what = `the ${kind} ${handle}`;
    warnOnce(
      `${what} of world ${this.#number}`,
      `${what} was removed from its world, and a method of it was called: it does nothing. Drop references ` +
        'to what is removed',
    );
  }

  /** What is removed is not warned of: the parts of an application end in any order. */
  #change(): OpenBatch {
    if (this.#isDisposed) this.#warnOfDisposed();
    return this.#sender.change();
  }

  #warnOfDisposed(): void {
    warnOnce(
      `the disposal of world ${this.#number}`,
      'a world was sampled or changed after it was disposed, which does nothing. End the loop that ' +
        'draws it',
    );
  }

  #create<K extends Kind>(
    kind: K,
    parts: readonly Thing[],
    fields: KindFields<K>,
    make: Maker<K>,
  ): Thing {
    this.#lastHandle += 1;
    const thing = make(this.link, this.#lastHandle, parts, { ...fields });
    const numbers = parts.map(({ handle }) => handle);
    this.#contents.add(kind, thing, numbers);
    this.#change().create(kind, thing.handle, numbers, fields);
    this.#engine?.noteChange(thing.handle);
    return thing;
  }

  #remove(kind: Kind, thing: Thing): void {
    if (!this.#isHere(kind, kind === 'multibodyJoint' ? 'joint' : kind, thing)) {
      this.#warnOfRemoved(kind, thing);
      return;
    }
    const open = this.#sender.change();
    const removed = [thing];
    const parts = this.#contents.remove(thing, (other, dependent) => {
      open.drop(other, dependent.handle);
      this.#engine?.noteChange(dependent.handle);
      removed.push(dependent);
    });
    open.remove(kind, thing.handle, parts);
    this.#engine?.noteChange(thing.handle);
    // A vehicle's wheels go with it.
    for (const { wheels = [] } of removed as readonly Partial<Vehicle>[]) {
      for (const wheel of wheels) if (wheel.isValid()) this.removeRigidBody(wheel);
    }
  }

  #requireValues(what: string, count: number): void {
    this.#values.require(what, this.#contents.usedValues, count);
  }

  /** @param name Of the argument. @throws TypeError, Error unless this world has it. */
  #require(kind: Kind, name: string, part: Thing, ofWhat: string): void {
    if (this.#isHere(kind, name, part)) return;
    throw new Error(`${ofWhat} cannot be made of the ${kind} ${part.handle}: it was removed`);
  }

  /**
   * @param name Of the argument.
   * @returns False: it was removed.
   * @throws TypeError unless it is of that kind. @throws Error if it is of another world.
   */
  #isHere(kind: Kind, name: string, thing: Thing): boolean {
    if (this.#contents.has(kind, thing)) return true;
    const given = kindOf(thing);
    if (given !== kind) {
      throw new TypeError(
        `${name} must be a ${kind} of this world, but is ${given === undefined ? whatIs(thing) : `a ${given}`}`,
      );
    }
    if (!(thing as RigidBody).isValid()) return false;
    throw new Error(`${name} is the ${kind} ${thing.handle} of another world`);
  }

  #noteIds(ids: readonly number[]): void {
    const bodies = this.#contents.all('body');
    for (let index = 0; index < ids.length; index += 2) {
      const handle = ids[index] as number;
      // It may have been removed since.
      if (bodies.has(handle)) this.#ids.set(handle, ids[index + 1] as BodyId);
    }
    this.#moment += 1;
  }
}

/** What is needed with the worker. If it fails, so does the world. */
async function orDispose<T>(handle: WorldHandle, needed: Promise<T>): Promise<T> {
  try {
    return await needed;
  } catch (error) {
    await handle.dispose();
    throw error;
  }
}
