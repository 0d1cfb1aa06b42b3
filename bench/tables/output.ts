/** The result of a benchmark that measures alternately: tables on the terminal, and all values in a file. */
import { writeFileSync } from 'node:fs';
import { machineLines, type Machine } from '../engine/index.js';
import { tableText, type FigureTable } from './figures.js';

/** As the JSON file contains it. */
export interface TableResult {
  /** When, in ISO 8601. */
  readonly made: string;
  readonly machine: Machine;
  readonly options: unknown;
  readonly tables: readonly FigureTable[];
}

export class TableOutput {
  readonly #result: Omit<TableResult, 'tables'>;
  readonly #json: string | undefined;
  readonly #tables: FigureTable[] = [];

  /** Prints what the machine is. @param json The file, which is written again with each table. */
  constructor(machine: Machine, options: unknown, json: string | undefined) {
    this.#result = { made: new Date().toISOString(), machine, options };
    this.#json = json;
    process.stdout.write(`${machineLines(machine).join('\n')}\n`);
  }

  add(table: FigureTable): void {
    this.#tables.push(table);
    process.stdout.write(`\n${tableText(table)}\n`);
    if (this.#json === undefined) return;
    const result: TableResult = { ...this.#result, tables: this.#tables };
    writeFileSync(this.#json, `${JSON.stringify(result, undefined, 1)}\n`);
  }
}
