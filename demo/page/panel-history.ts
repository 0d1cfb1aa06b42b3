/** The panel's folders for recording a run, rewinding it, and injecting faults. */
import type { FolderApi, InputBindingApi, Pane } from 'tweakpane';
import type { Fault } from '../contract/scene-contract.js';
import { REWIND_SECONDS } from './connect-options.js';

export interface HistoryActions {
  readonly saveRecording: () => void;
  readonly loadRecording: () => void;
  /** @param isLast The slider was released. Resolves when the run is there. */
  readonly rewind: (backSeconds: number, isLast: boolean) => Promise<void>;
  readonly fault: (kind: Fault) => void;
}

const FAULT_BUTTONS: readonly (readonly [string, Fault])[] = [
  ['Throw in a tick', 'throw'],
  ['Endless loop', 'hang'],
  ['NaN in a body', 'nan'],
  ['Out of capacity', 'full'],
];

export class HistoryFolder {
  readonly #folder: FolderApi;
  readonly #rewind: InputBindingApi<unknown, number>;
  /** Seconds, 0 or less: where in the last seconds of the run. */
  readonly #model = { rewindSeconds: 0 };

  constructor(pane: Pane, actions: HistoryActions) {
    this.#folder = pane.addFolder({ title: 'Record and replay' });
    this.#folder.element.classList.add('halves');
    this.#addButton('Save recording', actions.saveRecording);
    this.#addButton('Load recording…', actions.loadRecording);
    this.#rewind = this.#addRewind(actions.rewind);
  }

  /** A replay has its own timeline. */
  setReplaying(isReplaying: boolean): void {
    this.#rewind.disabled = isReplaying;
  }

  #addButton(title: string, run: () => void): void {
    const button = this.#folder.addButton({ title }).on('click', run);
    button.element.classList.add('half');
  }

  #addRewind(rewind: HistoryActions['rewind']): InputBindingApi<unknown, number> {
    const binding = this.#folder.addBinding(this.#model, 'rewindSeconds', {
      label: 'Rewind, s',
      min: -REWIND_SECONDS,
      max: 0,
      step: 0.1,
      format: (value) => value.toFixed(1),
    }) as InputBindingApi<unknown, number>;
    let isSettingBack = false;
    binding.on('change', ({ value, last }) => {
      if (isSettingBack) return;
      const isLast = last === true;
      void rewind(-value, isLast).then(() => {
        if (!isLast) return;
        // The released position is the new present.
        isSettingBack = true;
        this.#model.rewindSeconds = 0;
        binding.refresh();
        isSettingBack = false;
      });
    });
    return binding;
  }
}

/** Adds the buttons that inject faults. */
export function addFaults(pane: Pane, fault: HistoryActions['fault']): void {
  const folder = pane.addFolder({ title: 'Faults', expanded: false });
  folder.element.classList.add('halves');
  for (const [title, kind] of FAULT_BUTTONS) {
    const button = folder.addButton({ title }).on('click', () => fault(kind));
    button.element.classList.add('half');
  }
}
