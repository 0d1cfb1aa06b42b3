/** Recordings as files: saving one, and loading one as a replay. */
import type { Recording } from '../shared/recording/recording.js';
import { make, makeButton, makeGroup } from './elements.js';
import type { Inspected } from './inspected.js';

const EXTENSION = '.btwr';

/** The file format is loaded when it is first used. */
const loadFormat = () => import('../shared/recording/recording-file.js');

/** The buttons for recordings in the page. */
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
