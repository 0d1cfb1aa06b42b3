/** The controls of the run: pause, step and time scale, the bar that seeks in it, and recordings as files. */
import { make, makeButton, makeGroup, setText } from './elements.js';
import type { Replay } from '../render-main/session/replay.js';
import { isOperable, type Inspected, type InspectedSimulation } from './inspector-options.js';
import type { Recording } from '../shared/recording/recording.js';

/** Offered time scales: simulated seconds per second. */
const TIME_SCALES = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

/** Pause, step and time scale. */
export class RunControls {
  readonly element: HTMLElement;
  readonly #inspected: Inspected;
  readonly #pause: HTMLButtonElement;
  readonly #step: HTMLButtonElement;
  readonly #timeScale = make('select');

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
    this.#pause = makeButton('Pause', () => {
      inspected.attempt((simulation) =>
        simulation.state === 'paused' ? simulation.resume() : simulation.pause(),
      );
    });
    this.#step = makeButton('Step', () => {
      // In this order: a simulation that runs has no single steps.
      inspected.attempt(async (simulation) => {
        if (simulation.state !== 'paused') await simulation.pause();
        await simulation.step();
      });
    });
    const label = make('label', '', 'Time scale ');
    label.append(this.#timeScale);
    this.#timeScale.append(...TIME_SCALES.map(optionOf));
    this.#timeScale.addEventListener('change', () => {
      const timeScale = Number(this.#timeScale.value);
      inspected.attempt((simulation) => simulation.setTimeScale(timeScale));
    });
    this.element = makeGroup('controls', 'Run', this.#pause, this.#step, label);
  }

  /** Shows the state that the simulation has now. */
  refresh(): void {
    const { simulation } = this.#inspected;
    const isDisabled = !isOperable(simulation);
    for (const control of [this.#pause, this.#step, this.#timeScale]) control.disabled = isDisabled;
    if (simulation === undefined) return;
    setText(this.#pause, simulation.state === 'paused' ? 'Resume' : 'Pause');
    // The user may be choosing.
    if (this.#timeScale.matches(':focus')) return;
    const { timeScale } = simulation;
    const value = String(timeScale);
    if (this.#timeScale.value === value) return;
    this.#timeScale.value = value;
    if (this.#timeScale.value === value) return;
    this.#timeScale.append(optionOf(timeScale));
    this.#timeScale.value = value;
  }
}

function optionOf(timeScale: number): HTMLOptionElement {
  const option = make('option', '', `${timeScale} ×`);
  option.value = String(timeScale);
  return option;
}

/**
 * Shows where the run is. Its slider rewinds the run, or seeks in a recording that is shown.
 *
 * Seeking to an earlier tick discards what came after it, but a drag may move forwards again. So while the slider is
 * held, the run's own recording is shown as a paused replay; the run continues from the tick at which it is released.
 */
export class SeekBar {
  readonly element = make('div', 'seek-bar');
  readonly #inspected: Inspected;
  readonly #text = make('output');
  readonly #slider = make('input');
  readonly #close: HTMLButtonElement;
  /** The slider is held. */
  #isHeld = false;
  /** The tick to move to; undefined when the slider's last move has been taken. */
  #wanted: number | undefined;
  #isMoving = false;
  /** Ends the wait for the next move. */
  #wake = (): void => {};

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
    const slider = this.#slider;
    slider.type = 'range';
    slider.setAttribute('aria-label', 'Tick');
    slider.addEventListener('input', () => this.#moveTo(slider.valueAsNumber, true));
    // There is no `change` if it was moved back to where it was.
    for (const end of ['change', 'pointerup', 'pointercancel', 'blur']) {
      slider.addEventListener(end, () => {
        if (this.#isHeld) this.#moveTo(slider.valueAsNumber, false);
      });
    }
    this.#close = makeButton('Close replay', () => {
      inspected.attempt(async ({ replay }) => replay?.close());
    });
    this.element.append(this.#text, slider, this.#close);
  }

  /** Shows where the simulation is now. */
  refresh(): void {
    const { simulation } = this.#inspected;
    const isMoving = this.#isHeld || this.#isMoving;
    this.#close.hidden = isMoving || simulation?.replay === undefined;
    if (simulation === undefined || isMoving) return;
    const { replay } = simulation;
    const { from, to } =
      replay === undefined
        ? simulation.rewindRange
        : { from: replay.recording.start?.tick ?? 0, to: replay.recording.lastTick };
    // The display lags behind the run and stops with it: the last frame shows an earlier tick.
    const isAtEnd = replay === undefined || replay.state === 'ended';
    const tick = isAtEnd ? to : simulation.latest.tick;
    this.#slider.min = String(from);
    this.#slider.max = String(to);
    this.#slider.valueAsNumber = tick;
    this.#slider.disabled = from >= to || !isOperable(simulation);
    this.#describe(tick, replay);
  }

  #describe(tick: number, replay: Replay | undefined): void {
    const text = replay === undefined ? `Tick ${tick}` : replayText(tick, replay);
    setText(this.#text, text);
    this.#slider.setAttribute('aria-valuetext', text);
  }

  #moveTo(tick: number, isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#wanted = tick;
    this.#describe(tick, undefined);
    // A move that is under way continues to the newest tick.
    this.#wake();
    if (this.#isMoving) return;
    this.#isMoving = true;
    this.#inspected.attempt(async (simulation) => {
      try {
        await (simulation.replay === undefined
          ? this.#rewind(simulation)
          : this.#follow(simulation.replay));
      } finally {
        this.#wanted = undefined;
        this.#isHeld = false;
        this.#isMoving = false;
      }
    });
  }

  async #rewind(simulation: InspectedSimulation): Promise<void> {
    const { state } = simulation;
    await simulation.pause();
    try {
      const recording = simulation.recording();
      const tick = Math.min(this.#wanted ?? recording.lastTick, recording.lastTick);
      this.#wanted = undefined;
      const replay = await simulation.openReplay(recording, { tick });
      try {
        await this.#follow(replay);
      } finally {
        // The replay is closed already if the worker failed on the way.
        if (replay.state !== 'closed') await replay.close();
      }
    } finally {
      // The simulation may have failed on the way.
      if (state === 'running' && simulation.state === 'paused') await simulation.resume();
    }
  }

  /** Seeks to the newest wanted tick, again and again, until the slider is released. */
  async #follow(replay: Replay): Promise<void> {
    while (this.#isHeld || this.#wanted !== undefined) {
      const tick = this.#wanted;
      this.#wanted = undefined;
      if (tick === undefined) await this.#nextMove();
      else await replay.seek(Math.min(tick, replay.recording.lastTick));
    }
  }

  #nextMove(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function replayText(tick: number, { recording, report, state }: Replay): string {
  const { differsAt, hashes } = report;
  const verdict = differsAt === undefined ? `equal hashes: ${hashes}` : `differs at ${differsAt}`;
  return `Replay, ${state}: tick ${tick} of ${recording.lastTick} · ${verdict}`;
}

const EXTENSION = '.btwr';

/** The file format is loaded when it is first used. */
const loadFormat = () => import('../shared/recording/recording-file.js');

/** Saves the run as a file, and loads a file as a replay. */
export class Recordings {
  readonly element: HTMLElement;
  readonly #inspected: Inspected;
  readonly #input = make('input');
  readonly #buttons: readonly HTMLButtonElement[];

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
    const input = this.#input;
    input.type = 'file';
    input.accept = EXTENSION;
    input.hidden = true;
    input.setAttribute('aria-label', 'Recording to load');
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file !== undefined) this.#load(file);
      // Otherwise the same file could not be chosen again.
      input.value = '';
    });
    this.#buttons = [
      makeButton('Save recording', () => {
        inspected.attempt((simulation) => download(simulation.recording()));
      }),
      makeButton('Load recording…', () => input.click()),
    ];
    this.element = makeGroup('recordings', 'Recording', ...this.#buttons, input);
  }

  /** A room records on its server. */
  refresh(): void {
    const isOfRoom = this.#inspected.simulation?.room !== undefined;
    for (const button of this.#buttons) button.disabled = isOfRoom;
  }

  #load(file: File): void {
    this.#inspected.attempt(async (simulation) => {
      const { decodeRecording } = await loadFormat();
      const recording = decodeRecording(new Uint8Array(await file.arrayBuffer()));
      await simulation.openReplay(recording);
    });
  }
}

/** Makes the browser save a recording. */
async function download(recording: Recording): Promise<void> {
  const { encodeRecording } = await loadFormat();
  const blob = new Blob([encodeRecording(recording)], { type: 'application/octet-stream' });
  const link = make('a');
  link.href = URL.createObjectURL(blob);
  link.download = `betwixt-${recording.lastTick}${EXTENSION}`;
  link.click();
  // The download holds its own reference to the blob by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
