/** Says what to write for names of Rapier that `rapier` of `useRapier` does not have. Loaded only in development. */

const SYSTEM = "a system in the worker script has the engine's own classes: see useSystem";
const CREATED = (method: string) => `world.${method} makes one, and useRapier() has the world`;

/** Names of Rapier that are not on the page, with what to write instead. */
const NOT_ON_PAGE: Readonly<Record<string, string>> = {
  World:
    '<Physics> makes the world, which useRapier() has; without React, createWorld of betwixt/world does',
  init: '<Physics> loads the engine: leave the call out',
  version: 'the worker has the engine: leave the call out',
  reserveMemory: 'the worker has the engine: leave the call out',
  EventQueue: 'handlers such as onCollisionEnter, and world.on(…), tell what happens',
  KinematicCharacterController: CREATED('createCharacterController(offset)'),
  DynamicRayCastVehicleController: CREATED('createVehicleController(chassis)'),
  PidController: CREATED('createPidController(…)'),
  IntegrationParameters: 'props of <Physics>, or world.integrationParameters, set them',
  ...Object.fromEntries(
    [
      'Fixed',
      'Generic',
      'Prismatic',
      'Revolute',
      'Rope',
      'Spherical',
      'Spring',
      'Unit',
      '',
    ].flatMap((kind) => [
      [`${kind}ImpulseJoint`, CREATED('createImpulseJoint(…)')],
      [`${kind}MultibodyJoint`, CREATED('createMultibodyJoint(…)')],
    ]),
  ),
  ...Object.fromEntries(
    [
      'BroadPhase',
      'CCDSolver',
      'CharacterCollision',
      'ColliderSet',
      'ColliderShapeCastHit',
      'DebugRenderBuffers',
      'DebugRenderPipeline',
      'ImpulseJointSet',
      'IslandManager',
      'JointAxis',
      'MassPropsMode',
      'MultibodyJointSet',
      'NarrowPhase',
      'PhysicsPipeline',
      'PointColliderProjection',
      'PointProjection',
      'RayColliderHit',
      'RayColliderIntersection',
      'RayIntersection',
      'RigidBodySet',
      'RotationOps',
      'SdpMatrix3Ops',
      'SerializationPipeline',
      'ShapeCastHit',
      'ShapeContact',
      'TempContactForceEvent',
      'TempContactManifold',
      'VectorOps',
      'scratchBuffer',
    ].map((name) => [name, SYSTEM]),
  ),
};

const NoClass = function () {};

/** @returns The names that the page has, and those that it lacks: using one of these throws an error that says what to write. */
export function withMissingNames<Names extends object>(names: Names): Names {
  const missing = Object.entries(NOT_ON_PAGE).map(([name, instead]) => {
    const explain = (): never => {
      throw new Error(`there is no rapier.${name} on the page: ${instead}`);
    };
    // A class, a function or an enumeration; for instanceof, it is a class without instances.
    const get = (target: object, key: string | symbol): unknown =>
      typeof key === 'symbol' || key === 'prototype' ? Reflect.get(target, key) : explain();
    return [name, new Proxy(NoClass, { apply: explain, construct: explain, get })];
  });
  return { ...Object.fromEntries(missing), ...names } as Names;
}
