/** The vehicles of a world. Their wheels are bodies without colliders, which are put where the rays end. */
import { plus, dot, type Vector } from '../../shared/util/vectors.js';
import type { Json } from '../../shared/util/json.js';
import { publishedBy } from '../shared/vehicle-wheels.js';
import { NO_HANDLE, type Change } from '../shared/world-batch.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import type { KindContents } from './kind-contents.js';
import type { OwnedValues, ValueOwners } from './value-owners.js';
import { Vehicle } from './vehicle.js';
import type { WorldBodies } from './world-bodies.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;

interface Entry {
  /** Handles of the chassis and the wheels. */
  readonly parts: readonly number[];
  readonly vehicle: Vehicle;
  readonly values: OwnedValues | undefined;
  /** Where the chassis was after the last step; undefined: not known. */
  last: Vector | undefined;
}

export class WorldVehicles implements KindContents<'vehicle'> {
  readonly #tools: RapierTools;
  readonly #bodies: WorldBodies;
  readonly #owners: ValueOwners;
  readonly #entries = new Map<number, Entry>();

  constructor(tools: RapierTools, bodies: WorldBodies, owners: ValueOwners) {
    this.#tools = tools;
    this.#bodies = bodies;
    this.#owners = owners;
  }

  remove(handle: number): void {
    this.#entries.get(handle)?.vehicle.remove(this.#tools.physics.world);
    if (this.#entries.delete(handle)) this.#owners.release(handle);
  }

  forgetGone(): void {
    for (const [handle, { parts }] of this.#entries) {
      if (parts.some((part) => this.#bodies.get(part) === undefined)) this.remove(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'vehicle'>): void {
    if (parts !== undefined) this.#create(handle, parts);
    this.#entries.get(handle)?.vehicle.set(fields);
  }

  describe(): Change<'vehicle'>[] {
    return Array.from(this.#entries, ([handle, { parts, vehicle }]) => ({
      handle,
      parts,
      fields: vehicle.fields,
    }));
  }

  beforeStep(dt: number): void {
    const { rapier, input } = this.#tools;
    for (const entry of this.#entries.values()) {
      const chassis = this.#chassisOf(entry);
      if (chassis === undefined) continue;
      const since = plus(chassis.translation(), entry.last ?? chassis.translation(), -1);
      // It was put there, and its wheels jump with it: this says so until they are placed.
      if (dot(since, since) > this.#bodies.snapOver ** 2) entry.last = undefined;
      entry.vehicle.step(chassis, { rapier, input, dt });
    }
  }

  /** Puts the wheels where the step has brought them, before anything is published. */
  afterStep(): void {
    for (const entry of this.#entries.values()) {
      const chassis = this.#chassisOf(entry);
      if (chassis === undefined) continue;
      this.#place(entry, chassis, entry.last === undefined ? 'teleport' : 'motion');
      entry.last = chassis.translation();
    }
    this.publish();
  }

  /** Publishes what the page reads. */
  publish(): void {
    for (const entry of this.#entries.values()) {
      const chassis = this.#chassisOf(entry);
      if (chassis === undefined) continue;
      const { vehicle, values } = entry;
      values?.set(0, vehicle.speed(chassis));
      for (let wheel = 0; wheel < vehicle.numWheels; wheel++) {
        values?.set(1 + wheel, vehicle.contactLength(wheel));
      }
    }
  }

  save(): Json {
    return Array.from(this.#entries, ([handle, { vehicle }]) => [handle, vehicle.save()]);
  }

  restore(changes: readonly Change<'vehicle'>[], saved: Json): void {
    for (const handle of this.#entries.keys()) this.#owners.release(handle);
    this.#entries.clear();
    for (const change of changes) this.apply(change);
    const states = new Map(saved as [number, Json][]);
    for (const [handle, entry] of this.#entries) {
      entry.vehicle.restore(states.get(handle) ?? null);
      entry.last = this.#chassisOf(entry)?.translation();
    }
    this.publish();
  }

  #create(handle: number, parts: readonly number[]): void {
    const chassis = this.#bodies.get(parts[0] ?? NO_HANDLE);
    // It was removed since, or it or a wheel was not made.
    const isWhole = parts.every((part) => this.#bodies.get(part) !== undefined);
    if (chassis === undefined || !isWhole) return;
    const vehicle = new Vehicle(this.#tools.physics.world, chassis);
    const values = this.#owners.claim(handle, publishedBy(parts.length - 1));
    this.#entries.set(handle, { parts, vehicle, values, last: undefined });
  }

  #chassisOf({ parts }: Entry): RigidBody | undefined {
    return this.#bodies.get(parts[0] ?? NO_HANDLE);
  }

  #place({ parts, vehicle }: Entry, chassis: RigidBody, how: 'motion' | 'teleport'): void {
    const { physics, rapier } = this.#tools;
    // Those of the class: in development, an application's moves are watched, and a wheel may go far in a step.
    const { setTranslation, setRotation } = rapier.RigidBody.prototype;
    for (let index = 0; index < vehicle.numWheels; index++) {
      const body = this.#bodies.get(parts[index + 1] ?? NO_HANDLE);
      const id = body && physics.bodyIdOf(body);
      if (body === undefined || id === undefined) continue;
      const { translation, rotation } = vehicle.place(chassis, index);
      setTranslation.call(body, translation, false);
      setRotation.call(body, rotation, false);
      physics.publish(id, how);
    }
  }
}
