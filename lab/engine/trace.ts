/** A trace of everything that a run did, with times in ms: for a chart, or for analysis. */

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** A turn of the loop, with the time not simulated yet. */
export interface PassSpan extends Span {
  readonly kind: 'pass';
  readonly leftMs: number;
}

export interface UpdateSpan extends Span {
  readonly kind: 'update';
  readonly stepMs: number;
  /** The moment that the new state represents. */
  readonly dueMs: number;
}

/** A frame drawn. */
export interface FrameSpan extends Span {
  readonly kind: 'frame';
  /** When the display showed it. */
  readonly displayedMs: number;
  /** The states that it showed: see DrawnTime in bodies.ts. */
  readonly previousMs: number;
  readonly currentMs: number;
  readonly alpha: number;
  readonly predictMs: number;
  /**
   * How far these simulated times are ahead of the moments that their states represent, as long as
   * no time is lost: see lead.ts.
   */
  readonly leadMs: number;
  /** Whether it showed the same as the one before. */
  readonly isRepeat: boolean;
}

/**
 * `wait`: for the display's refresh after drawing; `sleep`: requested by the loop or the frame
 * limit.
 */
export interface IdleSpan extends Span {
  readonly kind: 'wait' | 'sleep' | 'refresh';
}

export type TraceSpan = PassSpan | UpdateSpan | FrameSpan | IdleSpan;

export interface TraceOptions {
  /** Keeps spans that begin from here on, in ms. Default 0. */
  readonly fromMs?: number;
  /** Keeps spans that begin before this, in ms. Default: to the end. */
  readonly toMs?: number;
  /** Maximum number of kept spans; later ones are only counted. Default 100,000, some 20 MB. */
  readonly limit?: number;
}

export const DEFAULT_TRACE_LIMIT = 100_000;

export class Trace {
  /** In order of their ends; a pass comes after what happened in it. */
  readonly spans: TraceSpan[] = [];
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #limit: number;
  #omitted = 0;

  constructor(options: TraceOptions = {}) {
    this.#fromMs = options.fromMs ?? 0;
    this.#toMs = options.toMs ?? Number.POSITIVE_INFINITY;
    this.#limit = options.limit ?? DEFAULT_TRACE_LIMIT;
  }

  /** Spans inside the window beyond the limit. */
  get omitted(): number {
    return this.#omitted;
  }

  add(span: TraceSpan): void {
    if (span.startMs < this.#fromMs || span.startMs >= this.#toMs) return;
    if (this.spans.length < this.#limit) this.spans.push(span);
    else this.#omitted += 1;
  }
}
