/** The bodies of a world. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';
import { ZERO } from '../../shared/util/vectors.js';
import type { Pose } from '../../sim-worker/api/bodies.js';
import { CAPACITY, type Change } from '../shared/world-batch.js';
import { BODY, DEFAULT_SNAP_OVER } from '../shared/setting-tables.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import { setEnabled } from '../../rapier/waking.js';
import { bodyFields, describeBody, pushBody, requireKnownType, setBody } from './apply-fields.js';
import type { Surfaces } from './belts.js';
import { EngineObjects, type KindContents, UnreportedFields } from './kind-contents.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;

interface ChangedBody {
  readonly body: RigidBody;
  readonly change: Change<'body'>;
  /** Another change of the same body comes before it. */
  readonly isLater: boolean;
  /** Must get a slot in the snapshot. */
  readonly needsSlot: boolean;
}

export class WorldBodies implements KindContents<'body'> {
  /** A pose that is set farther away than this is drawn as a jump, in m or the simulation's own unit. */
  snapOver = DEFAULT_SNAP_OVER;
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #bodies = new EngineObjects<RigidBody>();
  readonly #unreported = new UnreportedFields<'body'>(
    BODY,
    'surfaceVelocity',
    'surfaceAngularVelocity',
  );
  /** Undefined: some have changed. */
  #surfaces: Surfaces | undefined;
  #changed: ChangedBody[] = [];
  /** How many of them must get a slot in the snapshot. */
  #slots = 0;

  constructor(rapier: Rapier, physics: RapierWorld) {
    this.#rapier = rapier;
    this.#physics = physics;
  }

  /** Undefined: it was removed. */
  get(handle: number): RigidBody | undefined {
    return this.#bodies.get(handle);
  }

  /** The body's published pose, also within the engine's step, which may not be asked. Undefined if it has none. */
  publishedPose(handle: number): Pose | undefined {
    const body = this.#bodies.known(handle);
    const id = body && this.#physics.bodyIdOf(body);
    return id && this.#physics.bodies.pose(id);
  }

  /** The page's handle. */
  handleOf(body: RigidBody): number | undefined {
    return this.#bodies.handleOf(body);
  }

  /** The page's handle of what has a number of the engine's. */
  handleOfNumber(number: number | undefined): number | undefined {
    return this.#bodies.handleOfNumber(number);
  }

  remove(handle: number): void {
    const body = this.#bodies.take(handle);
    this.#unreported.delete(handle);
    if (body === undefined) return;
    const id = this.#physics.bodyIdOf(body);
    if (id === undefined) this.#physics.world.removeRigidBody(body);
    else this.#physics.remove(id);
  }

  forgetGone(): void {
    this.#bodies.forgetGone();
    this.#unreported.keepOnly((handle) => this.#bodies.get(handle) !== undefined);
  }

  apply(change: Change<'body'>): void {
    const { handle, parts } = change;
    const before = parts === undefined ? this.#bodies.get(handle) : undefined;
    // The body was removed since.
    if (parts === undefined && before === undefined) return;
    const last = this.#changed.at(-1);
    const isLater = last?.change.handle === handle;
    const hasSlot = isLater && last.needsSlot;
    const needsSlot = hasSlot || this.#needsSlot(before, change);
    if (needsSlot && !hasSlot) this.#requireSlot(before);
    const body = before ?? this.#create(change);
    // After what the change before it adds.
    if (isLater) requireKnownType(change.fields, this.#rapier);
    else if (before !== undefined) this.#setFields(before, change);
    this.#unreported.note(handle, change.fields);
    const { surfaceVelocity, surfaceAngularVelocity } = change.fields;
    if (surfaceVelocity ?? surfaceAngularVelocity) this.#surfaces = undefined;
    this.#changed.push({ body, change, isLater, needsSlot });
    if (needsSlot && !hasSlot) this.#slots += 1;
  }

  /** Bodies that the batch may have brought to touch something. The engine itself moves dynamic ones out of what they are in. */
  *displaced(): Iterable<RigidBody> {
    for (const { body, change } of this.#changed) {
      const { translation, rotation, enabled, bodyType } = change.fields;
      const isPut = !body.isDynamic() && (translation ?? rotation) !== undefined;
      if (isPut || (enabled ?? bodyType) !== undefined) yield body;
    }
  }

  /**
   * Applies what waits for the colliders: impulses need their mass.
   *
   * @returns Handle and id of each body that is drawn from now on.
   */
  finish(): number[] {
    const changed = this.#changed;
    this.#changed = [];
    this.#slots = 0;
    const ids: number[] = [];
    for (const { body, change, isLater } of changed) {
      const { handle, parts, fields } = change;
      if (isLater) this.#setFields(body, change);
      if (fields.recomputeMass === true) body.recomputeMassPropertiesFromColliders();
      pushBody(body, fields);
      if (parts === undefined && fields.sleeping !== undefined) {
        if (fields.sleeping) body.sleep();
        else body.wakeUp();
      }
      const id = this.#publish(body, change);
      if (id !== undefined) ids.push(handle, id);
    }
    return ids;
  }

  describe(): Change<'body'>[] {
    return Array.from(this.#bodies, ([handle, body]) => ({
      handle,
      parts: [],
      fields: { ...bodyFields(body), ...this.#unreported.of(handle) },
    }));
  }

  unreported(): Change<'body'>[] {
    return this.#unreported.changes();
  }

  save(): Json {
    return this.#bodies.save();
  }

  restore(changes: readonly Change<'body'>[], saved: Json): void {
    this.#bodies.restore(saved, (number) => this.#physics.world.getRigidBody(number));
    this.#unreported.restore(changes);
    this.#surfaces = undefined;
  }

  /** Surfaces that move. */
  get surfaces(): Surfaces {
    this.#surfaces ??= new Map(
      this.#unreported.changes().flatMap(({ handle, fields }) => {
        const body = this.get(handle);
        const isMoving = moves(fields.surfaceVelocity) || moves(fields.surfaceAngularVelocity);
        return body !== undefined && isMoving ? [[body, fields]] : [];
      }),
    );
    return this.#surfaces;
  }

  #create({ handle, fields }: Change<'body'>): RigidBody {
    const body = this.#physics.world.createRigidBody(describeBody(this.#rapier, fields));
    this.#bodies.set(handle, body);
    return body;
  }

  /**
   * Fixed bodies take no slot in the snapshot until they move: the page knows where it has put them.
   *
   * @param body Undefined: it is new.
   */
  #needsSlot(body: RigidBody | undefined, change: Change<'body'>): boolean {
    if (body !== undefined && this.#physics.bodyIdOf(body) !== undefined) return false;
    const { Dynamic, Fixed } = this.#rapier.RigidBodyType;
    const type = change.fields.bodyType ?? body?.bodyType() ?? Dynamic;
    return type !== Fixed || hasMoved(change);
  }

  /**
   * Without one, nothing of a change is applied: the body would be where it is not drawn.
   *
   * @throws RangeError if all are in use.
   */
  #requireSlot(body: RigidBody | undefined): void {
    const { bodyCount, capacity } = this.#physics.bodies;
    if (bodyCount + this.#slots < capacity) return;
    throw new RangeError(
      `it is not ${body === undefined ? 'made' : 'changed'}, because all ${capacity} bodies of the snapshot are in use: ` +
        `remove some, or raise ${CAPACITY}`,
    );
  }

  #setFields(body: RigidBody, { fields }: Change<'body'>): void {
    if (fields.enabled !== undefined) {
      const id = this.#physics.bodyIdOf(body);
      if (id === undefined) setEnabled(this.#physics.world, body, fields.enabled);
      else this.#physics.setEnabled(id, fields.enabled);
    }
    setBody(body, fields, this.#rapier);
  }

  /** @returns Its id, if it is drawn from now on. */
  #publish(body: RigidBody, change: Change<'body'>): BodyId | undefined {
    const id = this.#physics.bodyIdOf(body);
    if (id !== undefined) {
      if (hasMoved(change)) this.#move(id, body);
      this.#physics.noteChanged(id);
      return undefined;
    }
    if (body.isFixed() && !hasMoved(change)) return undefined;
    return this.#physics.add(body, { tag: change.handle });
  }

  /** A small change of a pose is a motion, such as one of each frame; a large one is a jump. */
  #move(id: BodyId, body: RigidBody): void {
    const { bodies } = this.#physics;
    const [p, q, before] = [body.translation(), body.rotation(), bodies.pose(id)];
    const distance = Math.hypot(
      p.x - (before?.x ?? p.x),
      p.y - (before?.y ?? p.y),
      p.z - (before?.z ?? p.z),
    );
    if (distance <= this.snapOver) bodies.setPose(id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    else bodies.teleport(id, { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w });
  }
}

const hasMoved = ({ parts, fields }: Change<'body'>): boolean =>
  parts === undefined && (fields.translation ?? fields.rotation) !== undefined;

const moves = ({ x, y, z } = ZERO): boolean => x !== 0 || y !== 0 || z !== 0;
