/**
 * Measures how long frames take to draw, on the page and on the graphics card: from the first call
 * until a fence behind the last one is passed. Measures a few frames a second, because polling a
 * fence has a cost.
 */

/** Least time between the ends of two measurements, in ms. */
const PAUSE_MS = 120;
/** How often the fence is polled: as often as timers run. */
const LOOK_EVERY_MS = 1;

export class DrawTimer {
  readonly #context: WebGL2RenderingContext;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The fence of a measured frame has not been passed yet. */
  #fence: WebGLSync | undefined;
  #startMs = Number.NaN;
  #endMs = Number.NEGATIVE_INFINITY;
  #measuredMs: number | undefined;

  constructor(context: WebGL2RenderingContext) {
    this.#context = context;
  }

  /** Drawing of a frame, or of another part of it, begins. */
  begin(): void {
    if (this.#fence !== undefined || !Number.isNaN(this.#startMs)) return;
    const now = performance.now();
    if (now - this.#endMs >= PAUSE_MS) this.#startMs = now;
  }

  /** All calls of the frame were made. */
  end(): void {
    if (this.#fence !== undefined || Number.isNaN(this.#startMs)) return;
    const context = this.#context;
    this.#fence = context.fenceSync(context.SYNC_GPU_COMMANDS_COMPLETE, 0) ?? undefined;
    if (this.#fence === undefined) {
      this.forget();
      return;
    }
    context.flush();
    this.#timer = setTimeout(this.#look, LOOK_EVERY_MS);
  }

  /** The last measurement, in ms, once; undefined if there is none since the last call. */
  take(): number | undefined {
    const measuredMs = this.#measuredMs;
    this.#measuredMs = undefined;
    return measuredMs;
  }

  /** Stops: the context was lost, and its fences with it. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#fence = undefined;
    this.#startMs = Number.NaN;
  }

  readonly #look = (): void => {
    const context = this.#context;
    if (this.#fence === undefined) return;
    const status = context.getSyncParameter(this.#fence, context.SYNC_STATUS);
    if (status !== context.SIGNALED) {
      this.#timer = setTimeout(this.#look, LOOK_EVERY_MS);
      return;
    }
    context.deleteSync(this.#fence);
    this.#endMs = performance.now();
    this.#measuredMs = this.#endMs - this.#startMs;
    this.forget();
  };
}
