/** A labelled field that accepts what its parameter accepts, and shows an error otherwise. */
import { make } from '../../site/elements.js';
import type { Parameter } from '../../site/parameters.js';

export interface FieldOptions {
  readonly label: string;
  /** Shown below it. */
  readonly hint?: string;
  /** A slider next to it, for plain numbers. */
  readonly slider?: { readonly min: number; readonly max: number; readonly step: number };
  /** Texts to choose from; otherwise free text. */
  readonly choices?: readonly (readonly [text: string, label: string])[];
  readonly placeholder?: string;
  readonly isFlag?: boolean;
}

export interface Field {
  readonly element: HTMLElement;
  readonly show: (text: string) => void;
}

let fieldCount = 0;

/**
 * Makes a field.
 *
 * @param onText Called with a valid text.
 */
export function createField<T>(
  parameter: Parameter<T>,
  options: FieldOptions,
  onText: (text: string) => void,
): Field {
  const element = make('div', 'field');
  const id = `field-${fieldCount++}`;
  const label = make('label', '', options.label);
  label.htmlFor = id;
  if (options.isFlag === true) return flagField(element, label, id, onText);
  if (options.choices !== undefined)
    return choiceField(element, label, id, options.choices, options.hint, onText);
  return textField(element, label, id, parameter, options, onText);
}

function flagField(
  element: HTMLElement,
  label: HTMLLabelElement,
  id: string,
  onText: (text: string) => void,
): Field {
  const box = make('input');
  Object.assign(box, { type: 'checkbox', id });
  box.addEventListener('change', () => onText(box.checked ? '1' : '0'));
  element.classList.add('flag');
  element.append(box, label);
  return { element, show: (text) => void (box.checked = text === '1') };
}

function choiceField(
  element: HTMLElement,
  label: HTMLLabelElement,
  id: string,
  choices: readonly (readonly [string, string])[],
  hint: string | undefined,
  onText: (text: string) => void,
): Field {
  const select = make('select');
  select.id = id;
  for (const [text, title] of choices) select.append(new Option(title, text));
  select.addEventListener('change', () => onText(select.value));
  element.append(label, select);
  if (hint !== undefined) {
    const message = make('p', 'field-message', hint);
    message.id = `${id}-message`;
    select.setAttribute('aria-describedby', message.id);
    element.append(message);
  }
  return { element, show: (text) => void (select.value = text) };
}

function textField<T>(
  element: HTMLElement,
  label: HTMLLabelElement,
  id: string,
  parameter: Parameter<T>,
  { label: title, hint, slider, placeholder }: FieldOptions,
  onText: (text: string) => void,
): Field {
  const input = make('input');
  Object.assign(input, { type: 'text', id, autocomplete: 'off', spellcheck: false });
  if (placeholder !== undefined) input.placeholder = placeholder;
  const message = make('p', 'field-message', hint ?? '');
  message.id = `${id}-message`;
  message.hidden = hint === undefined;
  input.setAttribute('aria-describedby', message.id);
  const bar = slider === undefined ? undefined : make('input', 'slider');
  const show = (text: string): void => {
    input.value = text;
    if (bar !== undefined) bar.value = String(Number.parseFloat(text) || 0);
    report(undefined);
  };
  const report = (problem: string | undefined): void => {
    element.classList.toggle('wrong', problem !== undefined);
    input.setAttribute('aria-invalid', String(problem !== undefined));
    message.textContent = problem ?? hint ?? '';
    message.hidden = message.textContent === '';
  };
  input.addEventListener('change', () => {
    const text = input.value.trim();
    const isRight =
      parameter.parse(text) !== undefined || (placeholder !== undefined && text === '');
    report(isRight ? undefined : `Must be ${parameter.rule}.`);
    if (isRight) onText(text);
  });
  element.append(label, input);
  if (bar !== undefined && slider !== undefined) {
    Object.assign(bar, { type: 'range', min: slider.min, max: slider.max, step: slider.step });
    bar.setAttribute('aria-label', `${title}, slider`);
    bar.addEventListener('input', () => {
      input.value = bar.value;
      report(undefined);
      onText(bar.value);
    });
    element.classList.add('with-slider');
    element.append(bar);
  }
  element.append(message);
  return { element, show };
}
