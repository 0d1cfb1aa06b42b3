/** Balls that the character throws. */
import { ColliderDesc, RigidBodyDesc, type RigidBody, type World } from 'betwixt/world';
import * as THREE from 'three';
import { colorOf, solid } from '../../stage/stage.js';

const MOST = 24;
const RADIUS_M = 0.17;
const MASS_KG = 4;
const SPEED = 12;
const RISE = 2;
const ZERO = { x: 0, y: 0, z: 0 };

export class Balls {
  readonly #world: World;
  readonly #drawn: Map<number, THREE.Object3D>;
  readonly #bodies: RigidBody[] = [];
  #thrown = 0;

  /** @param drawn Gets the mesh of each ball, by the handle of its body. */
  constructor(world: World, drawn: Map<number, THREE.Object3D>) {
    this.#world = world;
    this.#drawn = drawn;
  }

  /** Throws the next one a little higher than the direction says; the first ones come back for it. */
  throw(from: THREE.Vector3, direction: THREE.Vector3): void {
    const body = this.#bodies[this.#thrown++ % MOST] ?? this.#make();
    body.setTranslation(from.clone().addScaledVector(direction, 0.7), true);
    body.setAngvel(ZERO, true);
    const { x, y, z } = direction.clone().multiplyScalar(SPEED);
    body.setLinvel({ x, y: y + RISE, z }, true);
  }

  #make(): RigidBody {
    const body = this.#world.createRigidBody(RigidBodyDesc.dynamic().setCcdEnabled(true));
    const shape = ColliderDesc.ball(RADIUS_M).setMass(MASS_KG).setRestitution(0.35);
    this.#world.createCollider(shape, body);
    const color = colorOf(this.#bodies.length);
    const mesh = solid(new THREE.IcosahedronGeometry(RADIUS_M, 2), color, { flatShading: true });
    this.#drawn.set(body.handle, mesh);
    this.#bodies.push(body);
    return body;
  }

  /** All are gone. */
  forget(): void {
    this.#bodies.length = this.#thrown = 0;
  }
}
