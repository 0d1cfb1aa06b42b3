/**
 * The lab's command: runs game loops in virtual time and prints the results.
 *
 * Exit codes: 0, with a line on stderr for what was left out; 2 for wrong arguments and a trace
 * that cannot be written, with one line on stderr that says what is wrong.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import {
  compare,
  compareThoseThatEnd,
  EndlessLoopError,
  Trace,
  type LabRow,
  type SimulationExtras,
} from '../engine/index.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';
import { readArguments, type LabArguments } from './arguments.js';
import { formatDetails, formatTable } from './table.js';
import { flagsInMessage } from './values.js';

/** The output streams, such as those of a process. */
export interface LabOutput {
  readonly stdout: {
    write(text: string): unknown;
    /** Characters in a line of the terminal, if it is one. */
    readonly columns?: number;
  };
  readonly stderr: { write(text: string): unknown };
}

/** Explains a loop without an end and the remedy, in the terms of the command. */
const ENDLESS = 'would loop forever at the same time: set --frame-ms or --render-hz, or --vsync on';

/** @param args The arguments after the command's name. @returns The exit code. */
export function runLab(args: readonly string[], { stdout, stderr }: LabOutput): number {
  try {
    const given = readArguments(args);
    const traces = new Map<StepperKind, Trace>();
    const { rows, leftOut } = runLoops(given, extrasFor(given, traces));
    for (const kind of leftOut) traces.delete(kind);
    if (given.trace !== undefined) {
      writeTraces(given.trace, traces);
      reportOmitted(traces, stderr);
    }
    if (leftOut.length > 0) {
      stderr.write(`lab: left out: ${leftOut.join(', ')}, which ${ENDLESS}\n`);
    }
    stdout.write(given.json ? formatJson(rows) : formatText(rows, stdout.columns));
    return EXIT_CODES.done;
  } catch (error) {
    // The engine throws these two only for options out of range.
    const isMisuse =
      error instanceof RefusedError || error instanceof RangeError || error instanceof TypeError;
    if (!isMisuse) throw error;
    const message =
      error instanceof EndlessLoopError
        ? `${error.stepper} ${ENDLESS}`
        : flagsInMessage(error.message);
    stderr.write(`lab: ${message}\n`);
    return EXIT_CODES.refused;
  }
}

/** All of those that were named; otherwise all that can run. */
function runLoops(
  { kinds, isAll, settings, scenario }: LabArguments,
  extras: (kind: StepperKind) => SimulationExtras,
): { readonly rows: readonly LabRow[]; readonly leftOut: readonly StepperKind[] } {
  return isAll
    ? compareThoseThatEnd(kinds, settings, scenario, extras)
    : { rows: compare(kinds, settings, scenario, extras), leftOut: [] };
}

function extrasFor(
  given: LabArguments,
  traces: Map<StepperKind, Trace>,
): (kind: StepperKind) => SimulationExtras {
  return (kind) => {
    const { watchdog } = given;
    if (given.trace === undefined) return { watchdog };
    const trace = new Trace();
    traces.set(kind, trace);
    return { trace, watchdog };
  };
}

/** One object per line. */
function formatJson(rows: readonly LabRow[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
}

function formatText(rows: readonly LabRow[], width: number | undefined): string {
  const [row] = rows;
  const details = rows.length === 1 && row !== undefined ? `\n\n${formatDetails(row)}` : '';
  return `${formatTable(rows, width)}${details}\n`;
}

/** @throws RefusedError if the file cannot be written completely. */
function writeTraces(path: string, traces: ReadonlyMap<StepperKind, Trace>): void {
  try {
    const file = openSync(path, 'w');
    try {
      for (const [kind, trace] of inOrder(traces)) {
        for (const span of trace.spans) {
          writeFileSync(file, `${JSON.stringify({ stepper: kind, ...span })}\n`);
        }
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new RefusedError(`--trace cannot be written: ${firstLineOf(error)}`);
  }
}

function reportOmitted(traces: ReadonlyMap<StepperKind, Trace>, stderr: LabOutput['stderr']): void {
  for (const [kind, { omitted }] of inOrder(traces)) {
    if (omitted > 0) stderr.write(`lab: ${kind}: ${omitted} more spans are not in the trace\n`);
  }
}

function inOrder(traces: ReadonlyMap<StepperKind, Trace>): readonly [StepperKind, Trace][] {
  return [...traces].toSorted(
    ([one], [other]) => STEPPER_KINDS.indexOf(one) - STEPPER_KINDS.indexOf(other),
  );
}
