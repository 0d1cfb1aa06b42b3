/**
 * How page and worker exchange data, with or without shared memory.
 *
 *     shared     one SharedArrayBuffer; nothing is sent
 *     transfer   each side has its own buffer, with the same layout, and sends the other what it wrote
 *     local      one ArrayBuffer; both sides run in one thread
 *
 * With `transfer`, the writer of each word sends what has changed, and a mirror on the other side stores it at the same
 * place. Mailboxes, queues, counters and everything that reads them use the same code in all three.
 */

/** The way in which states, inputs and events travel between page and worker. */
export type Transport = 'shared' | 'transfer' | 'local';
/** All transports. */
export const TRANSPORTS: readonly Transport[] = ['shared', 'transfer', 'local'];

/** The memory that a worker uses. */
export type WorkerMemory =
  | { readonly transport: 'shared'; readonly buffer: ArrayBufferLike }
  /** The worker's own buffer, with these sizes. */
  | {
      readonly transport: 'transfer';
      /** The page's LAYOUT_VERSION. */
      readonly version: number;
      readonly capacity: number;
      readonly stateCapacity: number;
      readonly inputWords: number;
      readonly eventWords: number;
      readonly hasVelocities: boolean;
      readonly valueCount: number;
    }
  /** The buffer that was attached to the worker's host: a message would clone it. */
  | { readonly transport: 'local' };

/** The worker's writes since its last update. */
export interface WorkerUpdate {
  readonly type: 'betwixt:update';
  /** Values of WORKER_WORDS, see transfer.ts. */
  readonly words: readonly number[];
  /** The newest status record. */
  readonly status: Float64Array;
  /** The counters. */
  readonly statistics: Int32Array;
  /** Indices in the input ring of records that are taken and not freed. */
  readonly takenInputs: readonly number[];
  /** Words of the event ring since the last update; undefined: none. */
  readonly events: Int32Array | undefined;
  /** A snapshot, see transfer.ts; undefined: there is no new one, or no buffer for it. */
  readonly packet: ArrayBuffer | undefined;
  /** A message of control-protocol.ts that follows it; undefined: none. */
  readonly message: object | undefined;
}

/** The page's writes since its last update. */
export interface PageUpdate {
  readonly type: 'betwixt:page';
  /** Words of the input ring since the last update; undefined: none. */
  readonly inputs: Int32Array | undefined;
  readonly eventHead: number;
  /** Packets that the page no longer uses. */
  readonly packets: readonly ArrayBuffer[];
}

export function isPageUpdate(data: unknown): data is PageUpdate {
  return (data as Partial<PageUpdate> | null | undefined)?.type === 'betwixt:page';
}
