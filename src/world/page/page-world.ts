/** A world of rigid bodies that the page makes and a worker simulates. */
import { isDevelopment } from '../../shared/util/development.js';
import type { BodyEvent } from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import type { Vector } from '../../shared/util/vectors.js';
import { type SampledFrame, Frame } from '../../render-main/frame/frame.js';
import { type SimulationStatus, ofLibrary } from '../../render-main/session/simulation-status.js';
import { treeProblem, type JointEdge } from '../shared/joint-tree.js';
import { CHARACTER_VALUE_COUNT } from '../shared/value-records.js';
import { publishedBy } from '../shared/vehicle-wheels.js';
import {
  KIND_NAMES,
  type JointFields,
  type Kind,
  type KindFields,
  type WorldFields,
} from '../shared/setting-tables.js';
import { Geometries, reportUnlessOver, type WorldNames } from './batch-sender.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import type { BodyHandle } from './body-handle.js';
import {
  fieldsOfCharacter,
  type Character,
  type CharacterDesc,
  type CharacterHandle,
} from './character.js';
import { flag, vector } from './checked-values.js';
import { fieldsOfCollider, type ColliderDesc } from './collider-desc.js';
import type { ColliderHandle } from './collider-handle.js';
import { RigidBodyType } from './constants.js';
import type { EngineBodyDesc, EngineColliderDesc, EngineJointData } from './engine-data.js';
import type { OwnIntegrationParameters } from './integration-parameters.js';
import { fieldsOfJoint, type JointData } from './joint-data.js';
import type { ImpulseJoint, MultibodyJoint, MultibodyJointHandle } from './joints.js';
import { makeHandle } from './make-handle.js';
import { kindOf, setOf, type HandleSet, type WorldItem } from './page-contents.js';
import { PageValues } from './page-values.js';
import { WorldResync } from './resync.js';
import { RigidBodyDesc, fieldsOfBody } from './rigid-body-desc.js';
import { copyOfProps, SystemNames, type SystemHandle } from './system-handle.js';
import { fieldsOfVehicle, type Vehicle, type VehicleDesc, type VehicleHandle } from './vehicle.js';
import { WorldEventRelay, warnOfUnmet, type OnWorldEvent } from './world-events.js';
import type { WorldHandle } from './world-handle.js';
import { WorldLink, type AnyItem, type MakeEngine } from './world-link.js';
import { WorldQueries } from './world-queries.js';
import type { World } from './world.js';

const pose = new Float64Array(7);
/** The frame of a world before its worker runs. */
const NO_FRAME = new Frame();

/** Properties that are parameters, too, by the names of these. */
const PARAMETERS = {
  timestep: 'dt',
  lengthUnit: 'lengthUnit',
  numSolverIterations: 'numSolverIterations',
  numInternalPgsIterations: 'numInternalPgsIterations',
  maxCcdSubsteps: 'maxCcdSubsteps',
} as const;

export interface PageWorld extends Pick<World, keyof typeof PARAMETERS> {}

export class PageWorld extends WorldQueries implements World {
  /** Called when the page has what a jump of the run has led to. */
  onFollowed: (() => void) | undefined;
  /** While paused: bodies that the page has put somewhere, and that no state has. */
  unshown: readonly BodyHandle[] = [];
  readonly ready: Promise<WorldHandle>;
  readonly on: OnWorldEvent;
  readonly integrationParameters: OwnIntegrationParameters;
  readonly #events: WorldEventRelay;
  readonly #resync: WorldResync;
  readonly #systemNames: SystemNames;
  #wasReplaying = false;
  /** Whether the run has jumped and the page does not know yet where to. */
  #isJumping = false;
  /** The tick of the frame that was sampled last. */
  #sampledTick = Number.NaN;

  static {
    for (const [property, name] of Object.entries(PARAMETERS)) {
      Object.defineProperty(this.prototype, property, {
        configurable: true,
        get(this: PageWorld) {
          return this.integrationParameters[name];
        },
        set(this: PageWorld, value: number) {
          this.integrationParameters[name] = value;
        },
      });
    }
  }

  /**
   * @param fields What it begins with.
   * @param resumes Whether the run begins as soon as the worker is ready.
   * @param systems Names of the systems of the worker script. Undefined: the worker knows them.
   * @param values How many are published with each state.
   * @param tickRateHz Until the worker runs.
   * @param engine The page's engine, if it is asked for.
   */
  constructor(
    connected: Promise<WorldHandle>,
    fields: WorldFields & { readonly gravity: Vector },
    resumes: boolean,
    systems: readonly string[] | undefined,
    values: number,
    tickRateHz: number,
    engine: MakeEngine | Promise<MakeEngine> | undefined,
  ) {
    const link: WorldLink = new WorldLink(values, tickRateHz, engine !== undefined, () => {
      // No jump: what is lost would be lost again.
      if (link.simulation !== undefined) this.#ask(link.simulation);
    });
    const events = new WorldEventRelay(link);
    super(link, events);
    this.#events = events;
    this.on = (name, handler, options) => events.on(name, handler, options);
    this.integrationParameters = link.parameters;
    link.gravity = fields.gravity;
    this.#systemNames = new SystemNames(systems);
    this.#resync = new WorldResync(link, {
      onWorld: ({ gravity = link.gravity, ...parameters }) => {
        link.gravity = gravity;
        this.integrationParameters.resync(parameters);
      },
      onAgreed: () => this.forgetAnswers(),
      onEnd: () => {
        if (!this.#isJumping) return;
        this.#isJumping = false;
        this.onFollowed?.();
      },
    });
    Object.assign(link.change().world, fields);
    const engineMade =
      engine instanceof Promise ? engine.then((make) => link.useEngine(make)) : undefined;
    // It is awaited below.
    engineMade?.catch(() => {});
    if (typeof engine === 'function') link.useEngine(engine);
    this.ready = connected.then(async (simulation) => {
      if (!this.#systemNames.isKnown) await this.#learnSystems(simulation);
      link.geometries = new Geometries(await orDispose(simulation, simulation.openAssets()));
      if (engineMade !== undefined) await orDispose(simulation, engineMade);
      return this.#begin(simulation, link.geometries, resumes);
    });
  }

  /** Whether the page has changed something that the newest state does not have. */
  get isChangePending(): boolean {
    return this.link.batches.isPending;
  }

  /** Whether the page has what a replay shows, or does not know yet what a jump has led to. */
  get isElsewhere(): boolean {
    const isReplaying = this.#wasReplaying || this.link.isReplaying;
    return isReplaying || this.#isJumping;
  }

  /** Everything in it, in the order in which it was made. */
  get items(): readonly AnyItem[] {
    const items = KIND_NAMES.flatMap((kind) => Array.from(this.link.contents.all(kind).values()));
    return items.toSorted((a, b) => a.handle - b.handle) as WorldItem[] as AnyItem[];
  }

  /** Whether another page has made it, whose state or recording this one has. */
  isForeign(item: object): boolean {
    return this.#resync.isForeign(item);
  }

  /** All items that are made of an item, directly or not. */
  madeOf(item: WorldItem): readonly AnyItem[] {
    const all = [item];
    // The list grows in the loop.
    for (const one of all) {
      for (const kind of KIND_NAMES) all.push(...this.link.contents.dependents(kind, one));
    }
    return all.slice(1) as readonly WorldItem[] as readonly AnyItem[];
  }

  /** Removes it, of whatever kind it is. */
  discard(item: WorldItem): void {
    this.#remove(kindOf(item) as Kind, item);
  }

  /** Called when the page changes something, once in each turn. */
  set onChange(callback: () => void) {
    this.link.batches.onChange = callback;
  }

  set names(names: Partial<WorldNames>) {
    this.link.batches.names = { ...this.link.batches.names, ...names };
  }

  get gravity(): Vector {
    return settable(this.link.gravity, (gravity) => this.#setGravity(gravity));
  }

  set gravity(gravity: Readonly<Vector>) {
    this.#setGravity(gravity);
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
    return setOf(this.link.contents.all('body'));
  }

  get colliders(): HandleSet<Collider> {
    return setOf(this.link.contents.all('collider'));
  }

  get impulseJoints(): HandleSet<ImpulseJoint> {
    return setOf(this.link.contents.all('joint'));
  }

  get multibodyJoints(): HandleSet<MultibodyJoint> {
    return setOf(this.link.contents.all('multibodyJoint'));
  }

  get systems(): HandleSet<SystemHandle> {
    return setOf(this.link.contents.all('system'));
  }

  createRigidBody(desc: RigidBodyDesc | EngineBodyDesc): RigidBody {
    const body = this.#create('body', [], fieldsOfBody(desc)) as BodyHandle;
    body.noteCreated(desc.userData);
    return body;
  }

  createCollider(desc: ColliderDesc | EngineColliderDesc, parent?: RigidBody): Collider {
    if (parent !== undefined) this.link.requirePart('body', 'parent', parent, 'a collider');
    const parts = parent === undefined ? [] : [parent];
    return this.#create('collider', parts, fieldsOfCollider(desc)) as ColliderHandle;
  }

  createImpulseJoint<J extends ImpulseJoint>(
    data: JointData<J> | EngineJointData,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): J {
    const bodies = [body1, body2];
    this.link.requirePart('body', 'body1', body1, 'a joint');
    this.link.requirePart('body', 'body2', body2, 'a joint');
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag(wakeUp) };
    return this.#create('joint', bodies, fields) as WorldItem as J;
  }

  system(name: string, props: Json = null): SystemHandle<never> {
    this.#systemNames.require(name);
    const fields = { name, props: copyOfProps(props) };
    return this.#create('system', [], fields) as WorldItem as SystemHandle<never>;
  }

  createCharacter(collider: Collider, desc: CharacterDesc): Character {
    this.link.requirePart('collider', 'collider', collider, 'a character');
    if (collider.parent()?.bodyType() !== RigidBodyType.KinematicPositionBased) {
      throw new Error(
        `the collider ${collider.handle} cannot be a character: it must be part of a kinematic body, ` +
          'of RigidBodyDesc.kinematicPositionBased()',
      );
    }
    this.link.requireValues('character', CHARACTER_VALUE_COUNT);
    return this.#create('character', [collider], fieldsOfCharacter(desc)) as CharacterHandle;
  }

  removeCharacter(character: Character): void {
    this.#remove('character', character);
  }

  createVehicle(chassis: RigidBody, desc: VehicleDesc): Vehicle {
    this.link.requirePart('body', 'chassis', chassis, 'a vehicle');
    if (chassis.isFixed() || chassis.bodyType() === RigidBodyType.KinematicPositionBased) {
      throw new Error(
        `the body ${chassis.handle} cannot be a vehicle: it must be dynamic, of RigidBodyDesc.dynamic()`,
      );
    }
    const { fields, userData } = fieldsOfVehicle(desc);
    this.link.requireValues('vehicle', publishedBy(userData.length));
    const { x, y, z } = chassis.translation();
    const wheel = RigidBodyDesc.kinematicPositionBased().setTranslation(x, y, z);
    const wheels = userData.map((data) => this.createRigidBody(wheel.setUserData(data)));
    return this.#create('vehicle', [chassis, ...wheels], fields) as VehicleHandle;
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
    this.link.requirePart('body', 'body1', body1, 'a multibody joint');
    this.link.requirePart('body', 'body2', body2, 'a multibody joint');
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag(wakeUp) };
    const edges = this.multibodyJoints
      .getAll()
      .map((joint): JointEdge => [joint.body1().handle, joint.body2().handle]);
    const problem = treeProblem(edges, [body1.handle, body2.handle]);
    if (problem !== undefined) throw new Error(problem);
    return this.#create('multibodyJoint', bodies, fields) as MultibodyJointHandle;
  }

  removeRigidBody(body: RigidBody): void {
    this.#remove('body', body);
    this.link.ids.delete(body.handle);
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
    return this.link.bodyOf(handle);
  }

  getCollider(handle: number): Collider | undefined {
    return this.link.colliderOf(handle);
  }

  getImpulseJoint(handle: number): ImpulseJoint | undefined {
    return this.link.contents.all('joint').get(handle) as ImpulseJoint | undefined;
  }

  getMultibodyJoint(handle: number): MultibodyJoint | undefined {
    return this.link.contents.all('multibodyJoint').get(handle) as MultibodyJointHandle | undefined;
  }

  sample(frameMs: number): SampledFrame {
    const { link } = this;
    const { batches, simulation } = link;
    if (link.isDisposed) link.warnOfDisposed();
    if (simulation === undefined) return NO_FRAME;
    batches.flush();
    const frame = simulation.sample(frameMs) as Frame;
    link.frame = frame;
    // The run continues from where a replay was closed, which is no jump.
    const { isReplaying } = link;
    if (this.#wasReplaying && !isReplaying) this.#follow(simulation);
    this.#wasReplaying = isReplaying;
    const { shownNumber } = batches;
    // A recording may be of another run, with other batches.
    const lastBatch = isReplaying ? 0 : PageValues.lastBatchOf(frame);
    batches.confirmUntil(frame.newestTick, lastBatch);
    if (frame.newestTick !== this.#sampledTick || shownNumber !== batches.shownNumber) {
      this.#sampledTick = frame.newestTick;
      link.noteMoment();
    }
    if (frame.paused && !isReplaying && this.isChangePending) this.#showPlaced(frame);
    else if (this.unshown.length > 0) this.unshown = [];
    return frame;
  }

  /** No tick comes that would show where the page has put bodies. */
  #showPlaced(frame: Frame): void {
    const unshown: BodyHandle[] = [];
    for (const body of this.link.contents.all('body').values() as Iterable<BodyHandle>) {
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
    return this.link.frame ?? NO_FRAME;
  }

  /** @param callbacks What has changed something, if callbacks of steps have: see {@link BatchSender.flush}. */
  flush(callbacks?: 'before' | 'after'): void {
    this.link.batches.flush(callbacks);
  }

  async dispose(): Promise<void> {
    this.link.dispose();
    const simulation = await this.ready.catch(() => undefined);
    // It may have begun since.
    this.link.dispose();
    await simulation?.dispose();
  }

  #setGravity(gravity: Readonly<Vector>): void {
    const checked = vector('gravity', gravity);
    this.link.gravity = checked;
    this.link.change().world.gravity = checked;
  }

  /** @throws RangeError if one was created that the worker script does not have. */
  async #learnSystems(simulation: WorldHandle): Promise<void> {
    this.#systemNames.learn(await simulation.queries.systems());
    try {
      for (const { name } of this.systems.getAll()) this.#systemNames.require(name);
    } catch (error) {
      await simulation.dispose();
      throw error;
    }
  }

  #begin(simulation: WorldHandle, geometries: Geometries, resumes: boolean): WorldHandle {
    const { link } = this;
    link.simulation = simulation;
    const onStatus = ({ kind }: SimulationStatus) => {
      if (['jumped', 'restarted', 'replaced'].includes(kind)) {
        this.#follow(simulation);
        if (isDevelopment) this.#findUnmet(simulation);
      }
      // Its script may be another one.
      if (kind === 'replaced') {
        simulation.queries
          .systems()
          .then((names) => this.#systemNames.learn(names))
          .catch((error: unknown) => reportUnlessOver(simulation, error));
      }
    };
    const nameOf = (tag: Json) =>
      typeof tag === 'number' ? link.batches.names.nameOf('body', tag) : undefined;
    simulation.on('status', ofLibrary(onStatus, nameOf));
    if (isDevelopment) {
      this.#findUnmet(simulation);
      warnOfUnmet(simulation, link);
    }
    // The answer to a batch that waits for its tick has no ids.
    const noteBody = ({ id, tag }: BodyEvent<number>): void => {
      if (link.ids.idOf(tag) === undefined) link.noteIds([tag, id]);
    };
    simulation.on('spawn', noteBody, { when: 'now' });
    // A body that neither the page nor a jump has made is of a recording that is shown.
    simulation.on('spawn', ({ id, tag }) => {
      if (this.#resync.noteSpawned(tag)) this.#changeElsewhere(simulation);
      if (this.getRigidBody(tag) !== undefined) link.ids.set(tag, id);
      link.noteMoment();
    });
    simulation.on('despawn', ({ id, tag }) => {
      if (link.ids.idOf(tag) === id) link.ids.delete(tag);
      if (this.getRigidBody(tag) !== undefined) this.#changeElsewhere(simulation);
    });
    this.#events.start(simulation);
    link.batches.start(simulation, geometries);
    // Not before: the first tick has what was created until now, however long the worker took to load.
    if (resumes) simulation.resume().catch((error: unknown) => reportUnlessOver(simulation, error));
    return simulation;
  }

  /** Asks the worker for warnings. If it fails, nothing is lost. */
  #findUnmet(simulation: WorldHandle): void {
    simulation.queries.findUnmet().catch(() => {});
  }

  /** The run has jumped. */
  #follow(simulation: WorldHandle): void {
    this.#isJumping = true;
    this.#ask(simulation);
  }

  /** A body has come or gone without the page: in a replay, or by a system. */
  #changeElsewhere(simulation: WorldHandle): void {
    this.#isJumping ||= simulation.replay !== undefined;
    this.#resync.resync(simulation);
  }

  /** The page may have something else than the worker: asks it. */
  #ask(simulation: WorldHandle): void {
    this.link.forgetState(simulation);
    this.#resync.resync(simulation);
  }

  #create<K extends Kind>(kind: K, parts: readonly WorldItem[], fields: KindFields<K>): WorldItem {
    const { link } = this;
    link.lastHandle += 1;
    const item = makeHandle(kind, link, { handle: link.lastHandle, fields, parts });
    const numbers = parts.map(({ handle }) => handle);
    link.contents.add(kind, item, numbers);
    link.change().create(kind, item.handle, numbers, fields);
    link.noteChange(item.handle);
    return item;
  }

  #remove(kind: Kind, item: WorldItem): void {
    const { link } = this;
    if (!link.isHere(kind, kind === 'multibodyJoint' ? 'joint' : kind, item)) {
      link.warnOfRemoved(kind, item);
      return;
    }
    // Not reported after the end: the parts of an application end in any order.
    const open = link.batches.change();
    const removed = [item];
    const parts = link.contents.remove(item, (other, dependent) => {
      open.drop(other, dependent.handle);
      link.noteChange(dependent.handle);
      removed.push(dependent);
    });
    open.remove(kind, item.handle, parts);
    link.noteChange(item.handle);
    // A vehicle's wheels go with it.
    for (const { wheels = [] } of removed as readonly Partial<Vehicle>[]) {
      for (const wheel of wheels) if (wheel.isValid()) this.removeRigidBody(wheel);
    }
  }
}

/** Waits for what is needed with the worker. If it fails, so does the world. */
async function orDispose<T>(simulation: WorldHandle, needed: Promise<T>): Promise<T> {
  try {
    return await needed;
  } catch (error) {
    await simulation.dispose();
    throw error;
  }
}

/** A copy of a vector whose numbers can also be set one by one, as those of Rapier's own. */
const settable = (value: Vector, set: (changed: Vector) => void): Vector =>
  new Proxy(
    { ...value },
    {
      set(target, axis, coordinate) {
        set({ ...target, [axis]: coordinate });
        return Reflect.set(target, axis, coordinate);
      },
    },
  );
