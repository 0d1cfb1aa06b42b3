/** Which props of a body go to its object. */
import { BODY_SETTINGS, COLLIDER_SETTINGS, MASS_NAMES } from './settings.js';

/** Handlers of collisions: of bodies and of colliders. */
export const HANDLER_NAMES = [
  'onCollisionEnter',
  'onCollisionExit',
  'onIntersectionEnter',
  'onIntersectionExit',
  'onContactForce',
] as const;

/** Those of a body and its colliders, which its object does not have. */
export const OWN_PROPS: ReadonlySet<string> = new Set<string>([
  ...Object.keys(BODY_SETTINGS),
  ...Object.keys(COLLIDER_SETTINGS),
  ...MASS_NAMES,
  'principalAngularInertia',
  'canSleep',
  'colliders',
  'includeInvisible',
  'ignores',
  'shape',
  'args',
  ...HANDLER_NAMES,
  'onSleep',
  'onWake',
  'transformState',
  'children',
  'ref',
]);

/** The props of the object itself. */
export function objectProps(props: object): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const name in props) {
    const value = (props as Record<string, unknown>)[name];
    // Fiber leaves the last value for one that is undefined, and sets the default for one that is missing.
    if (!OWN_PROPS.has(name) && value !== undefined) rest[name] = value;
  }
  return rest;
}
