/** A world of Jolt Physics, which is saved and restored through a recorder. */
import type { Pose } from 'betwixt/worker';
import type initJolt from 'jolt-physics';

export type Jolt = Awaited<ReturnType<typeof initJolt>>;
export type Vector = readonly [x: number, y: number, z: number];
export type Body = InstanceType<Jolt['Body']>;

const ORIGIN: Pose = { x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 };
/** Slower impacts are not reported, in m/s. */
const SLOWEST_IMPACT = 5;

export function createJoltWorld(jolt: Jolt, onImpact: (at: Vector, speed: number) => void) {
  // Jolt frees nothing by itself: this goes with the world.
  const owned: unknown[] = [];
  const own = <T>(made: T): T => (owned.push(made), made);

  // One layer for all bodies. The world frees these three itself.
  const pairs = new jolt.ObjectLayerPairFilterTable(1);
  pairs.EnableCollision(0, 0);
  const trees = new jolt.BroadPhaseLayerInterfaceTable(1, 1);
  trees.MapObjectToBroadPhaseLayer(0, own(new jolt.BroadPhaseLayer(0)));
  const treeFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(trees, 1, pairs, 1);
  const layers = own(new jolt.JoltSettings());
  layers.mObjectLayerPairFilter = pairs;
  layers.mBroadPhaseLayerInterface = trees;
  layers.mObjectVsBroadPhaseLayerFilter = treeFilter;
  const physics = own(new jolt.JoltInterface(layers));
  const system = physics.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();

  // Jolt calls these with addresses in its memory.
  const listener = Object.assign(own(new jolt.ContactListenerJS()), {
    OnContactValidate: () => jolt.ValidateResult_AcceptAllContactsForThisBodyPair,
    OnContactAdded(first: number, second: number, manifold: number) {
      const contact = jolt.wrapPointer(manifold, jolt.ContactManifold);
      const along = (body: number) =>
        jolt.wrapPointer(body, jolt.Body).GetLinearVelocity().Dot(contact.mWorldSpaceNormal);
      const speed = along(first) - along(second);
      const at = contact.GetWorldSpaceContactPointOn1(0);
      if (speed > SLOWEST_IMPACT) onImpact([at.GetX(), at.GetY(), at.GetZ()], speed);
    },
    OnContactPersisted() {},
    OnContactRemoved() {},
  });
  system.SetContactListener(listener);

  let bytes: number[] = [];
  let read = 0;
  const recorder = Object.assign(own(new jolt.StateRecorderJS()), {
    WriteBytes(from: number, count: number) {
      for (const byte of jolt.HEAPU8.subarray(from, from + count)) bytes.push(byte);
    },
    ReadBytes(to: number, count: number) {
      jolt.HEAPU8.set(bytes.slice(read, (read += count)), to);
    },
    IsEOF: () => read > bytes.length,
    IsFailed: () => false,
  });

  function add(shape: InstanceType<Jolt['Shape']>, pose: Pose, motion: number): Body {
    const position = own(new jolt.RVec3(pose.x, pose.y, pose.z));
    const rotation = own(new jolt.Quat(pose.qx, pose.qy, pose.qz, pose.qw));
    const settings = new jolt.BodyCreationSettings(shape, position, rotation, motion, 0);
    const body = bodies.CreateBody(own(settings));
    bodies.AddBody(body.GetID(), jolt.EActivation_Activate);
    return body;
  }

  // For all rays and moves.
  const ray = own(new jolt.RRayCast());
  const raySettings = own(new jolt.RayCastSettings());
  const anything = [
    own(new jolt.BroadPhaseLayerFilter()),
    own(new jolt.ObjectLayerFilter()),
    own(new jolt.BodyFilter()),
    own(new jolt.ShapeFilter()),
  ] as const;
  const target = own(new jolt.RVec3());

  function free(): void {
    for (const made of owned.toReversed()) jolt.destroy(made);
  }

  return {
    step: (dt: number) => physics.Step(dt, 1),

    addGround(points: Float32Array, indices: Uint32Array) {
      const mesh = own(new jolt.MeshShapeSettings());
      mesh.mTriangleVertices.resize(points.length / 3);
      jolt.HEAPF32.set(points, jolt.getPointer(mesh.mTriangleVertices.at(0)) / 4);
      const triangle = own(new jolt.IndexedTriangle(0, 0, 0, 0));
      for (let at = 0; at < indices.length; at += 3) {
        for (const corner of [0, 1, 2]) triangle.set_mIdx(corner, indices[at + corner] as number);
        mesh.mIndexedTriangles.push_back(triangle);
      }
      mesh.Sanitize();
      add(mesh.Create().Get(), ORIGIN, jolt.EMotionType_Static);
    },

    addBox([x, y, z]: Vector, pose: Pose, isKinematic: boolean) {
      const shape = new jolt.BoxShape(own(new jolt.Vec3(x / 2, y / 2, z / 2)));
      const { EMotionType_Kinematic, EMotionType_Dynamic } = jolt;
      return add(shape, pose, isKinematic ? EMotionType_Kinematic : EMotionType_Dynamic);
    },

    /** Moves a kinematic body within the next step. */
    move(body: Body, to: Vector, dt: number) {
      target.Set(...to);
      bodies.MoveKinematic(body.GetID(), target, body.GetRotation(), dt);
    },

    /** The body that a ray meets first, and after which part of the ray. */
    castRay(from: Vector, along: Vector) {
      ray.mOrigin.Set(...from);
      ray.mDirection.Set(...along);
      const hit = new jolt.CastRayClosestHitCollisionCollector();
      system.GetNarrowPhaseQuery().CastRay(ray, raySettings, hit, ...anything);
      const { mBodyID, mFraction: fraction } = hit.mHit;
      const body = hit.HadHit() ? system.GetBodyLockInterface().TryGetBody(mBodyID) : undefined;
      jolt.destroy(hit);
      return { body, fraction };
    },

    save(): Uint8Array {
      bytes = [];
      system.SaveState(recorder);
      return Uint8Array.from(bytes);
    },

    /** In a world with the same bodies, made in the same order. If it cannot, it frees the world and throws. */
    restore(state: Uint8Array): void {
      bytes = [...state];
      read = 0;
      if (system.RestoreState(recorder)) return;
      free();
      throw new RangeError('Jolt cannot restore this state');
    },

    free,
  };
}
