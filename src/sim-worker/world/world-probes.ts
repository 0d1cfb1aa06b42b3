/**
 * The probes of a world: rays and moving shapes that are cast after every step, and answered in the block of values. A state
 * has the answers of its own tick.
 */
import type { Json } from '../../shared/util/json.js';
import type { Vector } from '../../shared/world/fields.js';
import { readFields } from '../../shared/world/read-fields.js';
import { writeFields } from '../../shared/world/write-fields.js';
import { product, rotated } from '../../shared/world/rotations.js';
import * as PROBE from '../../shared/world/probe-values.js';
import { WordReader } from '../../shared/world/word-reader.js';
import { WordWriter } from '../../shared/world/word-writer.js';
import { NO_HANDLE, type Change } from '../../shared/world/world-batch.js';
import { PROBE_FIELDS, type ProbeFields } from '../../shared/world/world-fields.js';
import type { Rapier } from '../engines/rapier-builds.js';
import { passedOver, type AskedWorld, type Collider } from './asked-world.js';
import type { KindContents } from './kind-contents.js';
import type { OwnedValues, ValueOwners } from './value-owners.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type Shape = InstanceType<Rapier['Shape']>;

interface Entry {
  readonly handle: number;
  readonly fields: ProbeFields;
  /** Handle of its body; undefined: it has none. */
  readonly body: number | undefined;
  /** Undefined: it is a ray. */
  shape: Shape | undefined;
  /** Undefined: there was no room, which the page prevents. */
  readonly values: OwnedValues | undefined;
}

interface Found {
  readonly collider: Collider;
  readonly time: number;
  readonly point: Vector;
  readonly normal: Vector;
}

const ORIGIN = { x: 0, y: 0, z: 0 };
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const ALL_GROUPS = 0xffff_ffff;

export class WorldProbes implements KindContents<'probe'> {
  readonly #asked: AskedWorld;
  readonly #owners: ValueOwners;
  readonly #ray: InstanceType<Rapier['Ray']>;
  readonly #entries = new Map<number, Entry>();

  constructor(asked: AskedWorld, owners: ValueOwners) {
    this.#asked = asked;
    this.#owners = owners;
    this.#ray = new asked.rapier.Ray({ ...ORIGIN }, { ...ORIGIN });
  }

  remove(handle: number): void {
    if (this.#entries.delete(handle)) this.#owners.release(handle);
  }

  forgetGone(): void {
    for (const { handle, body } of this.#entries.values()) {
      if (body !== undefined && this.#asked.bodies.get(body) === undefined) this.remove(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'probe'>): void {
    if (parts !== undefined) this.#create(handle, parts[0], fields);
    const entry = this.#entries.get(handle);
    if (entry === undefined || parts !== undefined) return;
    Object.assign(entry.fields, fields);
    if (fields.shape !== undefined) {
      entry.shape = this.#asked.shapes.describe(fields.shape).shape;
    }
  }

  /** Casts all, where the last step has put everything. */
  cast(): void {
    for (const entry of this.#entries.values()) {
      const { values, fields } = entry;
      if (values === undefined) continue;
      if (fields.enabled === false) {
        values.set(PROBE.ANSWER, PROBE.NOT_CAST);
        continue;
      }
      const found = this.#find(entry);
      values.set(PROBE.ANSWER, found === undefined ? PROBE.NO_HIT : PROBE.HIT);
      if (found === undefined) continue;
      const { collider, time, point, normal } = found;
      values.setHandle(PROBE.COLLIDER, this.#asked.colliders.handleOf(collider) ?? NO_HANDLE);
      values.set(PROBE.TIME_OF_IMPACT, time);
      writeVector(values, PROBE.POINT, point);
      writeVector(values, PROBE.NORMAL, normal);
    }
  }

  describe(): Change<'probe'>[] {
    return Array.from(this.#entries.values(), ({ handle, body, fields }) => ({
      handle,
      parts: body === undefined ? [] : [body],
      fields,
    }));
  }

  save(): Json {
    return Array.from(this.#entries.values(), ({ handle, body, fields }) => {
      const words = new WordWriter();
      writeFields(words, PROBE_FIELDS, fields);
      return { handle, body: body ?? null, words: [...words.take()] };
    });
  }

  restore(saved: Json): void {
    for (const handle of this.#entries.keys()) this.remove(handle);
    for (const { handle, body, words } of saved as unknown as readonly SavedProbe[]) {
      const fields = readFields(new WordReader(Uint32Array.from(words)), PROBE_FIELDS);
      this.#create(handle, body ?? undefined, fields);
    }
  }

  #create(handle: number, body: number | undefined, fields: ProbeFields): void {
    const { bodies, shapes } = this.#asked;
    if (body !== undefined && bodies.get(body) === undefined) return;
    this.#entries.set(handle, {
      handle,
      body,
      fields: { ...fields },
      shape: fields.shape && shapes.describe(fields.shape).shape,
      values: this.#owners.claim(handle, PROBE.COUNT),
    });
  }

  #find({ body: handle, fields, shape }: Entry): Found | undefined {
    const { physics, bodies } = this.#asked;
    const { translation = ORIGIN, rotation = UPRIGHT, direction = ORIGIN, maxToi = 0 } = fields;
    const { solid = true, targetDistance = 0, stopAtPenetration = true } = fields;
    const body = handle === undefined ? undefined : bodies.get(handle);
    const frame = body?.rotation() ?? UPRIGHT;
    const own = body?.translation() ?? ORIGIN;
    const from = body === undefined ? translation : added(own, rotated(translation, frame));
    const along = body === undefined ? direction : rotated(direction, frame);
    const beyond = this.#beyond(fields, body);
    if (shape !== undefined) {
      const turned = body === undefined ? rotation : product(frame, rotation);
      const hit = physics.world.castShape(
        from,
        turned,
        along,
        shape,
        targetDistance,
        maxToi,
        stopAtPenetration,
        ...beyond,
      );
      return hit === null
        ? undefined
        : {
            collider: hit.collider,
            time: hit.time_of_impact,
            point: hit.witness1,
            normal: hit.normal1,
          };
    }
    Object.assign(this.#ray.origin, from);
    Object.assign(this.#ray.dir, along);
    const hit = physics.world.castRayAndGetNormal(this.#ray, maxToi, solid, ...beyond);
    if (hit === null) return undefined;
    const { collider, timeOfImpact: time, normal } = hit;
    return { collider, time, point: this.#ray.pointAt(time), normal };
  }

  #beyond(fields: ProbeFields, body: RigidBody | undefined): ReturnType<typeof passedOver> {
    const beyond = passedOver(this.#asked, {
      flags: fields.filterFlags ?? 0,
      groups: fields.filterGroups ?? ALL_GROUPS,
      excludeCollider: fields.excludeCollider,
      excludeRigidBody: fields.excludeRigidBody,
      excluded: Array.from(fields.excluded ?? []),
    });
    if (body === undefined || fields.findsBody === true) return beyond;
    const [, , , other, isKept] = beyond;
    beyond[3] ??= body;
    // The engine takes only one.
    if (other !== undefined) {
      const own = this.#asked.bodies.handleOf(body);
      beyond[4] = (collider) => {
        const parent = collider.parent();
        const isOwn = parent !== null && this.#asked.bodies.handleOf(parent) === own;
        return !isOwn && isKept?.(collider) !== false;
      };
    }
    return beyond;
  }
}

interface SavedProbe {
  readonly handle: number;
  readonly body: number | null;
  readonly words: readonly number[];
}

const added = (a: Readonly<Vector>, b: Readonly<Vector>): Vector => ({
  x: a.x + b.x,
  y: a.y + b.y,
  z: a.z + b.z,
});

function writeVector(values: OwnedValues, index: number, { x, y, z }: Readonly<Vector>): void {
  values.set(index, x);
  values.set(index + 1, y);
  values.set(index + 2, z);
}
