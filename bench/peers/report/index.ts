/** The comparison as a page for people: one file that opens from a disk, without network. */
import { countText, machineLines, rateText, timeText } from '../../engine/index.js';
import { SCRIPT } from '../../report/script.js';
import { STYLE } from '../../report/style.js';
import { escaped, unbroken } from '../../report/svg.js';
import { claimsOf, type Claim } from '../engine/claims.js';
import { CONTESTANTS, labelOf } from '../engine/contestants.js';
import { comparedPairs } from '../engine/ratios.js';
import type { PeersOptions, PeersResult } from '../engine/result.js';
import { costBars, costPlots } from './cost-plots.js';
import { faultTable, figureTable, ratioTable } from './peer-tables.js';

interface Section {
  readonly title: string;
  readonly intro: string;
  readonly content: string;
}

/** Names of contestants are longer than those of cases. */
const OWN_STYLE = `
.bar-row { grid-template-columns: 216px minmax(80px, 1fr) 74px minmax(0, 92px); }
.claims { display: grid; gap: 8px; margin: 20px 0 0; padding: 0; list-style: none; }
.claims li { padding: 10px 16px; border: 1px solid var(--edge); border-left: 4px solid var(--quiet); border-radius: 8px;
  background: var(--surface); }
.claims p { margin: 0; max-width: none; }
.claims b { margin-right: 8px; }
.claims .good { border-left-color: var(--good); } .claims .good b { color: var(--good); }
.claims .bad { border-left-color: var(--bad); } .claims .bad b { color: var(--bad); }
.claims small { display: block; color: var(--quiet); font-size: 14px; }
dl.about { display: grid; grid-template-columns: minmax(0, auto) 1fr; gap: 4px 16px; margin: 0; }
dl.about dd { margin: 0; }
@media (max-width: 640px) { .bar-row { grid-template-columns: 1fr auto; } dl.about { grid-template-columns: 1fr; } dl.about dd { margin-bottom: 6px; } }
`;

/**
 * The report as HTML. It makes no requests, and its policy forbids all.
 *
 * @param result As it was measured or as `requirePeersResult` gave it.
 */
export function peersReportHtml(result: PeersResult): string {
  const { cases, faults } = result;
  const pairs = comparedPairs(result);
  const sections: Section[] = [
    {
      title: 'Cost of a frame',
      intro:
        'What the main thread spends on a frame before rendering: means of the repeats; the figure is p95.',
      content: costBars(cases),
    },
    {
      title: 'Slow frames',
      intro:
        'Up to which cost which share of the frames lies, in the middle one of the repeats. Each nine has as much room as the one before.',
      content: costPlots(cases),
    },
    {
      title: 'Side by side',
      intro:
        'Ours less is a win, ours more a loss; it is called so where the 99 % interval of the repeats leaves out 1 : 1, and the difference is 3 % or more.',
      content: pairs.length === 0 ? '' : ratioTable(pairs),
    },
    {
      title: 'Teleports and errors',
      intro:
        'A body is put from 2 to 1,000 m and back: smeared are frames that draw it on the way. Then a step in the worker throws.',
      content: faults.length === 0 ? '' : faultTable(faults),
    },
    {
      title: 'All figures',
      intro: 'Means of the repeats; longest ones and counts are of all together.',
      content: cases.length === 0 ? '' : figureTable(cases),
    },
    { title: 'Who takes part', intro: '', content: contestants(result.options) },
    { title: 'Failed', intro: '', content: failures(result) },
  ];
  const shown = sections.filter(({ content }) => content !== '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>Beside the peers, ${escaped(timeText(result.made))}</title>
<link rel="icon" href="data:,">
<style>${STYLE}${OWN_STYLE}</style>
</head>
<body>
${head(result)}
<nav aria-label="Sections">${shown.map(({ title }) => `<a href="#${anchor(title)}">${title}</a>`).join('')}</nav>
<main>
${shown.map(sectionHtml).join('\n')}
</main>
<div id="tip" role="status" hidden></div>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

function sectionHtml({ title, intro, content }: Section): string {
  const first = intro === '' ? '' : `<p class="quiet">${escaped(intro)}</p>`;
  return `<section id="${anchor(title)}"><h2>${title}</h2>${first}${content}</section>`;
}

function head(result: PeersResult): string {
  const [hardware = '', versions = ''] = machineLines(result.machine);
  const facts = [
    ['Device', hardware],
    ['Versions', versions],
    [
      'Measured',
      `${timeText(result.made)}${result.wasCancelled ? ', cancelled before its end' : ''}`,
    ],
    ['Options', optionsText(result.options)],
  ] as const;
  const rows = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`);
  const claims = claimsOf(result).map(claimHtml).join('');
  return `<header><h1>Beside the peers</h1><dl class="machine">${rows.join('')}</dl><ul class="claims">${claims}</ul></header>`;
}

const TONES = { holds: 'good', 'does not hold': 'bad', 'not measured': '' } as const;

function claimHtml({ claim, measured, verdict }: Claim): string {
  const text = verdict === 'not measured' ? '' : `<small>${unbroken(measured)}</small>`;
  return `<li class="${TONES[verdict]}"><p><b>${verdict}</b>${unbroken(claim)}</p>${text}</li>`;
}

function optionsText(options: PeersOptions): string {
  const { bodies, displayHz, repeats, seconds, warmUpSeconds, seed } = options;
  return [
    `${bodies.map(countText).join(', ')} bodies`,
    `display ${displayHz.map(rateText).join(', ')} Hz`,
    `${repeats} × ${seconds} s after ${warmUpSeconds} s of warm-up, in turns`,
    `seed ${seed}`,
    ...(options.isQuick ? ['quick'] : []),
  ].join(' · ');
}

function contestants({ contestants: names }: PeersOptions): string {
  const rows = names.map((name) => {
    return `<dt>${escaped(labelOf(name))}</dt><dd class="quiet">${escaped(CONTESTANTS[name].about)}</dd>`;
  });
  return `<dl class="about">${rows.join('')}</dl>`;
}

function failures({ failures: failed }: PeersResult): string {
  const items = failed.map(({ contestant, bodies, displayHz, message }) => {
    const what = `${labelOf(contestant)}, ${countText(bodies)} bodies at ${rateText(displayHz)} Hz`;
    return `<li>${escaped(`${what}: ${message}`)}</li>`;
  });
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}
