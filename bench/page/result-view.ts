/** Shows an answer: its sentence, the plot, and the figures of all measurements. */
import { elementById, make, setText } from '../../site/common/elements.js';
import { countText, limitOf, msText, sentenceOf, whatIn, type Answer } from '../engine/index.js';
import { plotOf } from './plot.js';
import type { SharedResult } from './result-link.js';
import type { Fields } from './settings.js';

export interface ShownResult extends Omit<SharedResult, 'ended'> {
  readonly ended: Answer['ended'];
  readonly fields: Fields;
  /** Whose result: the subject of the sentence. */
  readonly who: string;
  /** Where it is from, as a label above; empty for this device. */
  readonly origin: string;
}

/** @returns The sentence. */
export function showResult({ fields, measurements, ended, who, origin }: ShownResult): string {
  const tickRateHz = Number(fields.rate);
  const budgetText = `${msText(1000 / tickRateHz)} ms`;
  const limit = limitOf(measurements, 1000 / tickRateHz);
  const what = whatIn(fields.scene);
  const sentence = sentenceOf({ ...limit, ended, scene: fields.scene, tickRateHz }, who);
  setText(elementById('sentence', HTMLHeadingElement), sentence);
  const label = elementById('origin', HTMLParagraphElement);
  label.hidden = origin === '';
  setText(label, origin);
  const words = limit.counts.map(({ bodies, state }) => `${countText(bodies)} ${state}`).join(', ');
  elementById('chart', HTMLDivElement).replaceChildren(
    plotOf(limit, tickRateHz, what, `Milliseconds per step by the number of ${what}: ${words}`),
    legendOf([
      ['line', `a step may take ${budgetText}`],
      ['in-time', `in time: 9 of 10 steps within ${budgetText}`],
      ['unsure', 'unsure'],
      ['too-slow', `too slow: 3 of 4 steps over ${budgetText}`],
      ['answer', `the answer: ${countText(limit.bodies)} ${what}`],
      ['band', 'its bounds'],
    ]),
  );
  elementById('figures', HTMLTableSectionElement).replaceChildren(
    ...limit.counts.map(({ bodies, p25Ms, p90Ms, state, times }) => {
      const row = make('tr');
      const cells = [ms(p25Ms), ms(p90Ms), state, String(times)];
      row.append(make('th', '', countText(bodies)), ...cells.map((text) => make('td', '', text)));
      return row;
    }),
  );
  return sentence;
}

const ms = (value: number | null): string => (value === null ? '–' : msText(value));

function legendOf(items: readonly (readonly [name: string, text: string])[]): HTMLElement {
  const legend = make('ul', 'legend');
  legend.append(
    ...items.map(([name, text]) => {
      const item = make('li', '', text);
      item.prepend(make('i', name));
      return item;
    }),
  );
  return legend;
}
