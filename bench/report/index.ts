/** A benchmark's result as a page: one file that opens from a disk, without network and without scripts. */
import {
  compareResults,
  comparisonSummary,
  groupBy,
  summaryOf,
  timeText,
  verdictsOf,
  type BenchResult,
} from '../engine/index.js';
import { budgetBars } from './budget-bars.js';
import { escaped, unbroken } from './html.js';
import { STYLE } from './style.js';

export interface ReportOptions {
  /** An earlier result to compare with. */
  readonly before?: BenchResult;
}

/**
 * The report as HTML. It makes no requests, and its policy forbids all.
 *
 * @param result As measured or as returned by `requireResult`.
 */
export function reportHtml(result: BenchResult, { before }: ReportOptions = {}): string {
  const { cases } = result;
  const sections = [
    cases.length === 0 ? '' : section('Budget', budgetBars(cases)),
    before === undefined
      ? ''
      : section('Change', texts(comparisonSummary(compareResults(before, result)))),
    section('All figures', texts(summaryOf(result))),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>betwixt: tick budget, ${escaped(timeText(result.made))}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1>betwixt: tick budget</h1>
${verdicts(result)}
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

/** A card for the whole run and one for each scene, engine and runtime. */
function verdicts(result: BenchResult): string {
  const cards = groupBy(verdictsOf(result), ({ subject }) => subject).map((group) => {
    const subject = group[0]?.subject ?? '';
    const about = subject === '' ? '' : `<small>${escaped(subject)}</small>`;
    const lines = group.map(({ tone, sentence }) => `<p class="${tone}">${unbroken(sentence)}</p>`);
    return `<li${subject === '' ? ' class="whole"' : ''}>${about}${lines.join('')}</li>`;
  });
  return `<ul class="verdicts">${cards.join('')}</ul>`;
}

const section = (title: string, content: string): string =>
  `<section><h2>${title}</h2>${content}</section>`;

/** As the command prints it. Its lines scroll within their box. */
const texts = (text: string): string =>
  `<pre tabindex="0" role="group" aria-label="Figures">${escaped(text)}</pre>`;
