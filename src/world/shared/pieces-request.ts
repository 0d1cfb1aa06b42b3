/** The message that asks the script of a world for the convex pieces of a mesh, and the answer. */
export const PIECES_MESSAGE = 'betwixt:pieces';

/** A mesh, and how it is cut. */
export interface PiecesOf {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
  /** As the engine takes them. Undefined: its own. */
  readonly parameters: object | undefined;
}

/** Asks the script of a world for pieces. The answer comes through the port. */
export interface PiecesRequest extends PiecesOf {
  readonly type: typeof PIECES_MESSAGE;
  readonly port: { postMessage(answer: PiecesAnswer): void };
}

/** Undefined: the mesh has no pieces. */
export type PiecesAnswer =
  | { readonly packed: Float32Array | undefined }
  | { readonly error: string };
