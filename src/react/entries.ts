/** What the components in one `<Physics>` know of bodies and colliders. */
import type { Object3D } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { CollisionHandlers } from './collision-payloads.js';
import type { PropNames } from './settings.js';
import type { RigidBodyOptions } from './types.js';

/** What is known of a body. */
export interface BodyEntry {
  /** What bodies that take each other's place after a jump have in common, and what they preferably have. */
  readonly likeness?: Likeness;
  /** What collisions name, and what it moves unless there is `onShown`. */
  object: Object3D | undefined;
  /** It is drawn by its number from now on, or, if that is undefined, stays where it is drawn. */
  readonly onShown?: (id: BodyId | undefined) => void;
  readonly owner: PropNames;
  /** Its props, as they were rendered last. */
  props: RigidBodyOptions;
}

/** Compared one by one. */
export interface Likeness {
  readonly kind: readonly unknown[];
  readonly place: readonly unknown[];
}

/** What is known of a collider. */
export interface ColliderEntry {
  /** Of its component; undefined if it was made for a mesh. */
  readonly object: Object3D | undefined;
  readonly owner: PropNames;
  /** As they were rendered last. */
  handlers: CollisionHandlers;
}
