/**
 * The contract between the demo's page and its simulation: scene names, looks of bodies, commands.
 */
import type { BodyId, Json } from '../../src/shared/index.js';

/** The scenes, in the order of the menu. `bodies` is the range and default of the bodies option. */
export const SCENES = {
  tower: { title: 'Tower and wrecking ball', bodies: [60, 240, 1200] },
  heap: { title: 'Heap of mixed shapes', bodies: [100, 1000, 4000] },
  dominoes: { title: 'Domino spiral', bodies: [50, 300, 1500] },
  tops: { title: 'Spinning tops and a cradle', bodies: [6, 24, 200] },
  bridge: { title: 'Rope bridge', bodies: [20, 80, 400] },
  marbles: { title: 'Marble run', bodies: [10, 120, 1000] },
  vehicle: { title: 'Vehicle', bodies: [10, 120, 800] },
} as const satisfies Record<string, SceneInfo>;

export interface SceneInfo {
  readonly title: string;
  /** Fewest, default and most bodies. */
  readonly bodies: readonly [min: number, typical: number, max: number];
}

export type SceneName = keyof typeof SCENES;
export const SCENE_NAMES = Object.keys(SCENES) as SceneName[];

/**
 * The scene that a run's setup asks for, as a recording has it. Its numbers are whatever was in the file.
 *
 * @returns Undefined if it is none of the demo's: the recording is another application's.
 */
export function askedScene(setup: Json) {
  const given = typeof setup === 'object' && setup !== null && 'name' in setup ? setup : {};
  const name = SCENE_NAMES.find((candidate) => candidate === given['name']);
  return name && { name, bodies: given['bodies'], seed: given['seed'] };
}

/** A vector in metres. y is up. */
export type Vector = readonly [x: number, y: number, z: number];
/** A rotation as a unit quaternion. */
export type Rotation = readonly [x: number, y: number, z: number, w: number];

/**
 * A shape in its own frame, centred on the body. Lengths in metres. `hull` and `mesh` carry their geometry;
 * bodies that share one name share the geometry (send `points` or `vertices` every time).
 */
export type Shape =
  | { readonly kind: 'box'; readonly size: Vector }
  | { readonly kind: 'ball'; readonly radius: number }
  /** Axis along y; `height` is the cylinder's part, without the caps. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly height: number }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly height: number }
  | { readonly kind: 'cone'; readonly radius: number; readonly height: number }
  | { readonly kind: 'hull'; readonly name: string; readonly points: Float32Array }
  | {
      readonly kind: 'mesh';
      readonly name: string;
      readonly vertices: Float32Array;
      readonly indices: Uint32Array;
    };

/** A drawn part of a body, with its place in the body's frame. A compound body has several. */
export interface Part {
  readonly shape: Shape;
  /** sRGB, 0xrrggbb. */
  readonly color: number;
  readonly offset?: Vector;
  readonly rotation?: Rotation;
}

/** A moving body and how it looks. */
export interface BodyLook {
  readonly id: BodyId;
  readonly parts: readonly Part[];
}

/** A thing that never moves: drawn at a fixed place and not part of the snapshots. */
export interface StaticLook extends Part {
  readonly position: Vector;
  readonly orientation?: Rotation;
  /** Marks the sensor with this number. It can flash when the sensor reports an event. */
  readonly sensor?: number;
}

export interface SceneDescription {
  readonly name: SceneName;
  readonly bodies: readonly BodyLook[];
  readonly statics: readonly StaticLook[];
  /** Where the camera starts, and what it looks at. */
  readonly camera: { readonly position: Vector; readonly target: Vector };
  /** The body that the camera follows, if any. */
  readonly follow?: BodyId;
  /** The scene can be driven, by inputs: see drive-contract.ts. */
  readonly isDrivable: boolean;
}

export interface SceneRequest {
  readonly name: SceneName;
  /** Moving bodies wanted; brought into the scene's range. */
  readonly bodies: number;
  /** Seed of everything random. */
  readonly seed: number;
}

/** A body that was taken hold of. */
export interface Grab {
  readonly id: BodyId;
  /** Where the ray met it, in world space. */
  readonly point: Vector;
  /** From the ray's origin to there. */
  readonly distance: number;
}

/**
 * Faults that can be injected, to see how the page copes:
 * - `throw`: the next step throws
 * - `hang`: the next step never returns
 * - `nan`: the first moving body gets a NaN position before the next step
 */
export const FAULTS = ['throw', 'hang', 'nan'] as const;
export type Fault = (typeof FAULTS)[number];

/** The commands of the demo's simulation. */
export interface DemoCommands {
  [name: string]: (...args: never[]) => unknown;
  /** Shoots a ball. Throws CapacityExceededError when there is no slot left. */
  shoot(origin: Vector, direction: Vector): BodyLook;
  /** Takes hold of the first body that a ray meets. */
  grab(origin: Vector, direction: Vector): Grab | undefined;
  /** Moves the point that a held body is drawn to. */
  drag(point: Vector): void;
  /** Releases the body, which keeps its speed. */
  release(): void;
}

/** The queries of the demo's simulation. */
export interface DemoQueries {
  [name: string]: (...args: never[]) => unknown;
  /**
   * Builds a scene from scratch and restarts at tick 0. A wrong name or count leaves the old one.
   */
  loadScene(request: SceneRequest): SceneDescription;
  /** The scene to draw now, for example after restoring a saved state; undefined when no scene is loaded. */
  describe(): SceneDescription | undefined;
  /** Injects a fault. Deliberately not part of the run: a replay must not repeat it. */
  fault(kind: Fault): void;
  /** Holds the worker busy, as a step that takes too long would, in ms (at most 5000). */
  stall(durationMs: number): void;
}
