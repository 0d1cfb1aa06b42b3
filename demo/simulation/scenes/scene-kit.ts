/**
 * The kit with which scenes are built: one call adds a thing to the engine's world and notes how it looks.
 */
import type { Collider, ImpulseJoint, JointData, RigidBody } from '@dimforge/rapier3d-simd-compat';
import { Random, type BodyId, type Json } from '../../../src/shared/index.js';
import type { Pose } from '../../../src/sim-worker/index.js';
import type { Rapier, RapierWorld, RigidBodyRef } from '../../../src/rapier/rapier.js';
import type {
  BodyLook,
  Part,
  Rotation,
  StaticLook,
  Vector,
} from '../../contract/scene-contract.js';
import { SceneEvents, type HitLimit, type SceneReporter } from '../scene-events.js';
import { colliderOf } from '../shapes.js';
import { IDENTITY, xyz, xyzw } from '../vectors.js';

/** How a surface touches others. */
export interface Material {
  /** 0.6 when left out. */
  readonly friction?: number;
  /** 0 when left out. */
  readonly restitution?: number;
}

export interface BodyOptions extends Material {
  readonly position: Vector;
  readonly rotation?: Rotation;
  /** m/s. */
  readonly velocity?: Vector;
  /** rad/s, in world space. */
  readonly spin?: Vector;
  /** Density of all parts, in t/m³; 1 when left out. */
  readonly density?: number;
  /** Drawn, but not solid. */
  readonly decoration?: readonly Part[];
  /** Waits, even in mid-air, until something touches or wakes it. */
  readonly isAsleep?: boolean;
  /** Never falls asleep. */
  readonly isRestless?: boolean;
  /** Continuous collision detection, for fast or small bodies. */
  readonly isFast?: boolean;
  /** Damping of the velocity and of the spin, in 1/s; none when left out. */
  readonly damping?: readonly [linear: number, angular: number];
  /** 0 floats. */
  readonly gravityScale?: number;
  /** Extra solver iterations for everything joined to it: for chains with heavy ends. */
  readonly extraIterations?: number;
  /** Members of one group do not collide with each other; 1 to 15. */
  readonly group?: number;
  /**
   * How hard a hit must be to be reported to the page; `none`: never. The usual limit when left
   * out.
   */
  readonly hit?: HitLimit | 'none';
  /** Kinematic, moved by the scene: pushes others, and nothing pushes it. */
  readonly isKinematic?: boolean;
}

/** A published body that the engine does not know: the scene writes its poses. */
export interface PosedBody {
  readonly parts: readonly Part[];
  readonly start: Pose;
  /** Set when the scene starts. */
  id: BodyId | undefined;
}

export interface SceneKitParts {
  readonly rapier: Rapier;
  /** With gravity, and nothing in it. */
  readonly physics: RapierWorld;
  readonly reporter: SceneReporter;
  readonly wantedBodies: number;
  readonly seed: number;
}

export class SceneKit {
  readonly rapier: Rapier;
  readonly physics: RapierWorld;
  readonly events: SceneEvents;
  readonly random: Random;
  /** Requested number of moving bodies. A scene has exactly this number, as the page shows it. */
  readonly wantedBodies: number;
  /** Never moves. Joints that end in the world are attached to it. */
  readonly anchor: RigidBody;
  readonly statics: StaticLook[] = [];
  readonly #dynamic: { readonly ref: RigidBodyRef; readonly parts: readonly Part[] }[] = [];
  readonly #posed: PosedBody[] = [];
  #sensors = 0;

  constructor({ rapier, physics, reporter, wantedBodies, seed }: SceneKitParts) {
    this.rapier = rapier;
    this.physics = physics;
    this.events = new SceneEvents(rapier, physics, reporter);
    this.random = new Random(seed);
    this.wantedBodies = wantedBodies;
    this.anchor = physics.world.createRigidBody(rapier.RigidBodyDesc.fixed());
  }

  /** Bodies that have been added. */
  get bodyCount(): number {
    return this.#dynamic.length + this.#posed.length;
  }

  /** Adds a moving body. It is published when the scene starts. */
  add(parts: Part | readonly Part[], options: BodyOptions): RigidBody {
    const solid = Array.isArray(parts) ? (parts as readonly Part[]) : [parts as Part];
    const rigidBody = this.#createRigidBody(options);
    for (const piece of solid) this.#attach(rigidBody, piece, options);
    if (options.hit !== 'none') this.events.watchHits(rigidBody, options.hit);
    const ref = this.physics.ref(rigidBody);
    this.#dynamic.push({ ref, parts: [...solid, ...(options.decoration ?? [])] });
    return rigidBody;
  }

  /** Adds a thing that never moves and is not published. */
  addStatic(
    piece: Part,
    position: Vector,
    orientation: Rotation = IDENTITY,
    material: Material = {},
  ): Collider {
    // Static parts are directly in the world, so they have no place in a body.
    const desc = colliderOf(this.rapier, piece)
      .setTranslation(position[0], position[1], position[2])
      .setRotation(xyzw(orientation))
      .setFriction(material.friction ?? 0.6)
      .setRestitution(material.restitution ?? 0);
    this.statics.push({ ...piece, position, orientation });
    return this.physics.world.createCollider(desc);
  }

  /**
   * Adds a sensor, which counts the bodies that enter it.
   *
   * @param look How it is drawn; it is not solid.
   * @param reach The volume that it detects, in the same place. Thicker than a body moves in a
   * step.
   */
  addSensor(look: Part, reach: Part, position: Vector, orientation: Rotation = IDENTITY): void {
    const sensor = (this.#sensors += 1);
    this.statics.push({ ...look, position, orientation, sensor });
    const desc = colliderOf(this.rapier, reach)
      .setTranslation(position[0], position[1], position[2])
      .setRotation(xyzw(orientation));
    this.events.addSensor(this.physics.world.createCollider(desc), sensor);
  }

  /** Adds a thing whose poses the scene writes, from `afterStep`, once it has an id. */
  addPosed(parts: readonly Part[], [x, y, z]: Vector): PosedBody {
    const posed: PosedBody = {
      parts,
      start: { x, y, z, qx: 0, qy: 0, qz: 0, qw: 1 },
      id: undefined,
    };
    this.#posed.push(posed);
    return posed;
  }

  /** Joins two bodies, which then no longer collide with each other. */
  join(joint: JointData, a: RigidBody, b: RigidBody): ImpulseJoint {
    const joined = this.physics.world.createImpulseJoint(joint, a, b, false);
    joined.setContactsEnabled(false);
    return joined;
  }

  /** Publishes everything that was added. Its bodies must be fewer than there are free slots. */
  publish(): void {
    for (const { ref } of this.#dynamic) if (ref.body) this.physics.add(ref.body);
    for (const posed of this.#posed) posed.id = this.physics.bodies.spawn(posed.start);
  }

  /** The published bodies that are still there. */
  describe(): BodyLook[] {
    const dynamic = this.#dynamic.flatMap(({ ref, parts }): BodyLook[] => {
      const id = ref.body && this.physics.bodyIdOf(ref.body);
      return id === undefined ? [] : [{ id, parts }];
    });
    const posed = this.#posed.flatMap(({ id, parts }): BodyLook[] =>
      id !== undefined && this.physics.bodies.isAlive(id) ? [{ id, parts }] : [],
    );
    return [...dynamic, ...posed];
  }

  /**
   * The published bodies that the engine does not know. The rest is in the engine's saved world.
   */
  save(): Json {
    return this.#posed.map(({ id }) => id ?? null);
  }

  /** Restores the state of a kit that is rebuilt. */
  restore(saved: Json): void {
    const ids = saved as readonly (BodyId | null)[];
    this.#posed.forEach((posed, index) => (posed.id = ids[index] ?? undefined));
  }

  #createRigidBody(options: BodyOptions): RigidBody {
    const { RigidBodyDesc } = this.rapier;
    const [x, y, z] = options.position;
    const desc = options.isKinematic
      ? RigidBodyDesc.kinematicVelocityBased()
      : RigidBodyDesc.dynamic();
    desc.setTranslation(x, y, z).setRotation(xyzw(options.rotation ?? IDENTITY));
    if (options.velocity) desc.setLinvel(...options.velocity);
    if (options.spin) desc.setAngvel(xyz(options.spin));
    if (options.damping) {
      desc.setLinearDamping(options.damping[0]).setAngularDamping(options.damping[1]);
    }
    desc.setGravityScale(options.gravityScale ?? 1);
    desc.setSleeping(options.isAsleep ?? false).setCanSleep(!options.isRestless);
    desc.setCcdEnabled(options.isFast ?? false);
    desc.setAdditionalSolverIterations(options.extraIterations ?? 0);
    return this.physics.world.createRigidBody(desc);
  }

  #attach(rigidBody: RigidBody, piece: Part, options: BodyOptions): void {
    const desc = colliderOf(this.rapier, piece)
      .setDensity(options.density ?? 1)
      .setFriction(options.friction ?? 0.6)
      .setRestitution(options.restitution ?? 0);
    if (options.group) {
      // Membership in the upper half word, collision filter in the lower one.
      const member = 1 << options.group;
      desc.setCollisionGroups(((member << 16) | (0xffff & ~member)) >>> 0);
    }
    this.physics.world.createCollider(desc, rigidBody);
  }
}
