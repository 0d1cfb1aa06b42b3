/** The part of a Worker that is used here: a browser's, or an adapter around a Node worker thread. */
export interface WorkerLike {
  /** As of a `Worker`. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** For `error`, and `exit` where there is such an event. Messages come through a port of the library's own. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Takes a listener away. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Ends it at once, whatever it is doing. */
  terminate(): unknown;
  /** Only where it is no worker but this very thread: takes the memory that both use. */
  readonly attachMemory?: (buffer: ArrayBufferLike) => void;
}
