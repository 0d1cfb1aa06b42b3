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
};

const JOINT = /^[A-Za-z]*(Impulse|Multibody)Joint$/;

/** @returns Undefined for a name that Rapier does not have, either. */
function substituteOf(name: string): string | undefined {
  const [, kind] = JOINT.exec(name) ?? [];
  if (kind !== undefined) return CREATED(`create${kind}Joint(…)`);
  return NOT_ON_PAGE[name] ?? (/^[A-Z]/.test(name) ? SYSTEM : undefined);
}

const NoClass = function () {};

/** @returns The names that the page has, and any other: using one of these throws an error that says what to write. */
export const withMissingNames = <Names extends object>(names: Names): Names =>
  new Proxy(names, {
    get(target, name) {
      const instead = typeof name === 'symbol' || name in target ? undefined : substituteOf(name);
      return instead === undefined
        ? (Reflect.get(target, name) as unknown)
        : missing(String(name), instead);
    },
  });

function missing(name: string, instead: string): unknown {
  const explain = (): never => {
    throw new Error(`there is no rapier.${name} on the page: ${instead}`);
  };
  // A class, a function or an enumeration; for instanceof, it is a class without instances.
  const get = (target: object, key: string | symbol): unknown =>
    typeof key === 'symbol' || key === 'prototype' ? Reflect.get(target, key) : explain();
  return new Proxy(NoClass, { apply: explain, construct: explain, get });
}
