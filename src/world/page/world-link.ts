/** What handles need of their world. It gives things whose kind the caller knows. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Kind, KindFields } from '../shared/world-fields.js';
import type { SampledFrame } from '../../render-main/api/sampled-frame.js';
import type { Thing } from './page-contents.js';
import type { ValuesOf } from './page-values.js';
import type { PageEngine } from './page-engine.js';

/** Which batches are written and seen. */
export interface BatchNumbers {
  /** Number of the batch that is open, from 1. */
  readonly openNumber: number;
  /** Number of the newest batch whose effects the newest state has; 0: none. */
  readonly shownNumber: number;
}

export interface WorldLink {
  readonly batches: BatchNumbers;
  /** The one that was sampled last; undefined before the first. */
  frame(): SampledFrame | undefined;
  has(kind: Kind, thing: Thing): boolean;
  /**
   * What the batch that is sent when the page's turn ends says of a thing; to be changed. Undefined: it was removed, which
   * is reported once.
   */
  change<K extends Kind>(kind: K, thing: Thing): KindFields<K> | undefined;
  /** Those of a body, in the order in which they were created. */
  collidersOf(body: Thing): ReadonlySet<Thing>;
  idOf(handle: number): BodyId | undefined;
  /** Undefined: it was removed. */
  colliderOf(handle: number): Thing | undefined;
  bodyOf(handle: number): Thing | undefined;
  /** The numbers that the newest state has of a thing. */
  valuesOf(handle: number): ValuesOf;
  /** Whether the page's engine has loaded. */
  readonly hasEngine: boolean;
  /** @throws Error until the page's engine has loaded, and if the world was created without. */
  engine(): PageEngine;
  /** Reports once that something was removed. */
  warnOfRemoved(kind: Kind, thing: Thing): void;
}
