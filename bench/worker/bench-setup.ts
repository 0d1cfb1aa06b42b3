/** The setup of the benchmark's worker, and the format of a case's names. */
import { requireChoice, requireInteger, requireNumber } from '../../src/shared/util/validate.js';
import { ENGINE_NAMES, type EngineName } from '../engines/bench-world.js';
import { SCENE_NAMES, type SceneName } from '../scenes/bench-scene.js';

/** How the cost of a scripted step varies. */
export const SCRIPTED_COSTS = ['constant', 'linear', 'noisy'] as const;
export type ScriptedCost = (typeof SCRIPTED_COSTS)[number];

export interface SceneSetup {
  readonly kind: 'scene';
  readonly scene: SceneName;
  readonly engine: EngineName;
  readonly bodies: number;
  readonly seed: number;
  /** Ticks of 1/60 s before the first one of the run, so that falling bodies have settled. */
  readonly settleTicks: number;
  /** In ms: bodies whose ticks take longer do not settle, because they are too many anyway; null: they do. */
  readonly settleLimitMs: number | null;
}

/** Steps of known cost, for testing the measurements. */
export interface ScriptedSetup {
  readonly kind: 'scripted';
  /** Constant; in proportion to the bodies; or half to one and a half times as much. */
  readonly cost: ScriptedCost;
  /** Cost of a step in ms; of a thousand bodies, when it is linear. */
  readonly costMs: number;
  readonly bodies: number;
  readonly seed: number;
}

// Type aliases have an index signature and interfaces have none, which JSON requires.
export type BenchSetup =
  | Pick<SceneSetup, keyof SceneSetup>
  | Pick<ScriptedSetup, keyof ScriptedSetup>;

/** The engine of the user's own worker. */
export const OWN_ENGINE = 'own';
/** The engine of scripted scenes. */
export const SCRIPTED_ENGINE = 'scripted';

/** Most bodies of any scene. */
export const MAX_BODIES = 16_384;
/**
 * After three seconds heaps of every engine have reached their final cost, after up to twice as
 * much in between; Rapier's bodies that begin asleep have woken up and fallen asleep again. By
 * ticks, not by the clock: a slow machine, or a scene that is too large, measures the same part.
 */
export const SETTLE_TICKS = 180;

export const isScripted = (scene: string): boolean => scene.startsWith('scripted:');

/**
 * Parses the setup from a case's names.
 *
 * @param scene One of the scenes, or `scripted:linear:4`: its cost and milliseconds.
 * @param settleLimitMs See {@link SceneSetup}.
 * @throws RangeError naming what is wrong.
 */
export function setupOf(
  { scene, engine, bodies }: { scene: string; engine: string; bodies: number },
  seed: number,
  settleLimitMs: number | null = null,
): BenchSetup {
  requireInteger('bodies', bodies, 1, MAX_BODIES);
  requireInteger('seed', seed, 0, 2 ** 32 - 1);
  if (isScripted(scene)) {
    const [, cost = '', text = ''] = scene.split(':');
    const costMs = requireNumber('scene', text === '' ? Number.NaN : Number(text), 0, 60_000);
    return {
      kind: 'scripted',
      cost: requireChoice('scene', cost, SCRIPTED_COSTS),
      costMs,
      bodies,
      seed,
    };
  }
  return {
    kind: 'scene',
    scene: requireChoice('scene', scene, SCENE_NAMES),
    engine: requireChoice('engine', engine, ENGINE_NAMES),
    bodies,
    seed,
    settleTicks: SETTLE_TICKS,
    settleLimitMs,
  };
}

/** Required capacity of the snapshot. */
export const capacityOf = ({ bodies }: { readonly bodies: number }): number => bodies + 1;
