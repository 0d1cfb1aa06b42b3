/** A benchmark's result as a page: one file that opens from a disk, without network. */
import {
  bodiesText,
  caseText,
  compareResults,
  groupBy,
  lengthText,
  machineLines,
  rateText,
  timeText,
  verdictsOf,
  type BenchOptions,
  type BenchResult,
  type CaseResult,
} from '../engine/index.js';
import { budgetBars } from './budget-bars.js';
import { growthPlots } from './growth-plots.js';
import { percentilePlots } from './percentile-plots.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';
import { escaped, unbroken } from './svg.js';
import { caseTables, comparisonTable, headroomTable } from './tables.js';
import { tickTimelines } from './tick-timeline.js';

export interface ReportOptions {
  /** An earlier result to compare with. */
  readonly before?: BenchResult;
}

/**
 * Maximum characters of all sections together, so that a report can be sent by mail: timelines,
 * which are the longest, take what the others leave. The others exceed it only with well over a
 * hundred cases.
 */
const TYPICAL_LENGTH = 270_000;

/**
 * The report as HTML. It makes no requests, and its policy forbids all.
 *
 * @param result As measured or as returned by `requireResult`.
 */
export function reportHtml(result: BenchResult, { before }: ReportOptions = {}): string {
  const { cases, growth, headroom, options } = result;
  const first = [
    section(
      'Budget',
      'Share of the period that each step takes.',
      cases.length === 0 ? '' : budgetBars(cases),
    ),
    section(
      'Headroom',
      'Maximum number of bodies whose p99 stays within the budget, by a fit to all measurements, and the 95 % interval of the limit. Interruptions: how often the machine kept the worker from running.',
      headroom.length === 0 ? '' : headroomTable(headroom),
    ),
    section(
      'Growth',
      'Growth of the median step with the number of bodies. The line is the fit; the exponent has its 99 % confidence interval.',
      growthPlots(growth, options),
    ),
    section(
      'Slow steps',
      'Duration of the slowest steps: at 99 %, one step in a hundred takes longer than the line. The axis is logarithmic towards 100 %, so 90 to 99 % takes as much space as 99 to 99.9 %.',
      percentilePlots(cases),
    ),
  ];
  const after = [
    ...(before === undefined ? [] : [comparison(before, result)]),
    section('All figures', '', caseTables(cases)),
    section('Failed', '', failures(result)),
  ];
  const length = [...first, ...after].reduce((sum, { content }) => sum + content.length, 0);
  const sections = [...first, worstSecond(cases, TYPICAL_LENGTH - length), ...after].filter(
    ({ content }) => content !== '',
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>betwixt: tick budget, ${escaped(timeText(result.made))}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${head(result)}
${navigation(sections)}
<main>
${sections.map(sectionHtml).join('\n')}
</main>
<div id="tip" role="status" hidden></div>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function worstSecond(cases: readonly CaseResult[], maxLength: number): Section {
  return section(
    'The worst second',
    'Every tick of the second with the largest total lateness, for the largest number of bodies that fits at each rate.',
    tickTimelines(cases, maxLength),
  );
}

function head(result: BenchResult): string {
  const [hardware = '', versions = ''] = machineLines(result.machine);
  const facts = [
    ['Device', hardware],
    ['Versions', versions],
    ['Measured', timeText(result.made)],
    ['Options', optionsText(result.options)],
  ] as const;
  const rows = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`);
  return `<header><h1>betwixt: tick budget</h1><dl class="machine">${rows.join('')}</dl>${verdicts(result)}</header>`;
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

function optionsText(options: BenchOptions): string {
  const { scenes, engines, bodies, tickRatesHz, runtimes } = options;
  return [
    options.worker ?? scenes.join(', '),
    engines.join(', '),
    `${bodies.map(bodiesText).join(', ')} bodies`,
    `${tickRatesHz.map(rateText).join(', ')} Hz`,
    runtimes.join(', '),
    lengthText(options),
    ...(options.isQuick ? ['quick'] : []),
  ].join(' · ');
}

function comparison(before: BenchResult, after: BenchResult): Section {
  const compared = compareResults(before, after);
  const unmatched = [
    ...compared.onlyBefore.map((key) => `Only before: ${caseText(key)}.`),
    ...compared.onlyAfter.map((key) => `Only after: ${caseText(key)}.`),
  ];
  const notes = [...compared.cautions, ...unmatched].map((note) => `<li>${escaped(note)}</li>`);
  return section(
    'Change',
    `Compared with the result of ${timeText(before.made)}. Faster or slower: the 99 % interval of the repeats excludes 0 %, and the change is 3 % or more. No difference: the interval stays between half and twice, or the repeats overlap within a quarter of each other. Anything else needs more repeats.`,
    (compared.pairs.length === 0
      ? '<p>The results have no case in common.</p>'
      : comparisonTable(compared)) + (notes.length === 0 ? '' : `<ul>${notes.join('')}</ul>`),
  );
}

function failures({ failures: failed }: BenchResult): string {
  const items = failed.map((one) => `<li>${escaped(`${caseText(one)}: ${one.message}`)}</li>`);
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

/** A part of the page. One without content is left out. */
interface Section {
  readonly title: string;
  readonly intro: string;
  readonly content: string;
}

const section = (title: string, intro: string, content: string): Section => ({
  title,
  intro,
  content,
});

const anchor = ({ title }: Section): string => title.toLowerCase().replaceAll(' ', '-');

function navigation(sections: readonly Section[]): string {
  const links = sections.map((one) => `<a href="#${anchor(one)}">${one.title}</a>`);
  return `<nav aria-label="Sections">${links.join('')}</nav>`;
}

function sectionHtml(one: Section): string {
  const intro = one.intro === '' ? '' : `<p class="quiet">${escaped(one.intro)}</p>`;
  return `<section id="${anchor(one)}"><h2>${one.title}</h2>${intro}${one.content}</section>`;
}
