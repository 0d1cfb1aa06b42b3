/** The display: its parts, in a shadow root, and what keeps them up to date. */
import { FrameLimiter } from '../render-main/frame/frame-limiter.js';
import { RunControls } from './controls.js';
import { make, makeButton } from './elements.js';
import type { Inspected } from './inspected.js';
import { Log } from './log.js';
import { lineOf } from './log-text.js';
import { Measurements } from './measurements.js';
import {
  requireInspectorOptions,
  type InspectedSimulation,
  type InspectorOptions,
} from './options.js';
import { ONE_PLOT, Plots } from './plots.js';
import { Recordings } from './recordings.js';
import { STYLES } from './styles.js';
import { Timeline } from './timeline.js';

/** `stats()` walks thousands of histogram buckets: a few times a second, never every frame. */
const REFRESH_HZ = 4;
/** One plot is drawn at a time; with four of them each is drawn five times a second. */
const PLOT_HZ = 20;

/** A display that is shown: what {@link showInspector} returns. */
export interface Inspector {
  /** Whether only its heading is shown. It measures nothing then, but keeps its log. */
  readonly isFolded: boolean;
  /** Folds or unfolds it, without calling `onFold`. */
  setFolded(isFolded: boolean): void;
  /**
   * Shows another simulation from now on, such as the one that an application starts after a failure. The log stays.
   *
   * @param simulation As for {@link showInspector}.
   */
  follow(simulation: InspectedSimulation | PromiseLike<InspectedSimulation>): void;
  /** Removes it from the page. The simulation stays as it is. Safe to call again. */
  close(): void;
}

/** The display in the page. */
export class InspectorElement implements Inspector, Inspected {
  simulation: InspectedSimulation | undefined;
  isFolded = false;
  readonly #options: ReturnType<typeof requireInspectorOptions>;
  readonly #host = make('div');
  readonly #content = make('div', 'content');
  readonly #fold: HTMLButtonElement;
  readonly #log = new Log();
  readonly #measurements: Measurements;
  readonly #plots: Plots | undefined;
  readonly #readers: readonly { refresh(): void }[];
  readonly #refreshLimiter = new FrameLimiter(REFRESH_HZ);
  readonly #plotLimiter = new FrameLimiter(PLOT_HZ);
  #counters: ReturnType<InspectedSimulation['openCounters']> | undefined;
  #stopFollowing = (): void => {};
  /** What is followed: a simulation that resolves later is one of the past. */
  #turn = 0;
  #frame = 0;
  /** Plots were drawn since the last reading. */
  #hasDrawn = true;
  #isClosed = false;

  constructor(given: InspectorOptions) {
    const options = requireInspectorOptions(given);
    const { parts, corner } = options;
    this.#options = options;
    this.#measurements = new Measurements(options);
    this.#plots = parts.includes('plots') ? new Plots(matchMedia(ONE_PLOT)) : undefined;
    const readers = parts.includes('controls')
      ? [new RunControls(this), new Timeline(this), new Recordings(this)]
      : [];
    this.#readers = readers;
    this.#content.append(...readers.map(({ element }) => element));
    if (parts.includes('measurements')) this.#content.append(this.#measurements.element);
    if (this.#plots !== undefined) this.#content.append(this.#plots.element);
    if (parts.includes('measurements')) this.#content.append(this.#measurements.line);
    if (parts.includes('log')) this.#content.append(this.#log.element);
    this.#fold = makeButton(options.title, () => this.#toggle());
    this.#fold.className = 'fold';
    // For pages that have no room for it.
    this.#fold.part.add('heading');
    this.#host.dataset['place'] = options.parent === undefined ? corner : 'parent';
    this.#fill(this.#host.attachShadow({ mode: 'open' }));
    (options.parent ?? document.body).append(this.#host);
    this.setFolded(options.isFolded);
  }

  setFolded(isFolded: boolean): void {
    this.isFolded = isFolded;
    this.#content.hidden = isFolded;
    this.#host.toggleAttribute('data-folded', isFolded);
    this.#fold.setAttribute('aria-expanded', String(!isFolded));
    cancelAnimationFrame(this.#frame);
    if (!isFolded && !this.#isClosed) this.#frame = requestAnimationFrame(this.#onFrame);
  }

  follow(simulation: InspectedSimulation | PromiseLike<InspectedSimulation>): void {
    this.#leave();
    const turn = this.#turn;
    Promise.resolve(simulation).then(
      (started) => {
        if (turn === this.#turn) this.#show(started);
      },
      (error: unknown) => {
        if (turn === this.#turn) this.#report(error);
      },
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#leave();
    cancelAnimationFrame(this.#frame);
    this.#host.remove();
  }

  readonly attempt: Inspected['attempt'] = (work) => {
    const { simulation } = this;
    if (simulation === undefined) return;
    // `recording()` throws, the others reject.
    const done = (async () => work(simulation))();
    done.catch((error: unknown) => this.#report(error)).finally(() => this.#refreshControls());
  };

  #leave(): void {
    this.#turn += 1;
    this.#stopFollowing();
    this.#stopFollowing = () => {};
    this.simulation = undefined;
    this.#counters = undefined;
    this.#measurements.clear();
    this.#plots?.clear();
    this.#refreshControls();
  }

  #show(simulation: InspectedSimulation): void {
    this.simulation = simulation;
    this.#counters = simulation.openCounters();
    this.#stopFollowing = simulation.on('status', (status) => {
      const line = lineOf(status);
      if (line !== undefined) this.#log.add(line, simulation.stats().tick);
    });
  }

  #report(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#log.add({ level: 'error', text }, this.simulation?.stats().tick);
  }

  #fill(root: ShadowRoot): void {
    const style = make('style', '', STYLES);
    const section = make('section');
    section.setAttribute('aria-label', this.#options.title);
    section.append(this.#fold, this.#content);
    root.append(style, section);
    section.addEventListener('keydown', (event) => {
      // Keys for a control of the display are none of the application's.
      event.stopPropagation();
      if (event.key !== 'Escape' || this.isFolded) return;
      this.#fold.focus();
      this.#toggle();
    });
    // After a click the keys belong to the page again; after Tab they stay with the control.
    section.addEventListener('click', ({ detail, target }) => {
      if (detail > 0 && target instanceof HTMLButtonElement) target.blur();
    });
  }

  #toggle(): void {
    this.setFolded(!this.isFolded);
    this.#options.onFold?.(this.isFolded);
  }

  readonly #onFrame = (frameMs: number): void => {
    this.#frame = requestAnimationFrame(this.#onFrame);
    const { simulation } = this;
    if (simulation === undefined) return;
    const frameSeconds = frameMs / 1000;
    this.#plots?.addFrame(frameSeconds, simulation.latest.alpha, simulation.lastAnimationErrorMs);
    if (!this.#refreshLimiter.isDue(frameMs)) {
      if (!this.#plotLimiter.isDue(frameMs)) return;
      this.#hasDrawn = true;
      this.#plots?.drawNext(frameSeconds);
      return;
    }
    this.#read(simulation, frameMs);
    // No frame came between two readings: at such a low rate this one has time for everything.
    if (!this.#hasDrawn) this.#plots?.drawAll(frameSeconds);
    this.#hasDrawn = false;
  };

  #read(simulation: InspectedSimulation, frameMs: number): void {
    const counters = this.#counters;
    if (counters === undefined) return;
    const statistics = simulation.stats();
    const recent = counters.read();
    counters.reset();
    this.#measurements.show(frameMs, statistics, recent.inputLatencyMs.p50);
    this.#plots?.addReading(frameMs / 1000, statistics, recent);
    this.#refreshControls();
  }

  #refreshControls(): void {
    for (const reader of this.#readers) reader.refresh();
  }
}
