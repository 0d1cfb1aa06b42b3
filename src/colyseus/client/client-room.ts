/** The part of a room of Colyseus' client that is needed here: what `client.joinOrCreate` resolves with. */
export interface ClientRoom {
  /** The connection. While it is lost, nothing is sent. Left out: it is always open. */
  readonly connection?: { readonly isOpen: boolean };
  /** Sends bytes under a type. */
  sendBytes(type: string, bytes: Uint8Array): void;
  /** Calls a handler with each message of a type. Returns what removes the handler. */
  onMessage(type: string, handler: (bytes: Uint8Array) => void): () => void;
  /** Calls a handler when the room is left for good. */
  onLeave(handler: (code: number) => void): unknown;
}
