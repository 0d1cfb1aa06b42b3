/** The numbers, and the line of the loop's counts per second. */
import type { SimulationStatistics } from '../render-main/api/simulation-statistics.js';
import { make, nameOf, setText } from './elements.js';

const MEASURES = {
  fps: 'Frames',
  tickRate: 'Tick rate',
  speed: 'Effective speed',
  dropped: 'Dropped ticks',
  starved: 'Starved frames',
  delay: 'Delay',
  margin: 'Margin',
  bodies: 'Bodies',
  events: 'Events',
  inputTick: 'Input to tick',
  inputFrame: 'Input to picture',
  transport: 'Transport',
  memory: 'Recording',
  inputs: 'Inputs',
  load: 'Load',
} as const;
type Measure = keyof typeof MEASURES;

/** Shown as the tooltip of a number whose name does not say everything. */
const EXPLANATIONS: Readonly<Partial<Record<string, string>>> = {
  inputFrame:
    'From an input to the first frame that shows its effect: the wait for the next tick, its step, and the margin. Median',
  load: 'Share of the last second in which the worker was awake, in which the page ran betwixt, and in which it ran the renderer',
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

/** Measurements by the application. */
export interface ApplicationMeasures {
  readonly measures?: (() => Readonly<Record<string, string>>) | undefined;
  readonly drawnFrames?: (() => number) | undefined;
}

/** The numbers as a list, and the line of counts. */
export class Measurements {
  readonly element = make('div', 'measurements');
  /** Below the plots. */
  readonly line = make('p', 'counter-line');
  readonly #application: ApplicationMeasures;
  readonly #list = make('dl', 'numbers');
  readonly #values = new Map<string, HTMLElement>();
  readonly #perSecond = new PerSecond<Counted>();
  #refreshes = 0;

  constructor(application: ApplicationMeasures) {
    this.#application = application;
    for (const [name, title] of Object.entries(MEASURES)) this.#add(name, title);
    this.element.append(this.#list);
  }

  /** Another simulation is measured from now on. */
  clear(): void {
    this.#perSecond.clear();
    for (const value of this.#values.values()) setText(value, '–');
  }

  /** @param inputToTickMs The median since the last reading; NaN without inputs: the last one stays. */
  show(nowMs: number, statistics: SimulationStatistics, inputToTickMs: number): void {
    this.#count(nowMs, statistics);
    const count = (counted: Counted): number => Math.round(this.#perSecond.rate(counted));
    setText(
      this.line,
      `Iterations: ${count('iterations')} | Updated: ${count('ticks')} | ` +
        `Rendered: ${count('drawn')} | Refreshed: ${count('refreshes')}`,
    );
    const { state } = statistics;
    this.#set('fps', `${this.#perSecond.rate('frames').toFixed(1)} fps`);
    this.#set('tickRate', `${statistics.tickRateHz} Hz`);
    this.#set('speed', state === 'running' ? percent(this.#effectiveSpeed()) : state);
    this.#set('dropped', String(statistics.droppedTicks));
    this.#set('starved', String(statistics.starvedFrames));
    this.#set('delay', milliseconds(statistics.delayMs));
    this.#set('margin', milliseconds(statistics.marginMs));
    this.#set('bodies', `${statistics.bodies} of ${statistics.bodyCapacity}`);
    if (!Number.isNaN(inputToTickMs)) this.#set('inputTick', milliseconds(inputToTickMs));
    this.#showTraffic(statistics);
    this.#mark('speed', statistics.isSlow && state === 'running');
    for (const [title, text] of Object.entries(this.#application.measures?.() ?? {})) {
      const name = nameOf(title);
      if (!this.#values.has(name)) this.#add(name, title).classList.add('wide');
      setText(this.#values.get(name) ?? this.line, text);
    }
  }

  #count(nowMs: number, statistics: SimulationStatistics): void {
    this.#refreshes += 1;
    const { iterations, ticks, droppedTicks, inputs, timedCommands, events, frames } = statistics;
    this.#perSecond.add(nowMs, {
      iterations,
      ticks,
      droppedTicks,
      inputs: inputs + timedCommands,
      events,
      frames,
      drawn: this.#application.drawnFrames?.() ?? frames,
      refreshes: this.#refreshes,
    });
  }

  /** Messages to and from the worker. */
  #showTraffic(statistics: SimulationStatistics): void {
    const { inputToFrameMs, lateInputs, refusedInputs } = statistics;
    const lost = statistics.lostEvents + statistics.droppedEvents;
    const rate = (counted: Counted): string => `${Math.round(this.#perSecond.rate(counted))}/s`;
    this.#set('inputFrame', milliseconds(inputToFrameMs.p50));
    // Zeros are left out, and take no room.
    const late = lateInputs > 0 ? ` · ${lateInputs} late` : '';
    const refused = refusedInputs > 0 ? ` · ${refusedInputs} refused` : '';
    this.#set('inputs', rate('inputs') + late + refused);
    this.#set('events', rate('events') + (lost > 0 ? ` · ${lost} lost` : ''));
    const { worker, page, renderer } = statistics.load;
    this.#set(
      'load',
      `worker ${percent(worker)} · page ${percent(page)} · renderer ${percent(renderer)}`,
    );
    this.#set('transport', statistics.transport);
    this.#set('memory', bytes(statistics.recordingBytes));
    this.#mark('inputs', refusedInputs > 0);
    this.#mark('events', lost > 0);
    this.#mark('memory', statistics.isRecordingFull);
  }

  /** Share of the ticks due in the last second that ran. */
  #effectiveSpeed(): number {
    const ran = this.#perSecond.increase('ticks');
    const due = ran + this.#perSecond.increase('droppedTicks');
    return due === 0 ? Number.NaN : ran / due;
  }

  #add(name: string, title: string): HTMLElement {
    const value = make('dd', '', '–');
    value.dataset['measure'] = name;
    this.#values.set(name, value);
    const pair = make('div');
    pair.title = EXPLANATIONS[name] ?? '';
    pair.append(make('dt', '', title), value);
    this.#list.append(pair);
    return pair;
  }

  #set(measure: Measure, text: string): void {
    const element = this.#values.get(measure);
    if (element !== undefined) setText(element, text);
  }

  #mark(measure: Measure, isAlarming: boolean): void {
    this.#values.get(measure)?.classList.toggle('alarming', isAlarming);
  }
}

function milliseconds(value: number): string {
  if (Number.isNaN(value)) return '–';
  // There is room for four characters, and from 100 ms on tenths say nothing.
  return `${value.toFixed(Math.abs(value) < 99.95 ? 1 : 0)} ms`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${Math.round(share * 100)} %`;
}

function bytes(count: number): string {
  return count < 1e6 ? `${Math.ceil(count / 1000)} kB` : `${(count / 1e6).toFixed(1)} MB`;
}

/** Intervals between readings that make up the window: at four a second it is one second long. */
const INTERVALS = 4;

/** How much counters increased in the last second. They are read a few times a second. */
export class PerSecond<Name extends string> {
  readonly #samples: { readonly atMs: number; readonly counts: Readonly<Record<Name, number>> }[] =
    [];

  /** @param counts The counters' values; they only increase, or all restart. */
  add(atMs: number, counts: Readonly<Record<Name, number>>): void {
    const newest = this.#samples.at(-1)?.counts;
    const names = Object.keys(counts) as Name[];
    const hasRestarted = newest !== undefined && names.some((name) => counts[name] < newest[name]);
    if (hasRestarted) this.clear();
    this.#samples.push({ atMs, counts });
    if (this.#samples.length > INTERVALS + 1) this.#samples.shift();
  }

  /** Increase over the window. */
  increase(name: Name): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    return first === undefined || last === undefined ? 0 : last.counts[name] - first.counts[name];
  }

  /** Increase per second; the average over a window that a stall has made longer. */
  rate(name: Name): number {
    const spanMs = (this.#samples.at(-1)?.atMs ?? 0) - (this.#samples[0]?.atMs ?? 0);
    return spanMs > 0 ? (this.increase(name) * 1000) / spanMs : 0;
  }

  clear(): void {
    this.#samples.length = 0;
  }
}
