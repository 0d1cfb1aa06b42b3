/**
 * Figures that are measured alternately. What is said of them: the median and the quartiles; of two subjects also of their ratios,
 * turn by turn, because other work on the machine affects both in a turn alike. Less is better in all of them.
 */
import { countText } from '../engine/format.js';
import { medianOf, quantileOf } from '../engine/samples.js';
import { tableLines } from '../engine/table.js';

export interface Figure {
  readonly what: string;
  /** Such as `ms`. Empty: a plain number. */
  readonly unit: string;
  /** A value for each turn. */
  readonly ours: readonly number[];
  /** Undefined: there is nothing to compare with. */
  readonly theirs?: readonly number[] | undefined;
  /** The goals: our median is at most this, and the median of the ratios at most that. */
  readonly limit?: number;
  readonly ratioLimit?: number;
}

export interface FigureTable {
  readonly title: string;
  /** The names of the subjects. */
  readonly ours?: string;
  readonly theirs?: string;
  readonly figures: readonly Figure[];
}

export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Measures subjects alternately, so that other work on the machine affects all of them alike. @returns Of each, all turns. */
export async function alternately<Subject, Measured>(
  subjects: readonly Subject[],
  turns: number,
  measure: (subject: Subject, turn: number) => Measured | Promise<Measured>,
): Promise<Measured[][]> {
  const measured = subjects.map((): Measured[] => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, subject] of subjects.entries()) {
      measured[index]?.push(await measure(subject, turn));
    }
  }
  return measured;
}

/** How a figure is read out of what was measured. */
export interface Metric<Measured> extends Omit<Figure, 'ours' | 'theirs'> {
  /** Undefined or null: it has no such figure. */
  readonly of: (measured: Measured) => number | null | undefined;
}

/**
 * The figures of the turns that have them, of both subjects if there are two.
 *
 * @param turns What was measured of us, and of them if there is something to compare with. Undefined: a turn failed.
 */
export function tableOf<Measured>(
  head: Omit<FigureTable, 'figures'>,
  turns: readonly (readonly (Measured | undefined)[])[],
  metrics: readonly Metric<Measured>[],
): FigureTable {
  const figures = metrics.flatMap(({ of, ...metric }): Figure[] => {
    const read = turns.map((all) => all.map((one) => (one === undefined ? undefined : of(one))));
    const shared = [...(read[0]?.keys() ?? [])].filter((turn) =>
      read.every((values) => typeof values[turn] === 'number'),
    );
    const [ours = [], theirs] = read.map((values) => shared.map((turn) => values[turn] as number));
    return shared.length === 0 ? [] : [{ ...metric, ours, theirs }];
  });
  return { ...head, figures };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    low: quantileOf(sorted, 0.25),
    median: medianOf(values),
    high: quantileOf(sorted, 0.75),
  };
}

/** Ours over theirs. Undefined if there is none: a turn of theirs was 0. */
export function ratioOf({ ours, theirs = [] }: Figure): Spread | undefined {
  const ratios = theirs.map((their, turn) => (ours[turn] ?? NaN) / their);
  return ratios.length > 0 && ratios.every(Number.isFinite) ? spreadOf(ratios) : undefined;
}

/** Lines for a terminal. */
export function tableText({ title, ours = 'median', theirs, figures }: FigureTable): string {
  const head = theirs === undefined ? [title, ours] : [title, ours, theirs, 'ratio'];
  const rows = figures.map((figure) => [
    figure.what,
    valueText(spreadOf(figure.ours).median, figure.unit),
    ...(theirs === undefined ? [] : theirTexts(figure)),
    rangeText(figure, theirs !== undefined),
    goalText(figure),
  ]);
  const all = [[...head, 'quartiles', 'goal'], ...rows];
  const isUsed = (column: number): boolean => rows.some((row) => row[column] !== '');
  const used = all.map((row) => row.filter((_, column) => isUsed(column)));
  return tableLines(used, 1).join('\n');
}

const theirTexts = (figure: Figure): string[] => {
  const ratio = ratioOf(figure);
  const their = figure.theirs === undefined ? '' : valueText(medianOf(figure.theirs), figure.unit);
  return [their, ratio === undefined ? '' : ratioText(ratio.median)];
};

/** The quartiles of the ratio, or of the only subject. */
function rangeText(figure: Figure, isCompared: boolean): string {
  const spread = isCompared ? ratioOf(figure) : spreadOf(figure.ours);
  if (spread === undefined || figure.ours.length < 2) return '';
  const text = isCompared ? ratioText : figureText;
  return `${text(spread.low)} to ${text(spread.high)}`;
}

const mark = (isMet: boolean): string => (isMet ? 'met' : 'MISSED');

function goalText(figure: Figure): string {
  const { ours, unit, limit, ratioLimit } = figure;
  if (limit !== undefined) return `${valueText(limit, unit)} ${mark(medianOf(ours) <= limit)}`;
  if (ratioLimit === undefined) return '';
  return `${ratioText(ratioLimit)} ${mark((ratioOf(figure)?.median ?? NaN) <= ratioLimit)}`;
}

const valueText = (value: number, unit: string): string => `${figureText(value)} ${unit}`.trim();

/** To three digits: 0.0012, 0.34, 12.5, 1,234. */
function figureText(value: number): string {
  if (Number.isNaN(value)) return '–';
  return Math.abs(value) >= 999.5 ? countText(value) : String(Number(value.toPrecision(3)));
}

/** Larger ratios say no more than this. */
const MAX_RATIO = 1000;

const digits = (ratio: number): string =>
  ratio > MAX_RATIO ? `over ${figureText(MAX_RATIO)}` : figureText(Number(ratio.toPrecision(2)));

/** 1 : 23 when ours is less, 2.4 : 1 when it is more. */
function ratioText(ratio: number): string {
  if (ratio === 0) return '0';
  return ratio < 1 ? `1 : ${digits(1 / ratio)}` : `${digits(ratio)} : 1`;
}
