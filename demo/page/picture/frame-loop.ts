/**
 * Draws the frames of the display, up to the frame limit. Frames that would repeat the drawn one
 * are sampled and counted like others, but not drawn.
 */
import type { FrameLimiter } from '../../../src/render-main/index.js';
import type { DemoSimulation } from '../start-simulation.js';
import type { DemoView } from '../view/demo-view.js';

/** A frame that shows a scene, drawn or kept. */
export interface ShownFrame {
  readonly tick: number;
  /** The canvas did not show it already. */
  readonly isDrawn: boolean;
  /** How many scenes have been shown by then. */
  readonly scenes: number;
}

export interface FrameLoopParts {
  readonly view: DemoView;
  readonly limiter: FrameLimiter;
  /** Undefined while there is none to draw. */
  readonly simulation: () => DemoSimulation | undefined;
  /** How many scenes the view was given. */
  readonly scenes: () => number;
  /** Called in each frame of the display, drawn or not. */
  readonly onDisplayFrame: (frameMs: number) => void;
  readonly onFrame: (frame: ShownFrame) => void;
  /** Drawing threw: no more frames follow. */
  readonly onFailure: (error: unknown) => void;
}

export function runFrameLoop(parts: FrameLoopParts): void {
  const { view, limiter } = parts;
  const draw = (frameMs: number): void => {
    // Inputs do not wait for frames that the limit leaves out.
    parts.onDisplayFrame(frameMs);
    const simulation = parts.simulation();
    if (simulation === undefined || !limiter.isDue(frameMs)) return;
    const frame = simulation.sample(frameMs);
    const isDrawn = view.render(simulation, frame, frameMs);
    const { hasState, tick } = frame;
    if (hasState) parts.onFrame({ tick, isDrawn, scenes: parts.scenes() });
  };
  const onFrame = (frameMs: number): void => {
    try {
      draw(frameMs);
    } catch (error) {
      // The next frame would throw the same error again.
      parts.onFailure(error);
      return;
    }
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}
