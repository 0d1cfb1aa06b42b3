/** Recordings as files: saving, choosing, dropping them on the page. */
import { decodeRecording, encodeRecording, type Recording } from '../../src/shared/index.js';
import { make } from '../../site/elements.js';
import { fileNameOf } from './recorded-scene.js';

const EXTENSION = '.btwr';
/**
 * Minimum number of ticks between two states of a file: they are for seeking, and may have
 * megabytes each.
 */
const TICKS_BETWEEN_STATES = 600;

/**
 * Makes the browser save a recording.
 *
 * @returns The file's name and size.
 */
export function downloadRecording(
  recording: Recording,
  scene: string,
): { readonly name: string; readonly bytes: number } {
  const blob = new Blob([encodeRecording(withFewStates(recording))], {
    type: 'application/octet-stream',
  });
  const link = make('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileNameOf(recording, scene);
  link.click();
  // The download holds its own reference to the blob by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return { name: link.download, bytes: blob.size };
}

export interface FileEvents {
  readonly onRecording: (recording: Recording) => void;
  /** The chosen file is not a recording; the error says why. */
  readonly onRefusal: (error: unknown) => void;
}

/** Takes files from a dialog, and files that are dropped on the page. */
export class RecordingFiles {
  readonly #events: FileEvents;
  readonly #input = make('input');

  /** @param root Gets the input behind the dialog. */
  constructor(root: HTMLElement, events: FileEvents) {
    this.#events = events;
    this.#input.type = 'file';
    this.#input.accept = EXTENSION;
    this.#input.hidden = true;
    this.#input.setAttribute('aria-label', 'Recording to load');
    this.#input.addEventListener('change', () => {
      const [file] = this.#input.files ?? [];
      if (file !== undefined) void this.#read(file);
      // Otherwise the same file could not be chosen again.
      this.#input.value = '';
    });
    root.append(this.#input);
    this.#acceptDrops();
  }

  /** Opens the dialog. Works only from a click or a key. */
  choose(): void {
    this.#input.click();
  }

  #acceptDrops(): void {
    addEventListener('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      // Otherwise the browser opens the file instead of the page.
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    });
    addEventListener('drop', (event) => {
      const [file] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      event.preventDefault();
      void this.#read(file);
    });
  }

  async #read(file: File): Promise<void> {
    try {
      this.#events.onRecording(decodeRecording(new Uint8Array(await file.arrayBuffer())));
    } catch (error) {
      this.#events.onRefusal(error);
    }
  }
}

function withFewStates(recording: Recording): Recording {
  let lastTick = recording.start?.tick ?? 0;
  const states = recording.states.filter(({ tick }) => {
    const isKept = tick - lastTick >= TICKS_BETWEEN_STATES;
    if (isKept) lastTick = tick;
    return isKept;
  });
  return { ...recording, states };
}
