/** A world of Jolt Physics, with what the simulation needs of it. Jolt frees nothing by itself. */
import type { Pose } from 'betwixt/worker';
import type initJolt from 'jolt-physics';

export type Jolt = Awaited<ReturnType<typeof initJolt>>;
export type Vector = readonly [x: number, y: number, z: number];

const ORIGIN: Pose = { x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 };
/** Slower impacts are not reported, in m/s. */
const SLOWEST_IMPACT = 5;

export function createJoltWorld(jolt: Jolt, onImpact: (at: Vector, speed: number) => void) {
  /** Destroys what a function has made with `own` when it returns. */
  function scoped<R>(act: (own: <T>(made: T) => T) => R): R {
    const all: unknown[] = [];
    const result = act((made) => (all.push(made), made));
    for (const made of all) jolt.destroy(made);
    return result;
  }

  const physics = scoped((own) => {
    // One layer for all bodies. The world frees these three with itself.
    const pairs = new jolt.ObjectLayerPairFilterTable(1);
    pairs.EnableCollision(0, 0);
    const trees = new jolt.BroadPhaseLayerInterfaceTable(1, 1);
    trees.MapObjectToBroadPhaseLayer(0, own(new jolt.BroadPhaseLayer(0)));
    const treeFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(trees, 1, pairs, 1);
    const settings = own(new jolt.JoltSettings());
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = trees;
    settings.mObjectVsBroadPhaseLayerFilter = treeFilter;
    return new jolt.JoltInterface(settings);
  });
  const system = physics.GetPhysicsSystem();
  const bodies = system.GetBodyInterface();

  // Jolt calls these with addresses in its memory.
  const listener = Object.assign(new jolt.ContactListenerJS(), {
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
  const recorder = Object.assign(new jolt.StateRecorderJS(), {
    WriteBytes(from: number, count: number) {
      for (const byte of jolt.HEAPU8.subarray(from, from + count)) bytes.push(byte);
    },
    ReadBytes(to: number, count: number) {
      jolt.HEAPU8.set(bytes.slice(read, (read += count)), to);
    },
    IsEOF: () => read > bytes.length,
    IsFailed: () => false,
  });

  const add = (shape: InstanceType<Jolt['Shape']>, pose: Pose, motion: number) =>
    scoped((own) => {
      const position = own(new jolt.RVec3(pose.x, pose.y, pose.z));
      const rotation = own(new jolt.Quat(pose.qx, pose.qy, pose.qz, pose.qw));
      const settings = new jolt.BodyCreationSettings(shape, position, rotation, motion, 0);
      const body = bodies.CreateBody(own(settings));
      bodies.AddBody(body.GetID(), jolt.EActivation_Activate);
      return body;
    });

  return {
    step: (dt: number) => physics.Step(dt, 1),

    addGround: (points: Float32Array, indices: Uint32Array) =>
      scoped((own) => {
        const mesh = own(new jolt.MeshShapeSettings());
        mesh.mTriangleVertices.resize(points.length / 3);
        jolt.HEAPF32.set(points, jolt.getPointer(mesh.mTriangleVertices.at(0)) / 4);
        for (let at = 0; at < indices.length; at += 3) {
          const [a = 0, b = 0, c = 0] = indices.subarray(at, at + 3);
          mesh.mIndexedTriangles.push_back(own(new jolt.IndexedTriangle(a, b, c, 0)));
        }
        mesh.Sanitize();
        add(mesh.Create().Get(), ORIGIN, jolt.EMotionType_Static);
      }),

    addBox: ([x, y, z]: Vector, pose: Pose, isKinematic: boolean) =>
      scoped((own) => {
        const shape = new jolt.BoxShape(own(new jolt.Vec3(x / 2, y / 2, z / 2)));
        const { EMotionType_Kinematic, EMotionType_Dynamic } = jolt;
        return add(shape, pose, isKinematic ? EMotionType_Kinematic : EMotionType_Dynamic);
      }),

    /** Moves a kinematic body within the next step. */
    move: (body: InstanceType<Jolt['Body']>, to: Vector, dt: number) =>
      scoped((own) => {
        bodies.MoveKinematic(body.GetID(), own(new jolt.RVec3(...to)), body.GetRotation(), dt);
      }),

    /** The body that a ray meets first, and after which part of its length. */
    castRay: (from: Vector, ray: Vector) =>
      scoped((own) => {
        const [origin, direction] = [own(new jolt.RVec3(...from)), own(new jolt.Vec3(...ray))];
        const hit = own(new jolt.CastRayClosestHitCollisionCollector());
        const query = system.GetNarrowPhaseQuery();
        query.CastRay(
          own(new jolt.RRayCast(origin, direction)),
          own(new jolt.RayCastSettings()),
          hit,
          own(new jolt.BroadPhaseLayerFilter()),
          own(new jolt.ObjectLayerFilter()),
          own(new jolt.BodyFilter()),
          own(new jolt.ShapeFilter()),
        );
        if (!hit.HadHit()) return undefined;
        const { mBodyID, mFraction } = hit.mHit;
        return { body: system.GetBodyLockInterface().TryGetBody(mBodyID), fraction: mFraction };
      }),

    save(): Uint8Array {
      bytes = [];
      system.SaveState(recorder);
      return Uint8Array.from(bytes);
    },

    /** In a world with the same bodies, made in the same order. */
    restore(state: Uint8Array): void {
      bytes = [...state];
      read = 0;
      if (!system.RestoreState(recorder)) throw new RangeError('Jolt cannot restore this state');
    },

    free(): void {
      for (const made of [physics, listener, recorder]) jolt.destroy(made);
    },
  };
}
