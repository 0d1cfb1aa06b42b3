/** Prints a table: its rows, with columns as wide as their longest text. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => (cells[column] ?? '').length)),
  );
  for (const cells of rows) {
    const padded = cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  }
}
