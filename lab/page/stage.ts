/** The two loops side by side: which, with which options, and their bodies. */
import type { LabRow } from '../engine/index.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { drawBodies } from './bodies-view.js';
import { COLOURS, SIDE_NAMES, type Side } from './colours.js';
import { lagInWords } from './describe.js';
import { fitCanvas } from './fit-canvas.js';
import { elementById, make, setText } from '../../site/elements.js';
import { choice, either } from '../../site/parameters.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { createField } from './fields.js';
import { resolvedOptions } from './resolved-options.js';
import { determinismOf, turnsBadges } from './row-badges.js';
import type { LabSettings } from './settings.js';
import { OWN, STEPPER_OPTIONS, withOption, type OptionSpec } from './stepper-options.js';
import { countUpTo, frameIndexAt, lagAt, type Timeline } from './timeline.js';
import { badgesAt, type Badge } from './verdict.js';

/** Frames are counted over this time, in ms of virtual time. */
const RATE_WINDOW_MS = 1000;
/** Not only by colour. */
const ICONS: Readonly<Record<Badge['kind'], string>> = { fault: '▲ ', note: '', fine: '✓ ' };
const DETERMINISM_MEANING =
  'Whether the same inputs give the same states, bit for bit, on displays with other refresh rates and on an infinitely fast machine.';

export class StagePanel {
  readonly #side: Side;
  readonly #store: SettingsStore<LabSettings>;
  readonly #canvas: HTMLCanvasElement;
  readonly #reading: HTMLElement;
  readonly #badges: HTMLElement;
  readonly #determinism: HTMLElement;
  readonly #select: HTMLSelectElement;
  readonly #rule: HTMLElement;
  readonly #options: HTMLDivElement;
  #optionsFor = '';
  /** The contents of the canvas: a loop's frames, a moment, a size, a theme. */
  #drawn: readonly unknown[] = [];

  constructor(side: Side, store: SettingsStore<LabSettings>) {
    this.#side = side;
    this.#store = store;
    const name = side === 0 ? 'left' : 'right';
    this.#canvas = elementById(`bodies-${name}`, HTMLCanvasElement);
    this.#reading = elementById(`reading-${name}`, HTMLParagraphElement);
    this.#badges = elementById(`badges-${name}`, HTMLUListElement);
    this.#determinism = elementById(`determinism-${name}`, HTMLSpanElement);
    this.#select = elementById(`stepper-${name}`, HTMLSelectElement);
    this.#rule = elementById(`rule-${name}`, HTMLParagraphElement);
    this.#options = elementById(`options-${name}`, HTMLDivElement);
    this.#determinism.title = DETERMINISM_MEANING;
    for (const kind of STEPPER_KINDS) {
      this.#select.append(new Option(nameOf(kind), kind));
    }
    this.#select.addEventListener('change', () => {
      store.update({ [name]: choice(STEPPER_KINDS).parse(this.#select.value) });
    });
    this.#show(store.current);
    store.onChange((settings) => this.#show(settings));
  }

  /** Draws the bodies if anything changed. */
  draw(timeline: Timeline, atMs: number): void {
    const canvas = this.#canvas;
    fitCanvas(canvas);
    const drawing = [timeline, atMs, canvas.width, canvas.height, COLOURS.text];
    if (drawing.every((value, index) => value === this.#drawn[index])) return;
    this.#drawn = drawing;
    drawBodies(canvas, timeline, atMs, this.#side);
    canvas.dataset['at'] = atMs.toFixed(1);
  }

  /**
   * Badges and numbers. Fast numbers are updated seldom, so that they can be read.
   *
   * @param row The loop's result for the whole run, once it is known.
   */
  showReading(timeline: Timeline, atMs: number, row: LabRow | undefined): void {
    const lasting = row === undefined ? [] : turnsBadges(row);
    const now = badgesAt(timeline, atMs);
    const faults = now.filter(({ kind }) => kind === 'fault');
    const others = now.filter(({ kind }) => kind !== 'fault');
    this.#showBadges([...faults, ...lasting, ...others]);
    setText(this.#determinism, row === undefined ? '' : determinismOf(row, now));
    if (timeline.frames.length === 0) return setText(this.#reading, 'nothing to show yet');
    const index = frameIndexAt(timeline, atMs);
    const lagMs = lagAt(timeline, atMs);
    if (lagMs === undefined) return setText(this.#reading, 'nothing drawn yet');
    const from = countUpTo(timeline.frames, atMs - RATE_WINDOW_MS, (each) => each.displayedMs);
    const recent = timeline.frames.slice(from, index + 1);
    const seconds = Math.max(1, Math.min(atMs, RATE_WINDOW_MS)) / 1000;
    const rate = Math.round(recent.length / seconds);
    const repeats = recent.filter(({ isRepeat }) => isRepeat).length;
    const repeated = repeats > 2 ? `, ${Math.round(repeats / seconds)} repeats` : '';
    setText(
      this.#reading,
      `${rate} ${rate === 1 ? 'frame' : 'frames'}/s${repeated} · ${lagInWords(lagMs)}`,
    );
  }

  #showBadges(badges: readonly Badge[]): void {
    const shown = JSON.stringify(badges);
    if (shown === this.#badges.dataset['shown']) return;
    this.#badges.dataset['shown'] = shown;
    this.#badges.replaceChildren(
      ...badges.map(({ kind, text }) => make('li', kind, `${ICONS[kind]}${text}`)),
    );
  }

  #show(settings: LabSettings): void {
    const kind = this.#side === 0 ? settings.left : settings.right;
    this.#select.value = kind;
    const { rule } = STEPPER_INFO[kind];
    setText(this.#rule, rule);
    // Next to the other panel it has one line, which may be too short.
    this.#rule.title = rule;
    this.#canvas.setAttribute(
      'aria-label',
      `Bodies as ${SIDE_NAMES[this.#side]}, ${kind}, draws them: a moving body, a bouncing ball, a spinning top`,
    );
    const shown = JSON.stringify([
      kind,
      settings.options[kind],
      settings.tickHz,
      settings.displayHz,
    ]);
    if (shown === this.#optionsFor) return;
    const { activeElement } = document;
    // A focused field stays; its value is what was typed.
    const isEdited = activeElement !== null && this.#options.contains(activeElement);
    if (isEdited && this.#optionsFor.startsWith(`["${kind}"`)) return;
    this.#optionsFor = shown;
    const fields = STEPPER_OPTIONS[kind].map((option) =>
      this.#createOption(kind, option, settings),
    );
    this.#options.replaceChildren(...fields);
  }

  #createOption(kind: StepperKind, option: OptionSpec, settings: LabSettings): HTMLElement {
    const { name, label, parameter } = option;
    const own = parameter.format(ownValue(kind, name, settings));
    const onText = (text: string): void => {
      const value = text === '' || text === OWN ? undefined : parameter.parse(text);
      const { options } = this.#store.current;
      this.#store.update({ options: withOption(options, kind, name, value) });
    };
    const given = settings.options[kind]?.[name];
    const isFlag = parameter.rule === '1 or 0';
    const choices = name === 'overload' ? (['slow-down', 'pass-through'] as const) : undefined;
    const field = createField(
      either(OWN, parameter),
      {
        label,
        ...(isFlag ? { isFlag } : {}),
        ...(choices ? { choices: choices.map((text) => [text, text] as const) } : {}),
        placeholder: own,
      },
      onText,
    );
    const fills = isFlag || choices !== undefined;
    field.show(given === undefined ? (fills ? own : '') : parameter.format(given));
    return field.element;
  }
}

function nameOf(kind: StepperKind): string {
  const { title } = STEPPER_INFO[kind];
  const isSaid = title.toLowerCase().replaceAll(' ', '-') === kind;
  return isSaid ? kind : `${kind} · ${title}`;
}

/** The stepper's default for an option. */
function ownValue(kind: StepperKind, name: string, settings: LabSettings): unknown {
  const resolved = resolvedOptions(kind, { ...settings, options: {} });
  return (resolved as unknown as Record<string, unknown>)[name];
}
