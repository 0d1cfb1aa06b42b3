/** Shows a result: its verdicts, its figures as the command prints them, and ways to save it. */
import { summaryOf, verdictsOf, type BenchResult } from '../engine/index.js';
import { elementById, make, setText } from '../../site/elements.js';

/** @returns Its verdicts in words. */
export function showOutcome(result: BenchResult): string {
  const verdicts = verdictsOf(result);
  elementById('outcome', HTMLElement).hidden = false;
  elementById('verdicts', HTMLUListElement).replaceChildren(
    ...verdicts.map(({ tone, sentence }) => make('li', tone, sentence)),
  );
  setText(elementById('copy-status', HTMLSpanElement), '');
  setText(elementById('figures', HTMLPreElement), summaryOf(result));
  elementById('details', HTMLDetailsElement).open = result.failures.length > 0;
  return verdicts.map(({ sentence }) => sentence).join(' ');
}

export function hideOutcome(): void {
  elementById('outcome', HTMLElement).hidden = true;
}

/** @param newest The result that is shown. */
export function setUpOutcome(newest: () => BenchResult | undefined): void {
  const copyStatus = elementById('copy-status', HTMLSpanElement);
  const onClick = (id: string, use: (result: BenchResult) => void): void => {
    elementById(id, HTMLButtonElement).addEventListener('click', () => {
      const result = newest();
      if (result !== undefined) use(result);
    });
  };
  onClick('copy', (result) => {
    navigator.clipboard.writeText(jsonOf(result)).then(
      () => setText(copyStatus, 'Copied.'),
      () => setText(copyStatus, 'The browser blocked copying. Download the file instead.'),
    );
  });
  onClick('download', (result) => save('tick-budget.json', jsonOf(result)));
}

const jsonOf = (result: BenchResult): string => `${JSON.stringify(result, undefined, 1)}\n`;

function save(name: string, json: string): void {
  const address = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  const link = make('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
