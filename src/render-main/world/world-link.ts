/** What handles of bodies and colliders need of their world. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { SampledFrame } from '../api/sampled-frame.js';
import type { Collider } from './collider.js';
import type { ImpulseJoint } from './impulse-joint.js';
import type { OpenBatch } from './open-batch.js';
import type { RigidBody } from './rigid-body.js';

export interface WorldLink {
  /** The frame that was sampled last; undefined before the first. */
  readonly frame: SampledFrame | undefined;
  /** Number of the batch that is open, from 1. */
  readonly openNumber: number;
  /** Number of the newest batch whose effects the newest state has; 0: none. */
  readonly shownNumber: number;
  /** The batch to which changes are added; it is sent when the page's turn ends. */
  open(): OpenBatch;
  hasBody(body: RigidBody): boolean;
  /** Those of a body, in the order in which they were created. */
  collidersOf(body: RigidBody): ReadonlySet<Collider>;
  hasCollider(collider: Collider): boolean;
  hasJoint(joint: ImpulseJoint): boolean;
  idOf(handle: number): BodyId | undefined;
  /** Reports once that something was called that is gone. */
  warnOfRemoved(what: string): void;
}
