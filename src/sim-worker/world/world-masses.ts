/** Collects which masses a batch changes, and reads them from the engine. */
import type { Masses } from '../../shared/world/masses.js';
import type { Rapier } from '../engines/rapier-builds.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;

/** The page's handles. */
export interface MassHandles {
  body(body: RigidBody): number | undefined;
  collider(collider: Collider): number | undefined;
}

export class WorldMasses {
  readonly #bodies = new Set<RigidBody>();
  readonly #colliders = new Set<Collider>();

  /** Its own mass, or that of one of its colliders, has changed. */
  noteBody(body: RigidBody | null): void {
    if (body !== null) this.#bodies.add(body);
  }

  noteCollider(collider: Collider): void {
    this.#colliders.add(collider);
    this.noteBody(collider.parent());
  }

  /** Those that have changed since the last call. */
  take(handles: MassHandles): Masses {
    const [bodies, colliders] = [[...this.#bodies], [...this.#colliders]];
    for (const body of bodies) {
      // As the next step would do: nothing else reads it until then.
      if (body.isValid()) body.recomputeMassPropertiesFromColliders();
    }
    this.#bodies.clear();
    this.#colliders.clear();
    return massesOf(bodies, colliders, handles);
  }
}

/** Of each that the engine has. */
export function massesOf(
  bodies: Iterable<RigidBody>,
  colliders: Iterable<Collider>,
  handles: MassHandles,
): Masses {
  const ofBodies: number[] = [];
  for (const body of bodies) {
    if (!body.isValid()) continue;
    const [com, inertia] = [body.localCom(), body.invPrincipalInertia()];
    const { x, y, z, w } = body.principalInertiaLocalFrame();
    ofBodies.push(handles.body(body) ?? 0, body.invMass(), com.x, com.y, com.z);
    ofBodies.push(inertia.x, inertia.y, inertia.z, x, y, z, w);
  }
  const ofColliders: number[] = [];
  for (const collider of colliders) {
    if (!collider.isValid()) continue;
    const handle = handles.collider(collider) ?? 0;
    ofColliders.push(handle, collider.mass(), collider.volume(), collider.density());
  }
  return { bodies: Float64Array.from(ofBodies), colliders: Float64Array.from(ofColliders) };
}
