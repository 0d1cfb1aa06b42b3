/** The comparison as a page: one file that opens from a disk, without network. */
import { countText, machineLines, rateText, timeText } from '../../engine/index.js';
import { SCRIPT } from '../../report/script.js';
import { STYLE } from '../../report/style.js';
import { escaped, unbroken } from '../../report/svg.js';
import { claimsOf, type Claim } from '../engine/claims.js';
import { CONTESTANTS, labelOf } from '../engine/contestants.js';
import { comparedPairs } from '../engine/ratios.js';
import { notMeasuredText } from '../engine/summary.js';
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
.claims .tight { border-left-color: var(--tight); } .claims .tight b { color: var(--tight); }
.claims .bad { border-left-color: var(--bad); } .claims .bad b { color: var(--bad); }
.not-measured { margin-top: 8px; color: var(--quiet); font-size: 14px; } .not-measured summary { cursor: pointer; }
.claims small { display: block; color: var(--quiet); font-size: 14px; }
dl.about { display: grid; grid-template-columns: minmax(0, auto) 1fr; gap: 4px 16px; margin: 0; }
dl.about dd { margin: 0; }
@media (max-width: 640px) { .bar-row { grid-template-columns: 1fr auto; } dl.about { grid-template-columns: 1fr; } dl.about dd { margin-bottom: 6px; } }
`;

/**
 * The report as HTML. It makes no requests, and its policy forbids all.
 *
 * @param result As measured or as returned by `requirePeersResult`.
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
        'How long the slowest frames take: at 99 %, one frame in a hundred costs more than the line says. To show the rare ones, the axis has as much room from 90 to 99 % as from 99 to 99.9 %. The repeat in the middle is drawn.',
      content: costPlots(cases),
    },
    {
      title: 'Side by side',
      intro:
        '"Ours less" is a win, "ours more" a loss: the 99 % interval of the repeats excludes 1 : 1, and the difference is 3 % or more. "No difference": the interval stays within 1 : 2 and 2 : 1, or the repeats overlap within a quarter of each other. Anything else needs more repeats.',
      content: pairs.length === 0 ? '' : ratioTable(pairs),
    },
    {
      title: 'Teleports and errors',
      intro:
        'A body is put from 2 to 1,000 m and back: "smeared" counts frames that draw it in between, as a separate mesh or as an instance. Then a step in the worker throws.',
      content: faults.length === 0 ? '' : faultTable(faults),
    },
    {
      title: 'All figures',
      intro:
        'Means of the repeats; maxima and counts are of all together. Repeated frames show a flying body where the frame before showed it; a body is drawn as a separate mesh and as an instance of a shared mesh, and libraries move the two differently.',
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
<title>betwixt and its peers, ${escaped(timeText(result.made))}</title>
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
  const claims = claimsOf(result);
  const shown = claims.filter(({ verdict }) => verdict !== 'not measured').map(claimHtml);
  return `<header><h1>betwixt and its peers</h1><dl class="machine">${rows.join('')}</dl><ul class="claims">${shown.join('')}</ul>${notMeasuredHtml(claims)}</header>`;
}

const TONES = {
  holds: 'good',
  'not shown yet': 'tight',
  'does not hold': 'bad',
  'not measured': '',
} as const;

function claimHtml({ claim, measured, verdict }: Claim): string {
  const text = `<small>${unbroken(measured)}</small>`;
  return `<li class="${TONES[verdict]}"><p><b>${verdict}</b>${unbroken(claim)}</p>${text}</li>`;
}

/** Those without figures are folded into one line: they are the same for each run of a part. */
function notMeasuredHtml(claims: readonly Claim[]): string {
  const missing = claims.filter(({ verdict }) => verdict === 'not measured');
  const items = missing.map(({ claim }) => `<li>${unbroken(claim)}</li>`).join('');
  const text = notMeasuredText(claims);
  return text === ''
    ? ''
    : `<details class="not-measured"><summary>${text}</summary><ul>${items}</ul></details>`;
}

function optionsText(options: PeersOptions): string {
  const { bodies, displayHz, repeats, seconds, warmUpSeconds, seed } = options;
  return [
    `${bodies.map(countText).join(', ')} bodies`,
    `display ${displayHz.map(rateText).join(', ')} Hz`,
    `${repeats} × ${seconds} s after ${warmUpSeconds} s of warm-up, alternating`,
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
