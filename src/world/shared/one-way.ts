/** What page and worker say of colliders that hold things from one side: plain data. */
export type OneWayFields = {
  /** In the collider's own space, of any length but 0. */
  readonly axis: { readonly x: number; readonly y: number; readonly z: number };
  readonly margin: number;
};
