/**
 * How page and worker hand each other what they write, where they cannot share memory.
 *
 *     shared     one SharedArrayBuffer; nothing is sent
 *     transfer   each side has a buffer of its own, of the same layout, and tells the other what it wrote
 *     local      one ArrayBuffer; both sides live in one thread
 *
 * With `transfer` every word of the layout still has the one writer that its table names. The writer's side sends
 * what has changed, and a mirror on the other side stores it at the same place: mailboxes, queues, counters and
 * everything that reads them are the same code in all three.
 */
import { CONTROL } from '../memory/layout.js';

/** What carries states, inputs and events between page and worker. */
export type Transport = 'shared' | 'transfer' | 'local';
/** All transports. */
export const TRANSPORTS: readonly Transport[] = ['shared', 'transfer', 'local'];

/** The memory that a worker is to work in. */
export type WorkerMemory =
  | { readonly transport: 'shared'; readonly buffer: ArrayBufferLike }
  /** One of its own, of these sizes. */
  | {
      readonly transport: 'transfer';
      /** The page's LAYOUT_VERSION. */
      readonly version: number;
      readonly capacity: number;
      readonly stateCapacity: number;
      readonly inputWords: number;
      readonly eventWords: number;
    }
  /** The one that was attached to its host: a message would clone it. */
  | { readonly transport: 'local' };

/** Control words that the worker writes, in the order in which they are told. */
export const WORKER_WORDS: readonly number[] = [
  CONTROL.phase,
  CONTROL.heartbeat,
  CONTROL.activity,
  CONTROL.inputHead,
  CONTROL.eventRefused,
];

/** What the worker has written since it told last. */
export interface WorkerUpdate {
  readonly type: 'betwixt:update';
  /** Values of WORKER_WORDS. */
  readonly words: readonly number[];
  /** The newest status record. */
  readonly status: Float64Array;
  /** The counters. */
  readonly statistics: Int32Array;
  /** Where in the ring of inputs records stand that are taken and not freed. */
  readonly takenInputs: readonly number[];
  /** Words of the ring of events since the last update; undefined: none. */
  readonly events: Int32Array | undefined;
  /** A snapshot, see slot-packet.ts; undefined: none that is new, or no buffer for it is here. */
  readonly packet: ArrayBuffer | undefined;
}

/** What the page has written since it told last. */
export interface PageUpdate {
  readonly type: 'betwixt:page';
  /** Words of the ring of inputs since the last update; undefined: none. */
  readonly inputs: Int32Array | undefined;
  readonly eventHead: number;
  /** Packets that the page is done with. */
  readonly packets: readonly ArrayBuffer[];
}

/** Whether it is an update of the page. */
export function isPageUpdate(data: unknown): data is PageUpdate {
  return (
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'betwixt:page'
  );
}
