/**
 * A world of rigid bodies that the page makes and a worker simulates. What the page changes in one turn travels as one
 * timed command, and is applied on one tick:
 *
 *     turn of the page ──▶ open batch ──▶ microtask: command `apply` ──▶ tick n ──▶ answer: n, ids of new bodies
 *                                                                         └▶ state n: handles read it, not what was written
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { RemoteCommands } from '../../shared/protocol/control-protocol.js';
import { QueueFullError, ReplayShownError } from '../../shared/util/errors.js';
import { NO_BODY, encodeBatch } from '../../shared/world/world-batch.js';
import type { Vector } from '../../shared/world/fields.js';
import type { JointFields } from '../../shared/world/world-fields.js';
import { warnOnce } from '../../shared/development/warn-once.js';
import type { SampledFrame } from '../api/sampled-frame.js';
import { ReusedFrame } from '../frame/reused-frame.js';
import { flag, vector } from './checked-values.js';
import type { Collider } from './collider.js';
import { ColliderHandle } from './collider-handle.js';
import { fieldsOfCollider, type ColliderDesc } from './collider-desc.js';
import type { ImpulseJoint } from './impulse-joint.js';
import { JointType } from './constants.js';
import { fieldsOfJoint, type JointData } from './joint-data.js';
import { JointHandle, UnitJointHandle } from './joint-handle.js';
import { OpenBatch } from './open-batch.js';
import { BodyHandle } from './body-handle.js';
import type { RigidBody } from './rigid-body.js';
import { fieldsOfBody, type RigidBodyDesc } from './rigid-body-desc.js';
import type { HandleSet, World, WorldCommands, WorldHandle } from './world.js';
import type { WorldLink } from './world-link.js';

const NO_COLLIDERS: ReadonlySet<Collider> = new Set();

interface SentBatch {
  readonly number: number;
  /** NaN until it is answered. */
  tick: number;
}

export class PageWorld implements World {
  readonly ready: Promise<WorldHandle>;
  readonly #bodies = new Map<number, RigidBody>();
  readonly #colliders = new Map<number, Collider>();
  readonly #joints = new Map<number, ImpulseJoint>();
  readonly #jointsByBody = new Map<number, Set<ImpulseJoint>>();
  /** By the handle of their body. */
  readonly #collidersOf = new Map<number, Set<Collider>>();
  readonly #ids = new Map<number, BodyId>();
  readonly #noFrame = new ReusedFrame();
  readonly #link: { -readonly [Name in keyof WorldLink]: WorldLink[Name] };
  #handle: WorldHandle | undefined;
  #lastHandle = 0;
  #gravity: Vector;
  #open = new OpenBatch();
  #isScheduled = false;
  #isDisposed = false;
  /** Sent and not yet shown, in order. */
  readonly #sent: SentBatch[] = [];
  /** Not accepted by a full queue, or refused while a recording is shown: sent again before all later ones. */
  readonly #refused: { readonly batch: SentBatch; readonly words: Uint32Array }[] = [];

  constructor(connected: Promise<WorldHandle>, gravity: Vector, isStarted: boolean) {
    this.#gravity = gravity;
    this.#open.world.gravity = gravity;
    this.#link = {
      frame: undefined,
      openNumber: 1,
      shownNumber: 0,
      open: () => this.#change(),
      hasBody: (body) => this.#bodies.get(body.handle) === body,
      collidersOf: ({ handle }) => this.#collidersOf.get(handle) ?? NO_COLLIDERS,
      hasCollider: (collider) => this.#colliders.get(collider.handle) === collider,
      hasJoint: (joint) => this.#joints.get(joint.handle) === joint,
      idOf: (handle) => this.#ids.get(handle),
      warnOfRemoved: (what) =>
        warnOnce(
          what,
          `${what} was removed from its world, and a method of it was called: it does nothing. Drop references ` +
            'to what is removed',
        ),
    };
    this.ready = connected.then((handle) => this.#begin(handle, isStarted));
  }

  get gravity(): Vector {
    return { ...this.#gravity };
  }

  set gravity(gravity: Readonly<Vector>) {
    this.#gravity = vector('gravity', gravity);
    this.#change().world.gravity = this.#gravity;
  }

  get bodies(): HandleSet<RigidBody> {
    return setOf(this.#bodies);
  }

  get colliders(): HandleSet<Collider> {
    return setOf(this.#colliders);
  }

  createRigidBody(desc: RigidBodyDesc): RigidBody {
    const fields = fieldsOfBody(desc);
    this.#lastHandle += 1;
    const body = new BodyHandle(this.#link, this.#lastHandle, { ...fields }, desc.userData);
    this.#bodies.set(body.handle, body);
    this.#collidersOf.set(body.handle, new Set());
    this.#change().createBody(body.handle, fields);
    return body;
  }

  createCollider(desc: ColliderDesc, parent?: RigidBody): Collider {
    if (parent !== undefined) this.#requireBody('collider', parent);
    const fields = fieldsOfCollider(desc);
    this.#lastHandle += 1;
    const collider = new ColliderHandle(this.#link, this.#lastHandle, { ...fields }, parent);
    this.#colliders.set(collider.handle, collider);
    if (parent !== undefined) this.#collidersOf.get(parent.handle)?.add(collider);
    this.#change().createCollider(collider.handle, parent?.handle ?? NO_BODY, fields);
    return collider;
  }

  createImpulseJoint<J extends ImpulseJoint>(
    data: JointData<J>,
    body1: RigidBody,
    body2: RigidBody,
    wakeUp: boolean,
  ): J {
    for (const body of [body1, body2]) this.#requireBody('joint', body);
    const fields: JointFields = { ...fieldsOfJoint(data), wakeUp: flag('wakeUp', wakeUp) };
    this.#lastHandle += 1;
    const Handle = handleOf(fields.type as JointType);
    const joint = new Handle(this.#link, this.#lastHandle, { ...fields }, [body1, body2]);
    this.#joints.set(joint.handle, joint);
    for (const body of [body1, body2]) this.#jointsOf(body).add(joint);
    this.#change().createJoint(joint.handle, body1.handle, body2.handle, fields);
    return joint as ImpulseJoint as J;
  }

  removeImpulseJoint(joint: ImpulseJoint): void {
    if (!this.#link.hasJoint(joint)) {
      this.#link.warnOfRemoved(`the joint ${joint.handle}`);
      return;
    }
    this.#forget(joint);
    this.#change().removeJoint(joint.handle);
  }

  get impulseJoints(): HandleSet<ImpulseJoint> {
    return setOf(this.#joints);
  }

  getImpulseJoint(handle: number): ImpulseJoint | undefined {
    return this.#joints.get(handle);
  }

  removeRigidBody(body: RigidBody): void {
    if (!this.#link.hasBody(body)) {
      this.#link.warnOfRemoved(`the body ${body.handle}`);
      return;
    }
    const open = this.#change();
    for (const collider of this.#link.collidersOf(body)) {
      this.#colliders.delete(collider.handle);
      open.dropCollider(collider.handle);
    }
    for (const joint of this.#jointsOf(body)) {
      this.#forget(joint);
      open.dropJoint(joint.handle);
    }
    this.#jointsByBody.delete(body.handle);
    this.#bodies.delete(body.handle);
    this.#collidersOf.delete(body.handle);
    this.#ids.delete(body.handle);
    open.removeBody(body.handle);
  }

  removeCollider(collider: Collider): void {
    if (!this.#link.hasCollider(collider)) {
      this.#link.warnOfRemoved(`the collider ${collider.handle}`);
      return;
    }
    const parent = collider.parent();
    if (parent !== null) this.#collidersOf.get(parent.handle)?.delete(collider);
    this.#colliders.delete(collider.handle);
    this.#change().removeCollider(collider.handle);
  }

  getRigidBody(handle: number): RigidBody | undefined {
    return this.#bodies.get(handle);
  }

  getCollider(handle: number): Collider | undefined {
    return this.#colliders.get(handle);
  }

  sample(frameMs: number): SampledFrame {
    const handle = this.#handle;
    if (handle === undefined || this.#isDisposed) return this.#noFrame;
    this.#resend();
    const frame = handle.sample(frameMs);
    this.#link.frame = frame;
    while ((this.#sent[0]?.tick ?? Number.NaN) <= frame.newestTick) {
      this.#link.shownNumber = this.#sent.shift()?.number ?? 0;
    }
    return frame;
  }

  flush(): void {
    if (this.#handle === undefined || this.#isDisposed) return;
    this.#resend();
    if (this.#open.isEmpty) return;
    const words = encodeBatch(this.#open.contents());
    const batch = { number: this.#link.openNumber, tick: Number.NaN };
    this.#open = new OpenBatch();
    this.#link.openNumber += 1;
    this.#sent.push(batch);
    if (this.#refused.length > 0) this.#refused.push({ batch, words });
    else this.#send(this.#handle.commands, batch, words);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const handle = await this.ready.catch(() => undefined);
    await handle?.dispose();
  }

  #begin(handle: WorldHandle, isStarted: boolean): WorldHandle {
    this.#handle = handle;
    handle.on('status', ({ kind }) => {
      if (['jumped', 'restarted', 'replaced'].includes(kind)) this.#findIds(handle);
    });
    this.flush();
    // Not before: the first tick has what was created until now, however long the worker took to load.
    if (isStarted) handle.resume().catch(reportUnlessOver);
    return handle;
  }

  #requireBody(of: 'collider' | 'joint', body: RigidBody): void {
    if (this.#link.hasBody(body)) return;
    throw new Error(
      `the body ${body.handle} of a new ${of} is not in this world: it was removed, or is of another world`,
    );
  }

  #jointsOf({ handle }: RigidBody): Set<ImpulseJoint> {
    const joints = this.#jointsByBody.get(handle) ?? new Set();
    this.#jointsByBody.set(handle, joints);
    return joints;
  }

  #forget(joint: ImpulseJoint): void {
    this.#joints.delete(joint.handle);
    for (const body of [joint.body1(), joint.body2()]) {
      this.#jointsByBody.get(body.handle)?.delete(joint);
    }
  }

  #change(): OpenBatch {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      queueMicrotask(() => {
        this.#isScheduled = false;
        this.flush();
      });
    }
    return this.#open;
  }

  #send(commands: RemoteCommands<WorldCommands>, batch: SentBatch, words: Uint32Array): void {
    commands.apply(words).then(
      ({ tick, ids }) => {
        batch.tick = tick;
        this.#noteIds(ids);
      },
      (error: unknown) => {
        if (error instanceof QueueFullError || error instanceof ReplayShownError) {
          this.#refused.push({ batch, words });
          this.#refused.sort((a, b) => a.batch.number - b.batch.number);
          return;
        }
        // What was written is not shown by any state: let states be read again.
        batch.tick = 0;
        reportUnlessOver(error);
      },
    );
  }

  #resend(): void {
    const { commands } = this.#handle as WorldHandle;
    if (this.#handle?.replay !== undefined) return;
    for (const { batch, words } of this.#refused.splice(0)) this.#send(commands, batch, words);
  }

  #noteIds(ids: readonly number[]): void {
    for (let index = 0; index < ids.length; index += 2) {
      const handle = ids[index] as number;
      // It may have been removed since.
      if (this.#bodies.has(handle)) this.#ids.set(handle, ids[index + 1] as BodyId);
    }
  }

  /** Bodies of another state, or of another run, may have other ids. */
  #findIds(handle: WorldHandle): void {
    handle.queries.ids().then((ids) => {
      this.#ids.clear();
      this.#noteIds(ids);
    }, reportUnlessOver);
  }
}

/** Which methods a joint has. */
function handleOf(type: JointType): typeof JointHandle {
  const hasOneAxis = type === JointType.Revolute || type === JointType.Prismatic;
  return hasOneAxis ? UnitJointHandle : JointHandle;
}

const setOf = <T>(items: ReadonlyMap<number, T>): HandleSet<T> => ({
  len: () => items.size,
  getAll: () => [...items.values()],
  forEach: (callback) => items.forEach((item) => callback(item)),
});

/** The status reports that the simulation has ended. */
function reportUnlessOver(error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  if (name !== 'SimulationDisposedError' && name !== 'WorkerFailedError') reportError(error);
}
