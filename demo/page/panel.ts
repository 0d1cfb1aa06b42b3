/** The panel: all settings and actions. */
import { Pane, type BindingParams, type FolderApi, type InputBindingApi } from 'tweakpane';
import { SCENES, SCENE_NAMES } from '../contract/scene-contract.js';
import { elementById } from '../../site/common/elements.js';
import { addFaults, HistoryFolder, type HistoryActions } from './panel-history.js';
import { labelControls } from './panel-labels.js';
import { markMoreBelow } from './panel-scroll.js';
import { isHudShown, isPanelShown, onBreakpointChange } from './breakpoints.js';
import { INTERPOLATION_MODES } from './library-choices.js';
import { QUALITIES } from './quality/levels.js';
import { ENGINES, FRAME_LIMITS, OVERLOAD_WAYS, RANGES, type Settings } from './settings.js';
import type { SettingsStore } from '../../site/common/settings-store.js';

/** What the buttons do. */
export interface PanelActions extends HistoryActions {
  readonly togglePause: () => void;
  readonly step: () => void;
  readonly reset: () => void;
  readonly shoot: () => void;
  readonly stallPage: () => void;
  readonly stallWorker: () => void;
}

/** What the controls are bound to: the settings, with every list value as a text. */
type Model = {
  -readonly [K in BoundName]: NonNullable<Settings[K]> extends number | boolean
    ? NonNullable<Settings[K]>
    : string;
};
type BoundName = Exclude<keyof Settings, 'paused' | 'panel' | 'width' | 'height'>;
/** Settings that a control changes directly. */
type PlainName = 'tickHz' | 'timeScale' | 'split' | 'shadows' | 'stallMs' | 'capacity';
type ChoiceName = 'frameLimit' | 'interpolation' | 'engine' | 'quality' | 'overload';

const CAPACITIES = [1024, 2048, 4096, 8192, 16_384];

export class Panel {
  readonly #container = elementById('panel', HTMLElement);
  readonly #store: SettingsStore<Settings>;
  readonly #pane: Pane;
  readonly #model: Model;
  #bodies: InputBindingApi<unknown, number> | undefined;
  #bodiesScene: Settings['scene'] | undefined;
  #history: HistoryFolder | undefined;

  constructor(store: SettingsStore<Settings>) {
    this.#store = store;
    this.#model = modelOf(store.current);
    const expanded = isPanelShown(store.current);
    this.#pane = new Pane({ container: this.#container, title: 'Settings', expanded });
  }

  /** Adds the controls, and follows the settings from then on. */
  mount(actions: PanelActions): void {
    const store = this.#store;
    this.#addScene();
    this.#addActions(actions);
    this.#history = new HistoryFolder(this.#pane, actions);
    this.#addTime();
    this.#addDrawing();
    this.#addStalls(actions);
    addFaults(this.#pane, actions.fault);
    this.#addEngine();
    labelControls(this.#container);
    let isFitting = false;
    this.#pane.on('fold', (event) => {
      if (event.target === this.#pane && !isFitting) store.update({ panel: event.expanded });
    });
    // Follows the window until the user folds or unfolds it; never follows its own split view
    // switch.
    onBreakpointChange(() => {
      this.#refresh();
      if (store.current.panel !== undefined) return;
      isFitting = true;
      this.#pane.expanded = isPanelShown(store.current);
      isFitting = false;
    });
    store.onChange(() => this.#refresh());
    dropFocusAfterPointer(this.#container);
    markMoreBelow(this.#container);
  }

  setReplaying(isReplaying: boolean): void {
    this.#history?.setReplaying(isReplaying);
  }

  #addScene(): void {
    const options = Object.fromEntries(SCENE_NAMES.map((name) => [SCENES[name].title, name]));
    const binding = this.#pane.addBinding(this.#model, 'scene', { label: 'Scene', options });
    binding.on('change', ({ value }) => {
      const scene = SCENE_NAMES.find((name) => name === value);
      if (scene === undefined || scene === this.#store.current.scene) return;
      this.#store.update({ scene, bodies: SCENES[scene].bodies[1] });
    });
    this.#placeBodies();
  }

  /** Each scene has its own range, and a control keeps the range that it was made with. */
  #placeBodies(): void {
    const { scene } = this.#store.current;
    if (this.#bodiesScene === scene) return;
    this.#bodiesScene = scene;
    if (this.#bodies !== undefined) this.#pane.remove(this.#bodies);
    const [min, , max] = SCENES[scene].bodies;
    const params = { label: 'Bodies', min, max, step: 1, index: 1 };
    const binding = this.#pane.addBinding(this.#model, 'bodies', params);
    // Only when the slider is released: each change builds a scene.
    binding.on('change', ({ value, last }) => {
      if (last) this.#store.update({ bodies: value });
    });
    this.#bodies = binding as InputBindingApi<unknown, number>;
    labelControls(binding.element);
  }

  #addActions(actions: PanelActions): void {
    const add = (title: string, run: () => void) => {
      const button = this.#pane.addButton({ title }).on('click', run);
      button.element.classList.add('half');
      return button;
    };
    const pause = add('Pause', actions.togglePause);
    const showState = (): void => {
      pause.title = this.#store.current.paused ? 'Resume' : 'Pause';
    };
    showState();
    this.#store.onChange(showState);
    add('Step', actions.step);
    add('Reset', actions.reset);
    add('Shoot', actions.shoot);
  }

  #addTime(): void {
    const folder = this.#pane.addFolder({ title: 'Time' });
    const [minHz, maxHz] = RANGES.tickHz;
    this.#bind(folder, 'tickHz', { label: 'Tick rate, Hz', min: minHz, max: maxHz, step: 1 });
    const [slowest, fastest] = RANGES.timeScale;
    this.#bind(folder, 'timeScale', {
      label: 'Time scale',
      min: slowest,
      max: fastest,
      step: 0.05,
    });
    this.#bindChoice(folder, 'overload', 'If too slow', OVERLOAD_WAYS);
  }

  #addDrawing(): void {
    const folder = this.#pane.addFolder({ title: 'Drawing' });
    this.#bindChoice(folder, 'frameLimit', 'Frame limit', FRAME_LIMITS);
    this.#bindChoice(folder, 'interpolation', 'Interpolation', INTERPOLATION_MODES);
    this.#bind(folder, 'split', { label: 'Split view' });
    this.#bindChoice(folder, 'quality', 'Quality', QUALITIES);
    this.#bind(folder, 'shadows', { label: 'Shadows' });
    this.#bindHud(folder);
  }

  #addStalls(actions: PanelActions): void {
    const folder = this.#pane.addFolder({ title: 'Stall' });
    const [min, max] = RANGES.stallMs;
    this.#bind(folder, 'stallMs', { label: 'Duration, ms', min, max, step: 50 });
    folder.addButton({ title: 'Stall the page' }).on('click', actions.stallPage);
    folder.addButton({ title: 'Stall the worker' }).on('click', actions.stallWorker);
  }

  #addEngine(): void {
    const folder = this.#pane.addFolder({ title: 'Engine', expanded: false });
    this.#bindChoice(folder, 'engine', 'Build', ENGINES);
    const capacities = [...new Set([...CAPACITIES, this.#model.capacity])].toSorted(
      (a, b) => a - b,
    );
    const options = Object.fromEntries(capacities.map((capacity) => [String(capacity), capacity]));
    this.#bind(folder, 'capacity', { label: 'Capacity', options });
    // Four thousand million values are too many for a slider: only a text field.
    const [min, max] = RANGES.seed;
    const seed = folder.addBinding(this.#model, 'seed', { label: 'Seed', min, step: 1 });
    seed.on('change', ({ value, last }) => {
      if (last) this.#store.update({ seed: Math.min(max, value) });
    });
  }

  #bindHud(folder: FolderApi): void {
    const binding = folder.addBinding(this.#model, 'hud', { label: 'Measurements' });
    binding.on('change', ({ value }) => {
      // Not when it only follows the window: that is not the user's choice.
      if (value !== isHudShown(this.#store.current)) this.#store.update({ hud: value });
    });
  }

  #bind(folder: FolderApi, name: PlainName, params: BindingParams): void {
    folder.addBinding(this.#model, name, params).on('change', ({ value }) => {
      // A slider adds up its steps: 0.1 and 0.2 give 0.30000000000000004.
      const exact = typeof value === 'number' ? Math.round(value * 1e6) / 1e6 : value;
      this.#store.update({ [name]: exact });
    });
  }

  /** A list of values, shown and bound as texts. */
  #bindChoice<K extends ChoiceName>(
    folder: FolderApi,
    name: K,
    label: string,
    values: readonly Settings[K][],
  ): void {
    const options = Object.fromEntries(values.map((value) => [String(value), String(value)]));
    folder.addBinding(this.#model, name, { label, options }).on('change', (event) => {
      const value = values.find((candidate) => String(candidate) === event.value);
      if (value !== undefined) this.#store.update({ [name]: value });
    });
  }

  #refresh(): void {
    Object.assign(this.#model, modelOf(this.#store.current));
    this.#placeBodies();
    this.#pane.refresh();
  }
}

function modelOf(settings: Settings): Model {
  const { paused: _paused, panel: _panel, width: _width, height: _height, ...bound } = settings;
  return {
    ...bound,
    frameLimit: String(bound.frameLimit),
    quality: String(bound.quality),
    hud: isHudShown(settings),
  };
}

/** After a click or a choice the keys belong to the page again; after Tab they stay with the control. */
function dropFocusAfterPointer(container: HTMLElement): void {
  let byPointer = false;
  container.addEventListener('pointerdown', () => {
    byPointer = true;
  });
  container.addEventListener('keydown', () => {
    byPointer = false;
  });
  const drop = (event: Event): void => {
    const { target } = event;
    if (!byPointer || !(target instanceof HTMLElement)) return;
    if (target instanceof HTMLInputElement && target.type !== 'checkbox') return;
    target.blur();
  };
  container.addEventListener('change', drop);
  container.addEventListener('click', drop);
}
