/** The report's tables; each scrolls within its own box. */
import { countText, groupBy, rateText } from '../../engine/index.js';
import { escaped, unbroken } from '../../report/svg.js';
import { PEER_COLUMNS, type PeerColumn } from '../engine/columns.js';
import { inTurn, labelOf } from '../engine/contestants.js';
import { figureText, outcomeText, ratioCell } from '../engine/format.js';
import type { ComparedPair } from '../engine/ratios.js';
import type { FaultResult, PeerCase } from '../engine/result.js';
import { faultRows } from '../engine/summary.js';
import { sceneText } from './cost-plots.js';

/** A cell: its text, and a class. */
type Cell = readonly [text: string, className?: string];

interface Group {
  readonly title: string;
  readonly rows: readonly (readonly Cell[])[];
}

/** @param label The table's name, for screen readers. */
function table(label: string, head: readonly string[], groups: readonly Group[]): string {
  const [sample] = groups[0]?.rows ?? [];
  const headCells = head.map((text, column) => {
    const isWords = sample?.[column]?.[1]?.startsWith('words') === true;
    return `<th scope="col"${isWords ? ' class="words"' : ''}>${escaped(text)}</th>`;
  });
  const bodies = groups.map(({ title, rows }) => {
    const name =
      title === ''
        ? ''
        : `<tr class="subject"><th scope="rowgroup" colspan="${head.length}"><span>${unbroken(title)}</span></th></tr>`;
    return `<tbody>${name}${rows.map(rowHtml).join('')}</tbody>`;
  });
  return (
    `<div class="scroll" tabindex="0" role="group" aria-label="${escaped(label)}"><table>` +
    `<thead><tr>${headCells.join('')}</tr></thead>${bodies.join('')}</table></div>`
  );
}

function rowHtml(cells: readonly Cell[]): string {
  const html = cells.map(([text, className], column) => {
    const name = className === undefined ? '' : ` class="${className}"`;
    const tag = column === 0 ? 'th scope="row"' : 'td';
    return `<${tag}${name}>${escaped(text)}</${tag.slice(0, 2)}>`;
  });
  return `<tr>${html.join('')}</tr>`;
}

/** All figures of all contestants. */
export function figureTable(cases: readonly PeerCase[]): string {
  const columns = PEER_COLUMNS.filter(({ cell }) => cases.some((one) => cell(one) !== ''));
  const groups = groupBy(cases, sceneText).map((group): Group => {
    const rows = inTurn(group).map((one) => {
      const figures = columns.map(({ cell }): Cell => [cell(one) || '–']);
      return [[labelOf(one.contestant)] as Cell].concat(figures);
    });
    return { title: group[0] === undefined ? '' : sceneText(group[0]), rows };
  });
  return table('All figures', [''].concat(fullTitles(columns)), groups);
}

/** The first lines of titles span several columns; here each column has its own. */
function fullTitles(columns: readonly PeerColumn[]): string[] {
  let above = '';
  return columns.map(({ title: [first, second] }) => {
    above = first === '' ? above : first;
    const name = above.endsWith('-') ? above.slice(0, -1) : `${above} `;
    return `${name}${second}`
      .replace('main th.', 'main thread')
      .replace('repeated as', 'repeated frames, as')
      .replace('inst.', 'instance')
      .replace('anim. err.', 'animation error')
      .trim();
  });
}

const OUTCOME_CLASSES = {
  less: 'words faster',
  more: 'words slower',
  'no difference': 'words no-difference',
  'cannot tell': 'words cannot-tell',
  'too few repeats': 'words too-few-repeats',
} as const;

/** Ours against each of the others, figure by figure. */
export function ratioTable(pairs: readonly ComparedPair[]): string {
  const groups = pairs.map(({ ours, theirs, bodies, displayHz, ratios }): Group => {
    const rows = ratios.map((ratio): Cell[] => [
      [ratio.metric.name],
      [figureText(ratio.ours)],
      [figureText(ratio.theirs)],
      [ratioCell(ratio), 'strong'],
      [outcomeText(ratio), OUTCOME_CLASSES[ratio.outcome]],
    ]);
    const scene = `${countText(bodies)} bodies, ${rateText(displayHz)} Hz`;
    return { title: `${labelOf(ours)} : ${labelOf(theirs)}, ${scene}`, rows };
  });
  return table(
    'Ratios',
    ['less is better', 'ours', 'theirs', 'ours : theirs', 'by the repeats'],
    groups,
  );
}

export function faultTable(faults: readonly FaultResult[]): string {
  const [head = [], ...rows] = faultRows(faults);
  return table('Faults', head, [
    { title: '', rows: rows.map((row) => row.map((text): Cell => [text])) },
  ]);
}
