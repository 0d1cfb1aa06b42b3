/**
 * The head-up display: numbers, plots and the counter line, at minimal cost for the frames that it
 * measures.
 */
import {
  FrameLimiter,
  type SampledFrame,
  type SimulationStatistics,
} from '../../../src/render-main/index.js';
import { elementById, make, setText } from '../../../site/common/elements.js';
import { singlePlotWindow } from '../breakpoints.js';
import type { DemoSimulation } from '../start-simulation.js';
import { PerSecond } from './per-second.js';
import { PLOT_NAMES, Plots, type PlotName } from './plots.js';

/** `stats()` walks thousands of histogram buckets: a few times a second, never every frame. */
const REFRESH_HZ = 4;
/** One plot is drawn at a time; with four of them each is drawn five times a second. */
const PLOT_HZ = 20;
/** The one plot of a small display, and all of them with a software renderer. */
const FEW_PLOTS_HZ = 8;
/** Before the display has been laid out, in CSS pixels. */
const INITIAL_WIDTH_PX = 280;

const MEASURES = {
  fps: 'Frames',
  tickRate: 'Tick rate',
  speed: 'Effective speed',
  dropped: 'Dropped ticks',
  starved: 'Starved frames',
  delay: 'Delay',
  margin: 'Margin',
  bodies: 'Bodies',
  keeping: 'Keeps up',
  events: 'Events',
  inputTick: 'Input to tick',
  inputFrame: 'Input to frame',
  transport: 'Transport',
  inputs: 'Inputs',
  quality: 'Quality',
} as const;
type Measure = keyof typeof MEASURES;

/** Short names of the watchdog's states. */
const KEEPING_UP: Record<SimulationStatistics['watchdog'], string> = {
  ok: 'yes',
  slow: 'slowly',
  critical: 'hardly',
  unresponsive: 'no',
};

type Counted =
  | 'iterations'
  | 'ticks'
  | 'droppedTicks'
  | 'frames'
  | 'drawn'
  | 'refreshes'
  | 'inputs'
  | 'events';

export class Hud {
  readonly #root = elementById('hud', HTMLElement);
  readonly #values = new Map<Measure, HTMLElement>();
  readonly #line = make('p', 'counter-line');
  readonly #fold = make('button', 'hud-fold', 'Measurements');
  readonly #plots: Plots;
  readonly #refreshLimiter = new FrameLimiter(REFRESH_HZ);
  readonly #plotLimiter = new FrameLimiter(PLOT_HZ);
  readonly #perSecond = new PerSecond<Counted>();
  #shownPlots: readonly PlotName[] = PLOT_NAMES;
  #selected: PlotName = 'step';
  #frames = 0;
  #drawnFrames = 0;
  #refreshes = 0;
  #isShown = false;
  #isSparing = false;
  /** Plots were drawn since the last reading. */
  #hasDrawn = true;
  #measured: DemoSimulation | undefined;
  #recent: ReturnType<DemoSimulation['openCounters']> | undefined;

  /**
   * @param onFold Called when the user folds or unfolds it, which is possible only in a window with
   * little room.
   */
  constructor(onFold: (isShown: boolean) => void) {
    this.#setUpFold(onFold);
    this.#root.append(this.#fold, this.#makeNumbers());
    const plots = make('div', 'plots');
    this.#plots = new Plots(plots, INITIAL_WIDTH_PX);
    this.#root.append(this.#makeSwitch(), plots, this.#line);
    new ResizeObserver(() => this.#plots.setWidth(plots.clientWidth)).observe(plots);
    singlePlotWindow.addEventListener('change', () => this.#choosePlots());
    this.#choosePlots();
  }

  /**
   * @param text Describes the rendering quality.
   * @param isSparing The quality is low because the machine is slow: plots are drawn less often.
   */
  setQuality(text: string, isSparing: boolean): void {
    this.#set('quality', text);
    if (isSparing === this.#isSparing) return;
    this.#isSparing = isSparing;
    this.#choosePlots();
  }

  setShown(isShown: boolean): void {
    this.#isShown = isShown;
    this.#root.hidden = false;
    // In a window with little room only the button stays.
    this.#root.classList.toggle('folded', !isShown);
    this.#fold.setAttribute('aria-expanded', String(isShown));
  }

  /**
   * Takes a frame that was shown.
   *
   * @param frameMs Its time stamp.
   * @param isDrawn False if the previous drawing was kept for it.
   */
  frame(simulation: DemoSimulation, frame: SampledFrame, frameMs: number, isDrawn: boolean): void {
    if (this.#measured !== simulation) this.#startOver(simulation);
    this.#frames += 1;
    if (isDrawn) this.#drawnFrames += 1;
    if (!this.#isShown) return;
    const frameSeconds = frameMs / 1000;
    this.#plots.addFrame(frameSeconds, frame.alpha, simulation.lastAnimationErrorMs);
    if (!this.#refreshLimiter.isDue(frameMs)) {
      if (this.#plotLimiter.isDue(frameMs)) this.#drawPlots(1, frameSeconds);
      return;
    }
    this.#refresh(simulation, frameMs);
    // No frame came between two readings: at such a low rate this one has time for everything.
    if (!this.#hasDrawn) this.#drawPlots(this.#shownPlots.length, frameSeconds);
    this.#hasDrawn = false;
  }

  #drawPlots(count: number, frameSeconds: number): void {
    this.#hasDrawn = true;
    for (let drawn = 0; drawn < count; drawn++)
      this.#plots.drawNext(this.#shownPlots, frameSeconds);
  }

  #refresh(simulation: DemoSimulation, frameMs: number): void {
    this.#refreshes += 1;
    const statistics = simulation.stats();
    const { iterations, ticks, droppedTicks, inputs, timedCommands, events } = statistics;
    this.#perSecond.add(frameMs, {
      iterations,
      ticks,
      droppedTicks,
      // Dragging a body sends commands.
      inputs: inputs + timedCommands,
      events,
      frames: this.#frames,
      drawn: this.#drawnFrames,
      refreshes: this.#refreshes,
    });
    if (this.#recent !== undefined) {
      const recent = this.#recent.read();
      this.#plots.addReading(frameMs / 1000, statistics, recent);
      // Without inputs the last reading stays.
      const { p50 } = recent.inputLatencyMs;
      if (!Number.isNaN(p50)) this.#set('inputTick', milliseconds(p50));
      this.#recent.reset();
    }

    const count = (counted: Counted): number => Math.round(this.#perSecond.rate(counted));
    setText(
      this.#line,
      `Iterations: ${count('iterations')} | Updated: ${count('ticks')} | ` +
        `Rendered: ${count('drawn')} | Refreshed: ${count('refreshes')}`,
    );
    this.#set('fps', `${this.#perSecond.rate('frames').toFixed(1)} fps`);
    this.#set('tickRate', `${statistics.tickRateHz} Hz`);
    this.#set('speed', statistics.state === 'paused' ? 'paused' : percent(this.#effectiveSpeed()));
    this.#set('dropped', String(statistics.droppedTicks));
    this.#set('starved', String(statistics.starvedFrames));
    this.#set('delay', milliseconds(statistics.delayMs));
    this.#set('margin', milliseconds(statistics.marginMs));
    this.#set('bodies', String(statistics.bodies));
    this.#showTraffic(statistics);
    this.#root.classList.toggle('slow', statistics.isSlow && statistics.state === 'running');
  }

  /** Messages to and from the worker. */
  #showTraffic(statistics: SimulationStatistics): void {
    const { watchdog, inputToFrameMs, lateInputs, refusedInputs, lostEvents } = statistics;
    const rate = (counted: Counted): string => `${Math.round(this.#perSecond.rate(counted))}/s`;
    this.#set('keeping', KEEPING_UP[watchdog]);
    this.#set('inputFrame', milliseconds(inputToFrameMs.p50));
    // Zeros are left out, and take no room.
    const late = lateInputs > 0 ? ` · ${lateInputs} late` : '';
    const refused = refusedInputs > 0 ? ` · ${refusedInputs} refused` : '';
    this.#set('inputs', rate('inputs') + late + refused);
    this.#set('events', rate('events') + (lostEvents > 0 ? ` · ${lostEvents} lost` : ''));
    this.#set('transport', statistics.transport);
    this.#mark('keeping', watchdog !== 'ok');
    this.#mark('inputs', refusedInputs > 0);
    this.#mark('events', lostEvents > 0);
  }

  /** Share of the ticks due in the last second that ran. */
  #effectiveSpeed(): number {
    const ran = this.#perSecond.increase('ticks');
    const due = ran + this.#perSecond.increase('droppedTicks');
    return due === 0 ? Number.NaN : ran / due;
  }

  #set(measure: Measure, text: string): void {
    const element = this.#values.get(measure);
    if (element !== undefined) setText(element, text);
  }

  #mark(measure: Measure, isAlarming: boolean): void {
    this.#values.get(measure)?.classList.toggle('alarming', isAlarming);
  }

  #startOver(simulation: DemoSimulation): void {
    this.#measured = simulation;
    this.#recent = simulation.openCounters();
    this.#perSecond.clear();
    this.#plots.clear();
  }

  #setUpFold(onFold: (isShown: boolean) => void): void {
    this.#fold.type = 'button';
    this.#fold.addEventListener('click', (event) => {
      // After a click the keys belong to the page again; after Tab they stay with the button.
      if (event.detail > 0) this.#fold.blur();
      onFold(!this.#isShown);
    });
  }

  #makeNumbers(): HTMLElement {
    const list = make('dl', 'numbers');
    for (const measure of Object.keys(MEASURES) as Measure[]) {
      const value = make('dd', '', '–');
      value.dataset['measure'] = measure;
      this.#values.set(measure, value);
      const pair = make('div');
      pair.append(make('dt', '', MEASURES[measure]), value);
      list.append(pair);
    }
    return list;
  }

  /** Buttons for the plot that a small display shows. */
  #makeSwitch(): HTMLElement {
    const group = make('div', 'plot-switch');
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'Plot');
    for (const name of PLOT_NAMES) {
      const button = make('button', '', this.#plots.titleOf(name));
      button.type = 'button';
      button.dataset['plot'] = name;
      button.addEventListener('click', () => {
        this.#selected = name;
        this.#choosePlots();
      });
      group.append(button);
    }
    return group;
  }

  #choosePlots(): void {
    const isSingle = singlePlotWindow.matches;
    this.#shownPlots = isSingle ? [this.#selected] : PLOT_NAMES;
    this.#plotLimiter.setLimit(isSingle || this.#isSparing ? FEW_PLOTS_HZ : PLOT_HZ);
    this.#plots.select(this.#selected);
    for (const button of this.#root.querySelectorAll<HTMLElement>('.plot-switch button')) {
      button.setAttribute('aria-pressed', String(button.dataset['plot'] === this.#selected));
    }
  }
}

function milliseconds(value: number): string {
  if (Number.isNaN(value)) return '–';
  // There is room for four characters, and from 100 ms on tenths say nothing.
  return `${value.toFixed(Math.abs(value) < 99.95 ? 1 : 0)} ms`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${Math.round(100 * share)} %`;
}
