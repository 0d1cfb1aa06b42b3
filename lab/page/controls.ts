/** The form of the situation: display, costs, lags, run, and the loops of the table. */
import { INPUT_MODES, type Hitch } from '../engine/index.js';
import { elementById, make } from '../../site/elements.js';
import type { Parameter } from '../../site/parameters.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import { createField, type Field, type FieldOptions } from './fields.js';
import { LATE_RULE, splitHitches } from './late-hitches.js';
import { PARAMETERS, type LabSettings, type SharedName, type SharedSettings } from './settings.js';

const FIELDS: readonly (readonly [title: string, Partial<Record<SharedName, FieldOptions>>])[] = [
  [
    'Display and clock',
    {
      displayHz: { label: 'Display refresh rate, Hz', slider: { min: 24, max: 240, step: 1 } },
      vsync: { label: 'Frames wait for the refresh (vsync)', isFlag: true },
      noiseMs: { label: 'Timestamp noise, ms', slider: { min: 0, max: 8, step: 0.1 } },
    },
  ],
  [
    'Machine',
    {
      updateMs: { label: 'Cost per update, ms', slider: { min: 0, max: 40, step: 0.5 } },
      frameMs: {
        label: 'Cost per frame, ms',
        slider: { min: 0, max: 40, step: 0.5 },
        hint: '2 constant, 1:3 uniform, 2~8 median and 99th percentile',
      },
      machineSpeed: { label: 'Machine speed', slider: { min: 0.25, max: 8, step: 0.25 } },
      hitches: { label: 'Stalls, start:duration in ms', hint: '4000:500 or none' },
      wakeLateMs: { label: 'Oversleep, ms' },
    },
  ],
  [
    'Loops',
    {
      tickHz: {
        label: 'Updates per second',
        slider: { min: 10, max: 240, step: 1 },
        hint: 'own: as in each source',
      },
      renderHz: { label: 'Frame limit, Hz', hint: 'a number or off' },
      skipRepeats: { label: 'Skip unchanged frames', isFlag: true },
      input: {
        label: 'Inputs per update',
        choices: INPUT_MODES.map((mode) => [mode, mode] as const),
        hint: 'sliced: those of its time window; polled: all until now',
      },
    },
  ],
  [
    'Run',
    {
      seconds: { label: 'Length, s', slider: { min: 1, max: 60, step: 1 } },
      seed: { label: 'Random seed' },
    },
  ],
];

export function setUpControls(store: SettingsStore<LabSettings>): void {
  const form = elementById('controls', HTMLFormElement);
  form.addEventListener('submit', (event) => event.preventDefault());
  const fields = new Map<SharedName, Field>();
  for (const [title, group] of FIELDS) {
    const set = make('fieldset');
    set.append(make('legend', '', title));
    for (const [key, options] of Object.entries(group)) {
      const name = key as SharedName;
      const field = createSharedField(store, name, options);
      fields.set(name, field);
      set.append(field.element);
    }
    form.append(set);
  }
  const showTable = addTableChoice(form, store);
  const show = (settings: LabSettings): void => {
    for (const [name, field] of fields) field.show(textOf(settings, name));
    showTable(settings.table);
  };
  show(store.current);
  store.onChange(show);
}

function createSharedField(
  store: SettingsStore<LabSettings>,
  name: SharedName,
  options: FieldOptions,
): Field {
  const parameter = name === 'hitches' ? hitchesDuring(store) : PARAMETERS[name];
  return createField<unknown>(parameter as never, options, (text) => {
    const value = parameter.parse(text);
    if (value === undefined || text === textOf(store.current, name)) return;
    store.update({ [name]: value });
  });
}

/** Lags that are not after the end of the run's current length. */
function hitchesDuring(store: SettingsStore<LabSettings>): Parameter<readonly Hitch[]> {
  const { rule, parse, format } = PARAMETERS.hitches;
  return {
    rule: `${rule}; they must ${LATE_RULE}`,
    parse: (text) => {
      const hitches = parse(text);
      const isLate =
        hitches !== undefined && splitHitches({ ...store.current, hitches }).late.length > 0;
      return isLate ? undefined : hitches;
    },
    format,
  };
}

function textOf<K extends SharedName>(settings: LabSettings, name: K): string {
  return PARAMETERS[name].format(settings[name] as SharedSettings[K]);
}

/** @returns Ticks the boxes. */
function addTableChoice(
  form: HTMLFormElement,
  store: SettingsStore<LabSettings>,
): (table: readonly StepperKind[]) => void {
  const set = make('fieldset', 'table-choice');
  set.append(make('legend', '', 'In the table'));
  const boxes = STEPPER_KINDS.map((kind) => {
    const label = make('label');
    const box = make('input');
    box.type = 'checkbox';
    box.addEventListener('change', () => {
      const { table } = store.current;
      const chosen = STEPPER_KINDS.filter((other) =>
        other === kind ? box.checked : table.includes(other),
      );
      store.update({ table: chosen });
    });
    label.append(box, kind);
    set.append(label);
    return { kind, box };
  });
  form.append(set);
  return (table) => {
    for (const { kind, box } of boxes) box.checked = table.includes(kind);
  };
}
