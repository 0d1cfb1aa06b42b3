/** The comparison as text for a terminal. */
import { countText, percentText, rateText, timeText } from '../../engine/format.js';
import { machineLines } from '../../engine/summary.js';
import { PEER_COLUMNS } from './columns.js';
import { inTurn, labelOf } from './contestants.js';
import { figureText, outcomeText, ratioCell } from './format.js';
import { comparedPairs, type ComparedPair } from './ratios.js';
import type { FaultResult, PeerCase, PeersResult } from './result.js';

export function peersSummary(result: PeersResult): string {
  const { machine, made, failures } = result;
  const groups = new Map<string, PeerCase[]>();
  for (const one of result.cases) {
    const title = `${countText(one.bodies)} bodies, display ${rateText(one.displayHz)} Hz`;
    groups.set(title, [...(groups.get(title) ?? []), one]);
  }
  const sections = [
    [
      ...machineLines(machine),
      `measured ${timeText(made)}${result.wasCancelled ? ', cancelled' : ''}`,
    ],
    ...[...groups].map(([title, cases]) => caseLines(title, cases)),
    faultLines(result.faults),
    ...comparedPairs(result).map(pairLines),
    failures.map(
      ({ contestant, bodies, displayHz, message }) =>
        `failed: ${labelOf(contestant)}, ${countText(bodies)} at ${rateText(displayHz)} Hz: ${message}`,
    ),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function caseLines(title: string, cases: readonly PeerCase[]): string[] {
  const columns = PEER_COLUMNS.filter(({ cell }) => cases.some((one) => cell(one) !== ''));
  const heads = [0, 1].map((line) =>
    [''].concat(columns.map(({ title: lines }) => lines[line] ?? '')),
  );
  const rows = inTurn(cases).map((one) =>
    [labelOf(one.contestant)].concat(columns.map(({ cell }) => cell(one) || '–')),
  );
  return [title, ...table([...heads, ...rows], 2)];
}

function faultLines(faults: readonly FaultResult[]): string[] {
  if (faults.length === 0) return [];
  return ['Teleports, and an error in the worker', ...table(faultRows(faults), 1)];
}

const FAULT_HEAD = ['', 'teleports', 'smeared as mesh', 'as instance', 'after an error'];

/** Head and rows, as texts. */
function faultRows(faults: readonly FaultResult[]): string[][] {
  const rows = faults.map(({ contestant, repeats }) => [
    labelOf(contestant),
    totalText(repeats.map(({ teleports }) => teleports)),
    totalText(repeats.map(({ smearedSingle }) => smearedSingle)),
    totalText(repeats.map(({ smearedInstanced }) => smearedInstanced)),
    afterErrorText(repeats),
  ]);
  return [FAULT_HEAD, ...rows];
}

function totalText(values: readonly (number | null)[]): string {
  return values.includes(null) ? '–' : countText(values.reduce((a: number, b) => a + (b ?? 0), 0));
}

function afterErrorText(repeats: FaultResult['repeats']): string {
  const throws = repeats.flatMap(({ afterThrow }) => afterThrow ?? []);
  if (throws.length === 0) return 'no worker';
  const alive = throws.filter(({ isAlive }) => isAlive).length;
  if (alive === throws.length) return 'alive';
  return alive === 0 ? 'dead' : `alive in ${percentText(alive / throws.length)}`;
}

function pairLines({ ours, theirs, bodies, displayHz, ratios }: ComparedPair): string[] {
  const title = `${labelOf(ours)} : ${labelOf(theirs)}, ${countText(bodies)} bodies, ${rateText(displayHz)} Hz`;
  const rows = ratios.map((ratio) => [
    ratio.metric.name,
    figureText(ratio.ours),
    figureText(ratio.theirs),
    ratioCell(ratio),
    outcomeText(ratio),
  ]);
  return [title, ...table([['less is better', 'ours', 'theirs', 'ratio', ''], ...rows], 1, 4)];
}

/** The first column and the one of number `words` contain text. */
function table(rows: readonly (readonly string[])[], headRows: number, words = 0): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 || column === words ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  lines.splice(headRows, 0, '─'.repeat(Math.max(...lines.map((line) => line.length))));
  return lines;
}
