/**
 * Results of the runs: requests them when the situation changes, and passes them to the table and
 * the stage.
 */
import type { LabRow } from '../engine/index.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import type { Side } from './colours.js';
import { elementById } from '../../site/common/elements.js';
import { noticeTopic } from '../../site/common/notices.js';
import type { RunResult } from './run-messages.js';
import { Runner } from './runner.js';
import { engineInput, type LabSettings } from './settings.js';
import { showTable, withoutName } from './table-view.js';
import { createTimeline, type Timeline } from './timeline.js';

/** Shorter runs need no progress bar, in ms. */
const PROGRESS_AFTER_MS = 400;
/** Interval of runs while a slider is dragged, in ms. */
const SETTLE_MS = 60;
const EMPTY: Timeline = createTimeline([]);

export class Results {
  /** Timelines of the two on the stage. */
  timelines: readonly [Timeline, Timeline] = [EMPTY, EMPTY];
  readonly #onTimelines: (settings: LabSettings) => void;
  readonly #notify = noticeTopic();
  readonly #runner = new Runner({
    onResult: (result, done, all) => this.#take(result, done, all),
    onFailure: (message) => this.#notify([message]),
  });
  readonly #progress = elementById('progress', HTMLProgressElement);
  #settings: LabSettings | undefined;
  #rows = new Map<StepperKind, LabRow | string>();
  #traces = new Map<StepperKind, Timeline>();
  #omitted: StepperKind[] = [];
  #settleTimer: ReturnType<typeof setTimeout> | undefined;
  #progressTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param onTimelines Called when there are new ones, with the settings that they belong to. */
  constructor(onTimelines: (settings: LabSettings) => void) {
    this.#onTimelines = onTimelines;
  }

  get hasTimelines(): boolean {
    return this.timelines.some(({ endMs }) => endMs > 0);
  }

  /** The column of numbers of a loop on the stage, once it has run. */
  rowOf(side: Side): LabRow | undefined {
    const kind = side === 0 ? this.#settings?.left : this.#settings?.right;
    const row = kind === undefined ? undefined : this.#rows.get(kind);
    return typeof row === 'string' ? undefined : row;
  }

  /** Runs everything, soon. */
  request(settings: LabSettings): void {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#run(settings), SETTLE_MS);
  }

  #run(settings: LabSettings): void {
    const { left, right, table } = settings;
    this.#settings = settings;
    this.#rows = new Map();
    this.#traces = new Map();
    this.#omitted = [];
    const stage = [...new Set([left, right])];
    const kinds = [
      ...stage,
      ...STEPPER_KINDS.filter((kind) => table.includes(kind) && !stage.includes(kind)),
    ];
    clearTimeout(this.#progressTimer);
    this.#progress.value = 0;
    this.#progressTimer = setTimeout(() => {
      this.#progress.hidden = false;
      this.#showTable();
    }, PROGRESS_AFTER_MS);
    elementById('table', HTMLTableElement).setAttribute('aria-busy', 'true');
    this.#runner.run({ kinds, traced: stage, ...engineInput(settings) });
  }

  #take(result: RunResult, done: number, all: number): void {
    const settings = this.#settings;
    if (settings === undefined) return;
    const { left, right } = settings;
    const { kind } = result;
    if ('error' in result) this.#rows.set(kind, result.error);
    else {
      this.#rows.set(kind, result.row);
      if (result.omitted > 0) this.#omitted.push(kind);
      if (kind === left || kind === right) this.#traces.set(kind, createTimeline(result.spans));
    }
    this.#progress.max = all;
    this.#progress.value = done;
    if (done === new Set([left, right]).size) {
      this.timelines = [this.#traces.get(left) ?? EMPTY, this.#traces.get(right) ?? EMPTY];
      this.#onTimelines(settings);
    }
    if (done === all) this.#finish();
    else if (!this.#progress.hidden) this.#showTable();
  }

  #finish(): void {
    clearTimeout(this.#progressTimer);
    this.#progress.hidden = true;
    this.#showTable();
    const omitted = this.#omitted.map(
      (kind) => `${kind} does more than fits in the chart: chart and bodies end early.`,
    );
    this.#notify([...this.#errors(), ...omitted]);
  }

  /** The errors, each sentence once with the loops that it applies to. */
  #errors(): string[] {
    const kindsOf = new Map<string, StepperKind[]>();
    for (const [kind, row] of this.#rows) {
      if (typeof row !== 'string') continue;
      const sentence = withoutName(kind, row);
      kindsOf.set(sentence, [...(kindsOf.get(sentence) ?? []), kind]);
    }
    return [...kindsOf].map(([sentence, kinds]) => `${kinds.join(', ')}${sentence}.`);
  }

  #showTable(): void {
    const settings = this.#settings;
    if (settings === undefined) return;
    const { left, right, table } = settings;
    const rows = table.map((kind) => ({ kind, result: this.#rows.get(kind) }));
    showTable(rows, [left, right]);
    const element = elementById('table', HTMLTableElement);
    element.setAttribute('aria-busy', String(!this.#progress.hidden));
    elementById('table-empty', HTMLParagraphElement).hidden = table.length > 0;
  }
}
