/** Every method of refs and of the world that answers at once, as code for `@react-three/rapier` calls it. */
import type {
  CollisionEnterPayload,
  RapierCollider,
  RapierContext,
  RapierRigidBody,
} from 'betwixt/react';
import { Quaternion, Vector3 } from 'three';

type World = RapierContext['world'];

export function useBody(body: RapierRigidBody): unknown[] {
  const { x, y, z } = body.translation();
  const position = new Vector3(x, y, z).add(body.linvel());
  const turn = new Quaternion().copy(body.rotation());
  body.userData = { position };
  body.setTranslation(position, true);
  body.setRotation(turn, true);
  body.setLinvel({ x, y, z }, true);
  body.setAngvel(position, true);
  body.setNextKinematicTranslation({ ...body.nextTranslation(), y: 1 });
  body.setNextKinematicRotation(body.nextRotation());
  body.applyImpulse(position, true);
  body.applyImpulseAtPoint(position, position, true);
  body.applyTorqueImpulse(position, true);
  body.addForce(position, true);
  body.addForceAtPoint(position, position, true);
  body.addTorque(position, true);
  body.resetForces(true);
  body.resetTorques(true);
  body.lockRotations(true, true);
  body.lockTranslations(false, true);
  body.setEnabledRotations(true, false, true, true);
  body.setEnabledTranslations(true, false, true, true);
  body.restrictRotations(true, false, true, true);
  body.restrictTranslations(true, false, true, true);
  body.enableCcd(!body.isCcdEnabled());
  body.setSoftCcdPrediction(body.softCcdPrediction());
  body.setBodyType(body.bodyType(), true);
  body.setEnabled(body.isEnabled());
  body.setGravityScale(body.gravityScale(), true);
  body.setLinearDamping(body.linearDamping());
  body.setAngularDamping(body.angularDamping());
  body.setDominanceGroup(body.dominanceGroup());
  body.setAdditionalSolverIterations(body.additionalSolverIterations());
  body.setAdditionalMass(1, true);
  body.setAdditionalMassProperties(1, position, position, turn, true);
  body.recomputeMassPropertiesFromColliders();
  body.sleep();
  body.wakeUp();
  if (body.numColliders() > 0) body.collider(0).setFriction(1);
  return [
    body.handle,
    body.isValid(),
    body.isFixed() || body.isKinematic() || body.isDynamic(),
    body.isSleeping() || body.isMoving(),
    body.angvel().x + body.velocityAtPoint(position).y,
    body.mass() + body.invMass() + body.effectiveInvMass().x,
    body.localCom().x + body.worldCom().x,
    body.principalInertia().x + body.invPrincipalInertia().x,
    body.principalInertiaLocalFrame().w,
    body.effectiveAngularInertia().m11 + body.effectiveWorldInvInertia().m11,
    body.userForce().x + body.userTorque().x,
  ];
}

export function useCollider(collider: RapierCollider): unknown[] {
  collider.setTranslation(collider.translation());
  collider.setRotation(collider.rotation());
  collider.setTranslationWrtParent(collider.translationWrtParent() ?? { x: 0, y: 0, z: 0 });
  collider.setRotationWrtParent(collider.rotationWrtParent() ?? { x: 0, y: 0, z: 0, w: 1 });
  collider.setShape(collider.shape);
  collider.setHalfExtents({ ...collider.halfExtents(), x: collider.halfExtents().x * 2 });
  collider.setRadius(collider.radius() * 2);
  collider.setHalfHeight(collider.halfHeight() * 2);
  collider.setRoundRadius(collider.roundRadius() * 2);
  collider.setSensor(!collider.isSensor());
  collider.setEnabled(!collider.isEnabled());
  collider.setFriction(collider.friction());
  collider.setRestitution(collider.restitution());
  collider.setFrictionCombineRule(collider.frictionCombineRule());
  collider.setRestitutionCombineRule(collider.restitutionCombineRule());
  collider.setCollisionGroups(collider.collisionGroups());
  collider.setSolverGroups(collider.solverGroups());
  collider.setActiveEvents(collider.activeEvents());
  collider.setActiveHooks(collider.activeHooks());
  collider.setActiveCollisionTypes(collider.activeCollisionTypes());
  collider.setContactSkin(collider.contactSkin());
  collider.setContactForceEventThreshold(collider.contactForceEventThreshold());
  collider.setDensity(collider.density());
  collider.setMass(collider.mass());
  const zero = { x: 0, y: 0, z: 0 };
  collider.setMassProperties(1, zero, zero, new Quaternion());
  return [
    collider.handle,
    collider.isValid(),
    collider.parent()?.handle,
    collider.shapeType(),
    collider.volume(),
    collider.vertices().length + (collider.indices()?.length ?? 0),
    collider.heightfieldHeights().length + collider.heightfieldScale().x,
    collider.heightfieldNRows() * collider.heightfieldNCols(),
  ];
}

export function useWorld(world: World, rapier: RapierContext['rapier']): unknown[] {
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

export function useManifold({ manifold, flipped }: CollisionEnterPayload): unknown[] {
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
