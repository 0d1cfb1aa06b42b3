/** Says what to write for members of Rapier's `World` that a world does not have: they would be "not a function", or undefined. */

const SYSTEM = "a system in the worker script has the engine's own world: defineSystem";
const SOFT_BODIES = `the page has no soft bodies; ${SYSTEM}`;

/** Substitutes by the names of the methods. */
const SUBSTITUTES: Readonly<Record<string, string>> = {
  takeSnapshot: 'await (await world.ready).save() saves the state',
  step: 'the worker steps. For single steps, pause it and await (await world.ready).step(1), or step() of useRapier()',
  free: 'await world.dispose() ends it; <Physics> does that when it is unmounted',
  propagateModifiedBodyPositionsToColliders: SYSTEM,
  ...Object.fromEntries(
    [
      'BroadPhase',
      'Ccd',
      'CcdBroadPhase',
      'CcdNarrowPhase',
      'CcdSolver',
      'CcdToiComputation',
      'CollisionDetection',
      'IslandConstruction',
      'NarrowPhase',
      'Solver',
      'Step',
      'UserChanges',
      'VelocityAssembly',
      'VelocityResolution',
      'VelocityUpdate',
      'VelocityWriteback',
    ].map((phase) => [`timing${phase}`, SYSTEM]),
  ),
  ...Object.fromEntries(
    [
      'addSoftBodyCluster',
      'createDeformableCollider',
      'createSoftBody',
      'cutSoftBody',
      'forEachSoftBody',
      'getSoftBody',
      'removeSoftBody',
      'removeSoftBodyCluster',
      'tearSoftBody',
      'wakeUpSoftBody',
    ].map((name) => [name, SOFT_BODIES]),
  ),
};

/** Substitutes by the names of the properties. */
const PROPERTY_SUBSTITUTES: Readonly<Record<string, string>> = {
  islands: `world.forEachActiveRigidBody has the bodies that are awake; ${SYSTEM}`,
  broadPhase: `ask with queries, such as world.castRay; ${SYSTEM}`,
  narrowPhase: `ask with world.contactPair or world.contactPairsWith; ${SYSTEM}`,
  ccdSolver: SYSTEM,
  physicsPipeline: SYSTEM,
  serializationPipeline: SUBSTITUTES['takeSnapshot'] as string,
  debugRenderPipeline: 'world.debugRender() has its lines',
  profilerEnabled: `(await world.ready).stats().stepMs has the time of steps; ${SYSTEM}`,
  characterControllers: 'keep what world.createCharacterController returns',
  vehicleControllers: 'keep what world.createVehicleController returns',
  pidControllers: 'keep what world.createPidController returns',
  softBodies: SOFT_BODIES,
};

/**
 * Defines the missing members: each throws an error that names the substitute, a method when it is called, and a property
 * when it is read or set.
 *
 * @param prototype Of the class. Its existing members stay as they are.
 */
export function explainMissing(prototype: object): void {
  for (const [name, substitute] of Object.entries(SUBSTITUTES)) {
    if (name in prototype) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value: () => {
        throw new Error(`there is no world.${name}() on the page: ${substitute}`);
      },
    });
  }
  for (const [name, substitute] of Object.entries(PROPERTY_SUBSTITUTES)) {
    if (name in prototype) continue;
    const explain = (): never => {
      throw new Error(`there is no world.${name} on the page: ${substitute}`);
    };
    Object.defineProperty(prototype, name, { configurable: true, get: explain, set: explain });
  }
}
