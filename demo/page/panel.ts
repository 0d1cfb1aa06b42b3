/**
 * The settings behind the button. Each control has the name of its setting, and its values are the
 * texts that the address has.
 */
import { SCENES, SCENE_NAMES } from '../contract/scene-contract.js';
import { elementById, setText } from '../../site/elements.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { changeOf, textOf, type SettingName, type Settings } from './settings.js';

/** The actions of the buttons, by their names. */
export type PanelActions = Readonly<
  Record<
    | 'reset'
    | 'shoot'
    | 'pause'
    | 'step'
    | 'save'
    | 'load'
    | 'stallPage'
    | 'stallWorker'
    | 'throw'
    | 'hang'
    | 'nan',
    () => void
  >
>;

type Control = (HTMLInputElement | HTMLSelectElement) & { readonly name: SettingName };

export function connectPanel(store: SettingsStore<Settings>, actions: PanelActions): void {
  const panel = elementById('settings', HTMLElement);
  const find = <E extends Element>(selector: string): E => {
    const found = panel.querySelector<E>(selector);
    if (found === null) throw new Error(`the settings have no ${selector}`);
    return found;
  };
  const scenes = find<HTMLSelectElement>('[name="scene"]');
  for (const name of SCENE_NAMES) scenes.add(new Option(SCENES[name].title, name));
  const bodies = find<HTMLInputElement>('[name="bodies"]');
  const pause = find<HTMLButtonElement>('[name="pause"]');
  const controls = panel.querySelectorAll<Control>(':is(input, select)[name]:not([type="radio"])');
  const refresh = (): void => {
    const { scene, paused } = store.current;
    const [min, , max] = SCENES[scene].bodies;
    bodies.min = String(min);
    bodies.max = String(max);
    for (const control of controls) show(control, textOf(store.current, control.name));
    setText(pause, paused ? 'Resume' : 'Pause');
  };
  for (const control of controls) {
    control.addEventListener('input', () => describe(control));
    // Each number of bodies builds a scene, so it counts when the slider is released.
    control.addEventListener(control === bodies ? 'change' : 'input', () => {
      store.update(changeOf(store.current, control.name, textIn(control)));
    });
  }
  for (const [name, run] of Object.entries(actions)) {
    find(`button[name="${name}"]`).addEventListener('click', run);
  }
  refresh();
  store.onChange(refresh);
}

function textIn(control: Control): string {
  if (control.type !== 'checkbox') return control.value;
  return (control as HTMLInputElement).checked ? '1' : '0';
}

function show(control: Control, text: string): void {
  if (control.type === 'checkbox') (control as HTMLInputElement).checked = text === '1';
  else control.value = text;
  describe(control);
}

/** Sliders show only a proportion. @param text Default: the value with its unit. */
export function describe(
  control: HTMLInputElement | HTMLSelectElement,
  text = control.value + (control.dataset['unit'] ?? ''),
): void {
  if (control.type !== 'range') return;
  control.setAttribute('aria-valuetext', text);
  control.parentElement?.style.setProperty('--value', `"${text}"`);
}
