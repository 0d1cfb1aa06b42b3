/** Frames and results of the comparison with the peers, made up. */
import type { ContestantName } from '../../peers/engine/contestants.js';
import { figuresOf, inputFiguresOf, type FrameLog } from '../../peers/engine/frame-log.js';
import type { FaultRepeat, PeerRepeat, PeersOptions } from '../../peers/engine/result.js';

export interface ScriptedFrames {
  readonly displayHz?: number;
  readonly seconds?: number;
  /** Drawn x at a display time, both in s and m. */
  readonly x?: (displaySeconds: number) => number;
  readonly costMs?: (frame: number) => number;
  /** Frames that are not drawn. */
  readonly misses?: (frame: number) => boolean;
}

/** Drawn between two states: the ideal case. */
export const smooth = (displaySeconds: number): number => displaySeconds;
/** The newest state of 60 a second. */
export const held = (displaySeconds: number): number => Math.floor(displaySeconds * 60 + 1e-9) / 60;

export function scriptedLog({
  displayHz = 144,
  seconds = 5,
  x = smooth,
  costMs = () => 0.1,
  misses = () => false,
}: ScriptedFrames = {}): FrameLog {
  const all = Array.from({ length: displayHz * seconds }, (_, frame) => frame);
  const frame = all.filter((number) => !misses(number));
  const positions = frame.map((number) => x(number / displayHz));
  return {
    displayHz,
    frame,
    lateMs: frame.map(() => 0.2),
    costMs: frame.map(costMs),
    ageMs: frame.map(() => 20),
    singleX: positions,
    instancedX: positions,
  };
}

export function scriptedRepeat(frames: ScriptedFrames, more: Partial<PeerRepeat> = {}): PeerRepeat {
  return {
    ...figuresOf(scriptedLog(frames)),
    ...inputFiguresOf({ readyMs: [20, 22, 24], shownMs: [27, 29, 31] }),
    busyShare: 0.05,
    tick: { p50Ms: 1, p99Ms: 2, dropped: 0 },
    ...more,
  };
}

export const OPTIONS: PeersOptions = {
  contestants: [
    'betwixt-rapier',
    'betwixt-rapier-meshes',
    'react-three-rapier',
    'react-three-rapier-instanced',
    'betwixt-cannon',
    'cannon-worker-api',
  ],
  bodies: [400, 1000, 2000],
  displayHz: [144],
  seconds: 5,
  warmUpSeconds: 1,
  repeats: 3,
  seed: 1,
  isQuick: false,
};

/** The index of a repeat makes a little spread. */
export type Script = (name: ContestantName, bodies: number, repeat: number) => PeerRepeat;
export type FaultScript = (name: ContestantName) => FaultRepeat;

/** The figures of a run in which all claims hold. */
export const asClaimed: Script = (name, _bodies, repeat) => {
  const spread = 1 + repeat / 100;
  if (name.startsWith('betwixt-')) return scriptedRepeat({ costMs: () => 0.1 * spread });
  if (name === 'cannon-worker-api') {
    return scriptedRepeat({ x: (s) => held(s * 0.7), costMs: () => 0.2 * spread }, { tick: null });
  }
  return scriptedRepeat({ x: held, costMs: () => 4 * spread }, { tick: null });
};

export const asClaimedFaults: FaultScript = (name) => ({
  teleports: 6,
  smearedSingle: name === 'react-three-rapier' ? 2 : 0,
  smearedInstanced: 0,
  afterThrow: name.startsWith('react')
    ? null
    : { isAlive: name !== 'cannon-worker-api', stoodMs: 700 },
});
