/** `<Attractor>`. */
import { isDevelopment } from '../shared/util/development.js';
import { checkProps } from './development.js';
import { naming, useLateErrors } from './errors.js';
import type { ThreeElements } from '@react-three/fiber';
import { useContext, useEffect, useLayoutEffect, useRef, useState, type JSX } from 'react';
import { Vector3, type Object3D } from 'three';
import type { Vector } from '../shared/util/vectors.js';
import {
  ATTRACTOR,
  ATTRACTOR_TYPES,
  type AttractorFields,
  type AttractorGravityType,
} from '../world/shared/built-in-systems.js';
import { checkOptions, choice, number, optional, type Checked } from '../shared/util/options.js';
import type { RigidBody, SystemHandle } from '../world/page/index.js';
import { builtInSystem } from './systems.js';
import { BodyContext, type BodyOwner } from './body-owner.js';
import { usePhysics } from './physics-context.js';
import type { PhysicsScope } from './physics-scope.js';
import { withoutUndefined } from './props.js';
import { placementBelow } from '../three/scene-space.js';
import { DependentItem } from './dependent-item.js';
import { useRelease } from './leases.js';

/** Props of {@link Attractor}. */
export interface AttractorProps {
  /** Where it is, as for any object of three.js. It may move. Default: the position of its parent. */
  position?: ThreeElements['object3D']['position'];
  /** Impulse in N·s for each 1/60 s, whatever the tick rate is; negative pushes away. For `newtonian`, its mass in kg. Default 1. */
  strength?: number | undefined;
  /** Farther away, nothing is pulled: from 0, in m or the simulation's own unit. Default 10. */
  range?: number | undefined;
  /**
   * `static`: the same at any distance. `linear`: from 0 at its place to `strength` at its range. `newtonian`: as masses
   * attract each other. Default `static`.
   */
  type?: AttractorGravityType | undefined;
  /** The constant of `newtonian`, in N·m²/kg². Default 6.673e-11. */
  gravitationalConstant?: number | undefined;
  /** 32 bits of `interactionGroups`: it pulls only bodies with a collider in these. Default: all bodies. */
  collisionGroups?: number | undefined;
}

/**
 * Pulls dynamic bodies towards its place, in the worker and with every tick. In a `<RigidBody>` it moves with the body,
 * which it does not pull. Bodies in its range do not sleep.
 *
 * @throws Error outside of `<Physics>`; TypeError or RangeError for an invalid prop, naming it.
 */
export function Attractor(props: AttractorProps): JSX.Element {
  const { position } = props;
  if (isDevelopment) checkProps('attractor', '<Attractor>', props);
  const { scope } = usePhysics('<Attractor>');
  const body = useContext(BodyContext);
  const object = useRef<Object3D>(null);
  const [owner] = useState(() => new AttractorOwner(scope, body));
  owner.system.late.onError = useLateErrors();
  useLayoutEffect(() => {
    if (object.current !== null) owner.sync(object.current, props);
  });
  // The attractor's parents may be moved without a render.
  useEffect(() => scope.onFrame(() => owner.follow()), [scope, owner]);
  useRelease(owner);
  return <object3D ref={object} {...withoutUndefined({ position })} />;
}

const before = new Vector3();

/** The system of an attractor. */
class AttractorOwner {
  readonly #body: BodyOwner | undefined;
  readonly system: DependentItem<SystemHandle, null>;
  #object: Object3D | undefined;
  #settings = settingsOf({});
  /** In the scene, or relative to its body. */
  readonly #position = new Vector3();

  constructor(scope: PhysicsScope, body: BodyOwner | undefined) {
    this.#body = body;
    this.system = new DependentItem('<Attractor>', scope, null);
  }

  sync(object: Object3D, props: AttractorProps): void {
    this.#object = object;
    this.#settings = naming('<Attractor>', () => settingsOf(props));
    // Reading it makes the body if there is none: this effect comes before those of its component.
    void this.#body?.body;
    this.#readPosition(object);
    this.#request();
  }

  /** Follows its object, in each frame. */
  follow(): void {
    // Within a body, the worker knows where it is.
    if (this.#object === undefined || this.#body !== undefined) return;
    before.copy(this.#position);
    this.#readPosition(this.#object);
    if (!before.equals(this.#position)) this.system.late.do(() => this.#request());
  }

  release(): void {
    this.#object = undefined;
    this.system.release();
  }

  #readPosition(object: Object3D): void {
    const ofBody = this.#body?.objectFrom(object);
    if (ofBody === undefined) object.getWorldPosition(this.#position);
    else this.#position.copy(placementBelow(object, ofBody).position);
  }

  #request(): void {
    const owner = this.#body;
    const { x, y, z } = this.#position;
    const position = { x, y, z };
    const own = this.#settings;
    this.system.request({
      dependencies: owner === undefined ? [] : [owner],
      key: [],
      settings: { position, own },
      make: (world, [body]) =>
        builtInSystem(world, ATTRACTOR, fieldsOf(position, own, body as RigidBody | undefined)),
      remove: (world, system) => world.removeSystem(system),
      change: (system) => system.set(fieldsOf(position, own, owner?.current)),
    });
  }
}

const { MAX_VALUE } = Number;
const MAX_WORD = 0xffff_ffff;

const SETTINGS = {
  strength: number(-MAX_VALUE, MAX_VALUE, 1),
  range: number(0, MAX_VALUE, 10),
  type: choice(ATTRACTOR_TYPES, 'static'),
  gravitationalConstant: number(-MAX_VALUE, MAX_VALUE, 6.673e-11),
  collisionGroups: optional(number(-MAX_WORD, MAX_WORD)),
};
type Settings = Checked<typeof SETTINGS>;

const settingsOf = (props: AttractorProps): Settings => {
  const { strength, range, type, gravitationalConstant, collisionGroups } = props;
  const given = { strength, range, type, gravitationalConstant, collisionGroups };
  return checkOptions('<Attractor>', given, SETTINGS);
};

const fieldsOf = (
  position: Vector,
  { collisionGroups, ...own }: Settings,
  body: RigidBody | undefined,
): AttractorFields => ({
  ...position,
  body: body?.handle ?? null,
  ...own,
  collisionGroups: collisionGroups === undefined ? null : collisionGroups >>> 0,
});
