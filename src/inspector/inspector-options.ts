/** The simulation that is inspected, and the options of `showInspector`. */
import {
  anything,
  checkOptions,
  choice,
  flag,
  list,
  optional,
  type Check,
} from '../shared/util/options.js';
import { requireChoice, requireFunction } from '../shared/util/validate.js';
import type { SimulationHandle } from '../render-main/api/simulation-handle.js';
import type { SimulationStatus } from '../render-main/session/simulation-status.js';

/** The part of a handle that is inspected. */
export interface InspectedSimulation extends Pick<
  SimulationHandle,
  | 'lastAnimationErrorMs'
  | 'latest'
  | 'openReplay'
  | 'pause'
  | 'recording'
  | 'replay'
  | 'resume'
  | 'rewindRange'
  | 'setTimeScale'
  | 'state'
  | 'stats'
  | 'step'
  | 'timeScale'
> {
  /** Set on a page that shows a room. The room decides about pauses and seeking, so the inspector does not offer them. */
  readonly room?: object;
  /** Calls a handler with what happens to the simulation as a whole. @returns Removes the handler. */
  on(name: 'status', handler: (status: SimulationStatus) => void): () => void;
}

const PARTS = ['controls', 'measurements', 'plots', 'log'] as const;

/**
 * A part of the display:
 *
 * - `controls`: pause, step, time scale, seek bar, recordings
 * - `measurements`: the numbers
 * - `plots`: step against budget, lateness, animation error, alpha
 * - `log`: what went wrong
 */
export type InspectorPart = (typeof PARTS)[number];

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;

/** Options of {@link showInspector}, all optional. */
export interface InspectorOptions {
  /** Heading of the inspector, and its name for screen readers. Default `'betwixt'`. */
  readonly title?: string;
  /** Which parts it has. Default: all of them. */
  readonly parts?: readonly InspectorPart[];
  /**
   * Where it is added, as wide as that element. Default: the page's body, where it lies over a corner of the window.
   */
  readonly parent?: HTMLElement;
  /** The corner of the window, without a `parent`. Default `'top-right'`. */
  readonly corner?: (typeof CORNERS)[number];
  /** Whether only its heading is shown at first. Default false. */
  readonly isFolded?: boolean;
  /** Called when the user folds or unfolds it, after the change. Default: none. */
  readonly onFold?: (isFolded: boolean) => void;
  /**
   * Measurements of the application's own, by their names: called at each update, four times a second. Default: none.
   */
  readonly measures?: () => Readonly<Record<string, string>>;
  /**
   * How many frames the application has drawn so far, if it does not draw every frame that it samples. Default: the
   * sampled frames.
   */
  readonly drawnFrames?: () => number;
}

const OPTIONS = {
  title: anything<string>('betwixt'),
  parts: (name: string, value: unknown) =>
    list<InspectorPart>(name, value ?? PARTS).map((part) => requireChoice(name, part, PARTS)),
  parent: anything<HTMLElement | undefined>(),
  corner: choice(CORNERS, 'top-right'),
  isFolded: flag(false),
  onFold: optional(requireFunction<NonNullable<InspectorOptions['onFold']>>),
  measures: optional(requireFunction<NonNullable<InspectorOptions['measures']>>),
  drawnFrames: optional(requireFunction<NonNullable<InspectorOptions['drawnFrames']>>),
} satisfies Readonly<Record<keyof InspectorOptions, Check<unknown>>>;

/** @throws TypeError, RangeError naming the invalid option. */
export const requireInspectorOptions = (options: InspectorOptions) =>
  checkOptions('showInspector', options, OPTIONS);

/** Whether the user may pause, rewind or replay it. */
export const isOperable = (simulation: InspectedSimulation | undefined): boolean =>
  simulation !== undefined &&
  simulation.room === undefined &&
  !/failed|disposed/.test(simulation.state);

/** The target of the controls. */
export interface Inspected {
  /** Undefined until it has started. */
  readonly simulation: InspectedSimulation | undefined;
  /** Does what the user asked for, and logs a failure. Never throws. */
  readonly attempt: (work: (simulation: InspectedSimulation) => Promise<unknown>) => void;
}
