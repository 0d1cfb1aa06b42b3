/** The world's methods that answer at once, manifolds and payloads, as code for `@react-three/rapier` uses them. */
import type * as r from 'betwixt/react';
import { Object3D, Vector3 } from 'three';

type World = r.RapierContext['world'];

export function useWorld(world: World, rapier: r.RapierContext['rapier']): unknown[] {
  const { ColliderDesc, JointData, RigidBodyDesc } = rapier;
  world.gravity = { x: 0, y: -9.81, z: 0 };
  world.lengthUnit = 1;
  world.numSolverIterations = 4;
  world.numInternalPgsIterations = 1;
  world.maxCcdSubsteps = 1;
  world.integrationParameters.contact_natural_frequency = 30;
  world.integrationParameters.normalizedAllowedLinearError = 0.001;
  world.integrationParameters.normalizedPredictionDistance = 0.002;
  const body = world.createRigidBody(
    RigidBodyDesc.dynamic().setTranslation(0, 1, 0).setCcdEnabled(true),
  );
  const other = world.createRigidBody(new RigidBodyDesc(rapier.RigidBodyType.Fixed));
  const collider = world.createCollider(ColliderDesc.cuboid(1, 1, 1).setDensity(2), body);
  world.createCollider(
    ColliderDesc.ball(1).setSensor(true).setActiveEvents(rapier.ActiveEvents.COLLISION_EVENTS),
  );
  const anchor = new rapier.Vector3(0, 1, 0);
  const joint = world.createImpulseJoint(JointData.spherical(anchor, anchor), body, other, true);
  joint.setContactsEnabled(false);
  world.forEachRigidBody((one) => one.wakeUp());
  world.forEachActiveRigidBody((one) => one.setLinvel(new Vector3(), true));
  world.forEachCollider((one) => one.setFriction(1));
  world.bodies.forEach((one) => one.wakeUp());
  const handles = [
    ...world.bodies.getAll().map(({ handle }) => handle),
    ...world.colliders.getAll().map(({ handle }) => handle),
    ...world.impulseJoints.getAll().map(({ handle }) => handle),
  ];
  const known = [
    world.getRigidBody(body.handle)?.mass(),
    world.getCollider(collider.handle)?.mass(),
    world.getImpulseJoint(joint.handle)?.isValid(),
    world.bodies.get(body.handle)?.mass(),
  ];
  world.removeImpulseJoint(joint, true);
  world.removeCollider(collider, true);
  world.removeRigidBody(body);
  const shapes = [new rapier.Ball(1), new rapier.Cuboid(1, 1, 1), new rapier.Capsule(1, 1)];
  const ray = new rapier.Ray(anchor, { x: 0, y: -1, z: 0 });
  const count = world.bodies.len() + world.colliders.len() + world.impulseJoints.len();
  const step = world.timestep + world.integrationParameters.dt;
  return [handles, known, shapes, ray.origin.x, ray.dir.y, count, step, rapier.ActiveHooks.NONE];
}

export function useManifold({ manifold, flipped }: r.CollisionEnterPayload): unknown[] {
  const points = Array.from({ length: manifold.numContacts() }, (_, index) => [
    manifold.localContactPoint1(index)?.x,
    manifold.localContactPoint2(index)?.x,
    manifold.contactDist(index) + manifold.contactImpulse(index),
    manifold.contactFid1(index) + manifold.contactFid2(index),
    manifold.contactTangentImpulseX(index) + manifold.contactTangentImpulseY(index),
  ]);
  const solved = Array.from({ length: manifold.numSolverContacts() }, (_, index) => [
    manifold.solverContactPoint(index).x + manifold.solverContactDist(index),
    manifold.solverContactFriction(index) + manifold.solverContactRestitution(index),
    manifold.solverContactTangentVelocity(index).x,
  ]);
  const normals = [manifold.normal(), manifold.localNormal1(), manifold.localNormal2()];
  const parts = [manifold.subshape1(), manifold.subshape2()];
  manifold.free();
  return [flipped, points, solved, normals.map(({ x }) => x), parts];
}

const onEnter: r.CollisionEnterHandler = ({ manifold: { normal } }) => console.log(normal);
const onExit: r.CollisionExitHandler = ({ other: { rigidBody: body } }) => console.log(body);
const onOverlap: r.IntersectionEnterHandler = (given) => console.log(given.target);
const onOverlapEnd: r.IntersectionExitHandler = onOverlap;
const onForce: r.ContactForceHandler = ({ totalForceMagnitude }) =>
  console.log(totalForceMagnitude);

/** Payloads that a test of handlers makes by hand. */
export function payloads(
  collider: r.RapierCollider,
  rigidBody: r.RapierRigidBody,
  getter: r.RefGetter<r.RapierRigidBody>,
  manifold: r.CollisionEnterPayload['manifold'],
): void {
  const target: r.CollisionTarget = { collider, rigidBody, rigidBodyObject: new Object3D() };
  const other: r.CollisionTarget = { collider };
  const payload: r.CollisionPayload = { target, other, ...other };
  const exit: r.CollisionExitPayload = payload;
  const overlap: r.IntersectionEnterPayload & r.IntersectionExitPayload = payload;
  const enter: r.CollisionEnterPayload = { ...payload, manifold, flipped: false };
  const force: r.ContactForcePayload = {
    ...payload,
    totalForce: { x: 1, y: 2, z: 3 },
    totalForceMagnitude: 1,
    maxForceDirection: { x: 1, y: 2, z: 3 },
    maxForceMagnitude: 1,
  };
  onEnter(enter);
  onExit(exit);
  onOverlap(overlap);
  onOverlapEnd(overlap);
  onForce(force);
  console.log(getter.current()?.handle);
}
