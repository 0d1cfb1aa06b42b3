/** Checks and warnings of development builds. Checked are the names of props, and values that are only used later or not at all. */
import { Object3D } from 'three';
import { warnOnce, warned } from '../shared/util/development.js';
import { describe, nearestName } from '../shared/util/validate.js';
import { BODY_TYPES, COLLIDER_SETTINGS, HANDLER_NAMES, OWN_PROPS } from './props.js';
import type { PhysicsProps } from './types.js';

/** An object, for the names of its properties. */
const object = new Object3D();

/** Whether fiber reads a prop itself, such as a handler of pointers, or sets it on an object. */
const isOfObject = (name: string): boolean => {
  const [first = name] = name.split('-');
  return (
    first in object ||
    ['key', 'attach', 'onUpdate', 'dispose'].includes(name) ||
    /^on[A-Z]/.test(name)
  );
};

const OF_BODY = [...OWN_PROPS];

const OF_COLLIDER = [
  ...Object.keys(COLLIDER_SETTINGS),
  'principalAngularInertia',
  ...HANDLER_NAMES,
  'position',
  'rotation',
  'quaternion',
  'scale',
  'name',
  'shape',
  'args',
  'children',
  'ref',
];

/** With the types that nothing else checks. A record, so that the compiler says which one is missing. */
const OF_PHYSICS: Readonly<Record<keyof PhysicsProps, 'boolean' | 'number' | 'function' | ''>> = {
  children: '',
  queries: 'boolean',
  gravity: '',
  allowedLinearError: '',
  predictionDistance: '',
  numSolverIterations: '',
  numInternalPgsIterations: '',
  minIslandSize: '',
  maxCcdSubsteps: '',
  contactNaturalFrequency: '',
  lengthUnit: '',
  colliders: '',
  timeStep: '',
  paused: 'boolean',
  interpolate: 'boolean',
  updatePriority: 'number',
  updateLoop: '',
  debug: 'boolean',
  worker: 'function',
  capacity: '',
  events: '',
  snapOver: '',
  transport: '',
  recovery: '',
  devtools: '',
  seed: '',
  onReady: 'function',
  onFailure: 'function',
  onSettled: 'function',
};

const OF_ATTRACTOR = [
  'position',
  'strength',
  'range',
  'type',
  'gravitationalConstant',
  'collisionGroups',
];

interface Known {
  readonly names: readonly string[];
  /** Whether the others go to an object of three.js. */
  readonly hasObject?: boolean;
}

const KNOWN = {
  body: { names: OF_BODY, hasObject: true },
  instances: {
    names: [...OF_BODY.filter((name) => name !== 'ignores'), 'instances', 'colliderNodes'],
    hasObject: true,
  },
  collider: { names: OF_COLLIDER },
  physics: { names: Object.keys(OF_PHYSICS) },
  meshCollider: { names: ['children', 'type'] },
  attractor: { names: OF_ATTRACTOR },
  gltf: { names: ['gltf', 'object', 'ref'], hasObject: true },
  wheel: { names: ['children', 'vehicle', 'index'], hasObject: true },
} as const satisfies Readonly<Record<string, Known>>;

const TYPES: Readonly<Record<string, string>> = { ...OF_PHYSICS, includeInvisible: 'boolean' };

const MASS_OF_BODY =
  'a body has none, as in @react-three/rapier. Set its density, or mass of a collider in it';
const STATE = 'bodies are drawn between the states of the worker, which no function changes';

/** Props that are accepted and do nothing. */
const WITHOUT_EFFECT: { readonly [Kind in keyof typeof KNOWN]?: Readonly<Record<string, string>> } =
  {
    body: { mass: MASS_OF_BODY, transformState: STATE },
    instances: {
      mass: MASS_OF_BODY,
      transformState: STATE,
      ignores: 'only a <RigidBody> has it',
    },
  };

/**
 * Warns once of a misspelt name, of a prop that does nothing, and of a value that counts as true or false.
 *
 * @param component As an application writes it.
 * @throws TypeError for a value of a wrong type that nothing else checks, and that has no meaning.
 */
export function checkProps(kind: keyof typeof KNOWN, component: string, props: object): void {
  if (typeof props !== 'object' || (props as object | null) === null) {
    throw new TypeError(`${component} must be an object of props, but is ${describe(props)}`);
  }
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined) continue;
    // A prop of another component may have any value.
    const { names }: Known = KNOWN[kind];
    if (names.includes(name)) requireType(component, name, value);
    if (name === 'type' && (kind === 'body' || kind === 'instances')) warnOfType(component, value);
    const about = `the prop ${name} of ${kind}`;
    // Most components have the same names.
    if (warned.has(about)) continue;
    const effect = WITHOUT_EFFECT[kind]?.[name];
    if (effect !== undefined) warnOnce(about, `${name} of ${component} has no effect: ${effect}`);
    else warnOfSpelling(kind, component, name, about);
    warned.add(about);
  }
  if (kind === 'physics') warnOfLoop(props as PhysicsProps);
}

function warnOfType(component: string, type: unknown): void {
  if (String(type) in BODY_TYPES) return;
  warnOnce(
    `the type ${JSON.stringify(type)}`,
    `type of ${component} must be one of ${Object.keys(BODY_TYPES).join(', ')}, but is ${JSON.stringify(type)}: ` +
      'the body is dynamic, as in @react-three/rapier',
  );
}

function warnOfLoop({ timeStep, updateLoop }: PhysicsProps): void {
  if (timeStep === 'vary') {
    warnOnce(
      'timeStep',
      `<Physics timeStep="vary"> has ticks of 1/60 s: a simulation in a worker does not follow the display, and is drawn ` +
        'between two ticks at any rate. Leave the prop out, or give it a number of seconds',
    );
  }
  if (updateLoop === 'follow') {
    warnOnce(
      'updateLoop',
      '<Physics updateLoop="follow"> has no effect: the simulation runs in a worker, independently of frames. Leave the ' +
        'prop out; for ticks that your code asks for, set paused and call step of useRapier',
    );
  }
}

/** @throws TypeError unless it is a function. @param hook The hook that is given it. */
export function checkCallback(hook: string, callback: unknown): void {
  if (typeof callback === 'function') return;
  throw new TypeError(`${hook} needs a function, but is given ${describe(callback)}`);
}

function requireType(component: string, name: string, value: unknown): void {
  if (value === null) return;
  const type = /^on[A-Z]/.test(name) ? 'function' : TYPES[name];
  if (!type || (typeof value === type && !Number.isNaN(value))) return;
  if (type === 'boolean' && name !== 'queries') {
    warnOnce(
      `the type of ${name}`,
      `${name} of ${component} must be a boolean, but is ${describe(value)}: it counts as ${Boolean(value)}`,
    );
    return;
  }
  const what = Number.isNaN(value) ? 'NaN' : describe(value);
  throw new TypeError(`${name} of ${component} must be a ${type}, but is ${what}`);
}

/** Warns of no other name: applications spread unrelated and old props into components, which ignore them. */
function warnOfSpelling(
  kind: keyof typeof KNOWN,
  component: string,
  name: string,
  about: string,
): void {
  const { names, hasObject = false }: Known = KNOWN[kind];
  if (names.includes(name) || (hasObject ? isOfObject(name) : name === 'key')) return;
  const nearest = nearestName(name, hasObject ? [...names, ...Object.keys(object)] : names);
  if (nearest === undefined || Math.abs(nearest.length - name.length) > 2) return;
  warnOnce(about, `${component} has no prop ${name}: did you mean ${nearest}?`);
}

/** Members of the context of `@react-three/rapier` that say nothing here: using one is warned of once, and reading it is not. */
export function warnOfEmptyMembers<Members extends Readonly<Record<string, object>>>(
  members: Members,
): Members {
  const watched = Object.entries(members).map(([name, empty]) => {
    const get = (target: object, key: string | symbol): unknown => {
      warnOnce(
        `${name} of useRapier`,
        `${name} of useRapier is always empty: bodies and colliders are in world.bodies and world.colliders, with handlers ` +
          'in their props, and filters are systems in the worker',
      );
      const member: unknown = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    };
    return [name, new Proxy(empty, { get })];
  });
  return Object.fromEntries(watched) as Members;
}

/**
 * @param children Of an `<InstancedRigidBodies>`.
 * @param mesh The one that draws its instances.
 */
export function warnOfChildren(children: readonly Object3D[], mesh: Object3D | undefined): void {
  if (mesh !== undefined && children.length === 1) return;
  const found = children.map(({ type }) => `<${type[0]?.toLowerCase()}${type.slice(1)}>`);
  warnOnce(
    `the children of instances: ${found.join()}`,
    `<InstancedRigidBodies> needs exactly one child, an <instancedMesh>, but has ${found.join(', ') || 'none'}: ` +
      (mesh === undefined
        ? 'its bodies are simulated and not drawn'
        : 'the first one is used. Put the others outside, and each mesh into its own <InstancedRigidBodies>'),
  );
}
