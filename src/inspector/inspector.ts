/** The display of a simulation: its parts, in a shadow root, kept up to date frame by frame. */
import type { CountedHandle, Counters } from '../render-main/api/simulation-statistics.js';
import { FrameLimiter } from '../render-main/frame/frame-limiter.js';
import { RunControls, Recordings, SeekBar } from './controls.js';
import { make, makeButton, STYLES } from './elements.js';
import {
  type Inspected,
  requireInspectorOptions,
  type InspectedSimulation,
  type InspectorOptions,
} from './inspector-options.js';
import { Log, lineOf } from './log.js';
import { Measurements } from './measurements.js';
import { ONE_PLOT, Plots } from './plots.js';

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
  readonly #controls: readonly { refresh(): void }[];
  readonly #refreshLimiter = new FrameLimiter(REFRESH_HZ);
  readonly #plotLimiter = new FrameLimiter(PLOT_HZ);
  #counters: Counters | undefined;
  #stopFollowing = (): void => {};
  /** How often another simulation was followed: one that resolves after the next call of `follow` is ignored. */
  #follows = 0;
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
    const controls = parts.includes('controls')
      ? [new RunControls(this), new SeekBar(this), new Recordings(this)]
      : [];
    this.#controls = controls;
    this.#content.append(...controls.map(({ element }) => element));
    if (parts.includes('measurements')) this.#content.append(this.#measurements.element);
    if (this.#plots !== undefined) this.#content.append(this.#plots.element);
    if (parts.includes('measurements')) this.#content.append(this.#measurements.line);
    if (parts.includes('log')) this.#content.append(this.#log.element);
    this.#fold = makeButton(options.title, () => this.#toggle());
    this.#fold.className = 'fold';
    // Pages without room for it style it by this name.
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
    const follows = this.#follows;
    Promise.resolve(simulation).then(
      (started) => {
        if (follows === this.#follows) this.#show(started);
      },
      (error: unknown) => {
        if (follows === this.#follows) this.#report(error);
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
    this.#follows += 1;
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
    // Every handle has them, though they are not public.
    this.#counters = (simulation as InspectedSimulation & CountedHandle).openCounters();
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
      // The application does not get the keys for a control of the display.
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
    // No frame came between two readings: at such a low rate there is time to draw all plots in this one.
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
    for (const control of this.#controls) control.refresh();
  }
}

/**
 * Shows a display on the page with which a simulation can be watched and controlled: plots of its step against the
 * budget, its lateness and the animation error; measurements; pause, step, time scale, rewinding; recordings as files;
 * and a log of what went wrong. It has its own styles, in a shadow root, light or dark as the page is. Escape folds it.
 *
 * It counts as a handler of the status `failed`: a failure is in its log instead of an uncaught error.
 *
 * @param simulation What `connect` resolves with, or `world.ready`, or a promise of it: then the log has the error if it
 *   does not start. Its frames are measured if the application samples it.
 * @param options What it shows, and where.
 * @returns The display.
 * @throws TypeError, RangeError for an unknown or invalid option.
 */
export function showInspector(
  simulation: InspectedSimulation | PromiseLike<InspectedSimulation>,
  options: InspectorOptions = {},
): Inspector {
  const inspector = new InspectorElement(options);
  inspector.follow(simulation);
  return inspector;
}
