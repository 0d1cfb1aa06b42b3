/** The comparison, a row a stepper. */
import type { LabRow } from '../engine/index.js';
import type { StepperKind } from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { SIDE_NAMES } from './colours.js';
import { elementById, make } from '../../site/elements.js';
import { COLUMNS, marksOf, type Mark } from './table-columns.js';

const ICONS = { best: '▲', worst: '▼' } as const;

export interface TableRow {
  readonly kind: StepperKind;
  /** Undefined while it runs; a text if it could not. */
  readonly result: LabRow | string | undefined;
}

export function showTable(
  rows: readonly TableRow[],
  stage: readonly [StepperKind, StepperKind],
): void {
  const table = elementById('table', HTMLTableElement);
  const results = rows.map(({ result }) => result).filter((result) => isRow(result));
  const marks = COLUMNS.map((column) => {
    const list = marksOf(column, results);
    return new Map(results.map((row, index) => [row, list[index]]));
  });
  const body = make('tbody');
  for (const { kind, result } of rows) {
    const line = make('tr');
    line.dataset['stepper'] = kind;
    line.append(nameCell(kind, stage));
    if (isRow(result)) {
      for (const [index, column] of COLUMNS.entries()) {
        line.append(cell(column.text(result), marks[index]?.get(result), column.title));
      }
    } else {
      const wide = make('td', 'wide');
      wide.append(
        make('div', '', result === undefined ? 'running' : withoutName(kind, result).trim()),
      );
      wide.colSpan = COLUMNS.length;
      line.append(wide);
    }
    body.append(line);
  }
  table.replaceChildren(heading(), body);
}

/** A loop's fault, to follow its name: with a leading space, or a colon and a space. */
export function withoutName(kind: StepperKind, message: string): string {
  return message.startsWith(kind) ? message.slice(kind.length).replace(/^:/, '') : `: ${message}`;
}

function isRow(result: TableRow['result']): result is LabRow {
  return typeof result === 'object';
}

function heading(): HTMLTableSectionElement {
  const head = make('thead');
  const line = make('tr');
  for (const { title, meaning } of [{ title: 'loop', meaning: 'The loop.' }, ...COLUMNS]) {
    const cellElement = make('th', '', title);
    cellElement.scope = 'col';
    cellElement.title = meaning;
    line.append(cellElement);
  }
  head.append(line);
  return head;
}

function nameCell(
  kind: StepperKind,
  stage: readonly [StepperKind, StepperKind],
): HTMLTableCellElement {
  const name = make('th');
  name.scope = 'row';
  name.title = STEPPER_INFO[kind].rule;
  name.append(kind);
  for (const [side, shown] of stage.entries()) {
    if (shown === kind) name.append(' ', make('span', `badge side-${side}`, SIDE_NAMES[side]));
  }
  return name;
}

function cell(text: string, mark: Mark, column: string): HTMLTableCellElement {
  const element = make('td', mark ?? '');
  element.dataset['column'] = column;
  if (mark !== undefined) {
    const sign = make('span', 'sign', ICONS[mark]);
    sign.setAttribute('aria-hidden', 'true');
    element.append(sign, make('span', 'unseen', `${mark}: `));
  }
  element.append(text);
  return element;
}
