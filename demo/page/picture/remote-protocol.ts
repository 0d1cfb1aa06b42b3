/** What the page and the worker that draws its picture send each other, besides the canvas. */
import type {
  InterpolationMode,
  Replay,
  SimulationStatistics,
  SimulationStatus,
} from '../../../src/render-main/index.js';
import type { ReplayReport } from '../../../src/shared/index.js';
import type { Settings } from '../settings.js';
import type { DrawnSimulation } from '../start-simulation.js';
import type { ShownFrame } from './frame-loop.js';
import type { PictureActions } from './picture.js';
import type { SentError } from './sent-errors.js';

/** Methods of a simulation that the page calls, each answered by a promise. */
export type SimulationCall =
  | 'pause'
  | 'resume'
  | 'step'
  | 'setTickRate'
  | 'setTimeScale'
  | 'setInterpolation'
  | 'save'
  | 'restore'
  | 'recording'
  | 'resetStats';

/** What the worker does for the page. */
export interface PictureService {
  /** Makes the picture. @param isStill The user prefers less motion. */
  open(settings: Settings, isStill: boolean): Promise<Answer>;
  follow(settings: Settings): void;
  setStill(isStill: boolean): void;
  /** Any of the picture's own actions. */
  act<K extends keyof PictureActions>(name: K, ...args: Parameters<PictureActions[K]>): void;
  start(settings: Settings): Promise<Answer>;
  end(): void;
  dispose(): Promise<Answer>;
  call(name: SimulationCall, args: readonly unknown[]): Promise<Answer>;
  command(name: string, args: readonly unknown[]): Promise<Answer>;
  query(name: string, args: readonly unknown[]): Promise<Answer>;
  resetCounters(): void;
  /** @returns The number by which the page names the replay. */
  openReplay(
    recording: Parameters<DrawnSimulation['openReplay']>[0],
    options?: { readonly tick: number },
  ): Promise<Answer>;
  seekReplay(number: number, tick: number): Promise<Answer>;
  closeReplay(number: number): Promise<Answer>;
}

/** What a call has led to. */
export type Answer = { readonly value: unknown } | { readonly error: SentError };

/** What the page knows of the simulation without asking. */
export interface Mirror {
  readonly state: DrawnSimulation['state'];
  readonly transport: DrawnSimulation['transport'];
  readonly tickRateHz: number;
  readonly timeScale: number;
  readonly interpolation: InterpolationMode;
  readonly rewindRange: DrawnSimulation['rewindRange'];
  readonly stats: SimulationStatistics;
  readonly counts: ReturnType<ReturnType<DrawnSimulation['openCounters']>['read']>;
  /** The replay that was opened last. */
  readonly replay:
    | { readonly number: number; readonly state: Replay['state']; readonly report: ReplayReport }
    | undefined;
}

/** A frame, with what the page shows of each. */
export interface SentFrame extends ShownFrame {
  readonly alpha: number;
  readonly animationErrorMs: number;
}

/** Sent by the worker without being asked. */
export type PictureMessage =
  | readonly ['mirror', Mirror]
  | readonly ['frame', SentFrame]
  | readonly ['status', SimulationStatus, SentError | undefined]
  | readonly ['engine']
  | readonly ['quality', string]
  | readonly ['context', boolean]
  | readonly ['error', SentError]
  | readonly ['failure', SentError]
  | readonly ['split', boolean]
  | readonly ['mode', InterpolationMode]
  | readonly ['hit', strength: number, radius: number]
  | readonly ['ping', number];
