/** Warnings of mistakes in worlds whose only sign is that something does not happen. Loaded only in development. */
import { later } from '../../render-main/util/later.js';
import { fedSinks, warnOnce } from '../../shared/util/development.js';
import { UNMET_PAIR, type UnmetPair } from '../shared/world-batch.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import { BodyHandle } from './body-handle.js';
import { ActiveEvents, RigidBodyType } from './constants.js';
import type { WorldEventRelay } from './world-events.js';
import type { WorldHandle } from './world-handle.js';
import type { WorldLink } from './world-link.js';

/** Watches a world from when its worker runs. */
export function watchWorld(
  simulation: WorldHandle,
  link: WorldLink,
  events: WorldEventRelay,
): void {
  warnOfUnmet(simulation, link);
  watchInputs(simulation);
  let before: ReadonlySet<number> = new Set();
  const check = (): void => {
    if (link.isDisposed) return;
    warnOfNoMass(link, before);
    warnOfNoEvents(link, before, events);
    warnOfNoInputs(simulation, link, before);
    before = new Set([
      ...handlesOf(link, 'body'),
      ...handlesOf(link, 'collider'),
      ...controlled(link),
    ]);
    later(check);
  };
  check();
}

const handlesOf = (link: WorldLink, kind: 'body' | 'collider'): Iterable<number> =>
  link.contents.all(kind).keys();

/** @param before What was there a while ago: the rest may not be complete. */
function warnOfNoMass(link: WorldLink, before: ReadonlySet<number>): void {
  for (const body of link.contents.all('body').values() as Iterable<BodyHandle>) {
    const { handle, fields } = body;
    if (!before.has(handle) || !body.isDynamic() || body.numColliders() > 0) continue;
    if (fields.enabled === false || fields.additionalMass || fields.additionalMassProperties)
      continue;
    warnOnce(
      'no mass',
      `${link.batches.names.nameOf('body', handle)} is dynamic, and has neither a collider nor a mass, so nothing moves ` +
        `it: give it a collider, ${
          isOfComponents(link.batches)
            ? 'such as a mesh that is drawn, or a mass'
            : 'with world.createCollider(desc, body), or a mass, with setAdditionalMass'
        }`,
    );
  }
}

const isOfComponents = ({ names }: WorldLink['batches']): boolean =>
  names.capacityOf !== 'createWorld';

const ACTIVE = { collision: 'COLLISION_EVENTS', contactForce: 'CONTACT_FORCE_EVENTS' } as const;

function warnOfNoEvents(
  { contents, batches }: WorldLink,
  before: ReadonlySet<number>,
  { handled }: WorldEventRelay,
): void {
  // Components set what their handlers need.
  if (isOfComponents(batches)) return;
  const colliders = [...contents.all('collider').values()] as unknown as readonly Collider[];
  if (!colliders.some(({ handle }) => before.has(handle))) return;
  for (const [name, bit] of Object.entries(ACTIVE)) {
    const isAsked = colliders.some(
      (collider) => (collider.activeEvents() & ActiveEvents[bit]) !== 0,
    );
    if (isAsked || !handled.has(name as keyof typeof ACTIVE)) continue;
    warnOnce(
      `no ${bit}`,
      `world.on('${name}') has a handler, and no collider asks for these events, so none comes: for one of each two, call ` +
        `setActiveEvents(ActiveEvents.${bit}) of its description`,
    );
  }
}

/** The handles of what the player controls. */
const controlled = ({ contents }: WorldLink): readonly number[] =>
  (['character', 'vehicle'] as const).flatMap((kind) =>
    [...contents.all(kind).values()].flatMap((item) => {
      const { inputs } = (item as unknown as { readonly fields: { readonly inputs?: unknown } })
        .fields;
      return inputs === undefined || inputs === null ? [] : [item.handle];
    }),
  );

/** Notes whether inputs come at all, from a source of the application's own. */
function watchInputs({ inputs }: WorldHandle): void {
  const { push } = inputs;
  inputs.push = (...given) => {
    fedSinks.add(inputs);
    return push.apply(inputs, given);
  };
}

function warnOfNoInputs(
  { inputs }: WorldHandle,
  link: WorldLink,
  before: ReadonlySet<number>,
): void {
  if (fedSinks.has(inputs) || !controlled(link).some((handle) => before.has(handle))) return;
  warnOnce(
    'no inputs',
    'setInputs lets keys and gamepads control something, and nothing sends them to the worker: keyboardSource(' +
      'simulation.inputs) or gamepadSource(simulation.inputs) of betwixt/inputs do, with simulation = await world.ready',
  );
}

/**
 * Warns of colliders that pass through each other without the event that was asked for: once for each type of pair. See
 * `unmet-pairs.ts` of the worker.
 */
function warnOfUnmet(simulation: WorldHandle, link: WorldLink): void {
  const find = (): void => {
    // If it fails, nothing is lost.
    simulation.queries.findUnmet().catch(() => {});
  };
  find();
  simulation.on('status', ({ kind }) => {
    if (['jumped', 'restarted', 'replaced'].includes(kind)) find();
  });
  const reporting = simulation as WorldHandle<{ readonly [UNMET_PAIR]: UnmetPair }>;
  reporting.on(
    UNMET_PAIR,
    ({ value: { colliders, types } }) => {
      const [one, other] = colliders.map((number) => link.colliderOf(number));
      if (one === undefined || other === undefined) return;
      warnOnce(
        `unmet pairs of world ${link.number}: ${types}`,
        `${inWords(one)} and ${inWords(other)} pass through each other, and no event says so: by default, only pairs ` +
          'with a dynamic body meet. For one, set activeCollisionTypes of one of them to ' +
          `ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.${types}`,
      );
    },
    { when: 'now' },
  );
}

function inWords(collider: Collider): string {
  const body = collider.parent();
  const kind = body?.isKinematic() === true ? 'kinematic' : 'fixed';
  const what = `the ${collider.isSensor() ? 'sensor' : 'collider'} ${collider.handle}`;
  return body === null ? what : `${what} of the ${kind} body ${body.handle}`;
}

const { Dynamic, Fixed, KinematicPositionBased } = RigidBodyType;
const TYPE_NAMES = ['dynamic', 'fixed', 'kinematic', 'kinematic'];

/** Methods that move only bodies of some types, and what to do for others. */
const MOVES: Readonly<Record<string, readonly [moves: (type: number) => boolean, cure: string]>> = {
  ...forAll(
    ['setNextKinematicTranslation', 'setNextKinematicRotation'],
    (type) => type === KinematicPositionBased,
    'make it with RigidBodyDesc.kinematicPositionBased(), or put it there with setTranslation or setRotation',
  ),
  ...forAll(
    ['setLinvel', 'setAngvel'],
    (type) => type !== Fixed && type !== KinematicPositionBased,
    'make it with RigidBodyDesc.dynamic() or kinematicVelocityBased()',
  ),
  ...forAll(
    [
      'applyImpulse',
      'applyTorqueImpulse',
      'applyImpulseAtPoint',
      'addForce',
      'addTorque',
      'addForceAtPoint',
    ],
    (type) => type === Dynamic,
    'make it with RigidBodyDesc.dynamic()',
  ),
};

function forAll(names: readonly string[], moves: (type: number) => boolean, cure: string) {
  return Object.fromEntries(names.map((name) => [name, [moves, cure] as const]));
}

type Method = (this: Watched, value: object, ...rest: unknown[]) => void;
type Watched = RigidBody & { readonly link: WorldLink };

/** Props of components are velocities that a body has when its type allows it. */
const IS_PROP = /^set(?:Lin|Ang)vel$/;

const prototype = BodyHandle.prototype as unknown as Record<string, Method>;
for (const [name, [moves, cure]] of Object.entries(MOVES)) {
  const method = prototype[name] as Method;
  prototype[name] = function watched(value, ...rest) {
    method.call(this, value, ...rest);
    const type = this.bodyType();
    // Applications stop bodies of any type.
    const isSomething = Object.values(value).some((part) => part !== 0);
    if (!this.isValid() || moves(type) || !isSomething) return;
    if (IS_PROP.test(name) && isOfComponents(this.link.batches)) return;
    warnOnce(
      `${name} of type ${type}`,
      `${name} does nothing to the body ${this.handle}, because it is ${TYPE_NAMES[type]}: ${cure}`,
    );
  };
}
