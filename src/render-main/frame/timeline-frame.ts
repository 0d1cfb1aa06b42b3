/** Where the timeline places a frame. The timeline reuses one object. */
export interface TimelineFrame {
  /** False until the first state has arrived. */
  hasState: boolean;
  /** Indices of the two states in the slot's ring. */
  previous: number;
  current: number;
  /** Overstep / period, in [0, 1]. */
  alpha: number;
  /** The kernels' blend: alpha, but 1 in mode `none`, and above 1 beyond the newest state. */
  blend: number;
  /** Virtual time shown, in ms. */
  shownVirtualMs: number;
  /** Frame time minus the page time that is shown, in ms: its change is the animation error. */
  lagMs: number;
  delayMs: number;
  marginMs: number;
  /** No state at or after the target. */
  starved: boolean;
  /** The target was reset: drawn time jumped. */
  reset: boolean;
  paused: boolean;
  /** The frame follows the schedule: it is not paused, and does not wait for the first states after a start, cut or pause. */
  following: boolean;
}

/** The frame before the first one. */
export const noFrame = (): TimelineFrame => ({
  hasState: false,
  previous: 0,
  current: 0,
  alpha: 0,
  blend: 0,
  shownVirtualMs: Number.NaN,
  lagMs: Number.NaN,
  delayMs: 0,
  marginMs: 0,
  starved: false,
  reset: false,
  paused: true,
  following: false,
});
