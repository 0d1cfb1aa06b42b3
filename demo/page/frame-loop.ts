/**
 * Draws the frames of the display, up to the frame limit. Frames that would repeat the drawn one
 * are sampled and counted like others, but not drawn.
 */
import type { FrameLimiter, SampledFrame } from '../../src/render-main/index.js';
import type { DemoView } from './view/demo-view.js';
import type { SimulationSession } from './simulation-session.js';

export interface FrameLoopParts {
  readonly session: SimulationSession;
  readonly view: DemoView;
  readonly limiter: FrameLimiter;
  /** Called in each frame of the display, drawn or not. */
  readonly onDisplayFrame: (frameMs: number) => void;
  /** Called with each frame that will be shown. */
  readonly onSampled: (frame: SampledFrame) => void;
  /** Called after each frame that was drawn, not kept. */
  readonly onRedrawn: () => void;
  /** Called after each frame that shows a scene, drawn or kept. */
  readonly onDrawn: (frameMs: number) => void;
  /** Drawing threw: no more frames follow. */
  readonly onFailure: (error: unknown) => void;
}

export function runFrameLoop(parts: FrameLoopParts): void {
  const { session, view, limiter } = parts;
  const draw = (frameMs: number): void => {
    const { simulation } = session;
    // Inputs do not wait for frames that the limit leaves out.
    parts.onDisplayFrame(frameMs);
    if (simulation === undefined || session.frameHold.isHeld || !limiter.isDue(frameMs)) return;
    const frame = simulation.sample(frameMs);
    parts.onSampled(frame);
    if (view.render(simulation, frame, frameMs)) parts.onRedrawn();
    if (!frame.hasState || !session.hasScene) return;
    session.frameHold.frameDrawn();
    parts.onDrawn(frameMs);
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
