/** Lines of a table with a rule below its head. The first `texts` columns are left-aligned. */
export function tableLines(rows: readonly (readonly string[])[], texts: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < texts ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  lines.splice(1, 0, '─'.repeat(Math.max(...lines.map((line) => line.length))));
  return lines;
}
