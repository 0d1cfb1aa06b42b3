/** One for each seat: apart from each other, and legible on the dark page. */
export const COLORS = [
  '#ff6f61',
  '#4fb3ff',
  '#ffd43b',
  '#69db7c',
  '#d68cff',
  '#ff9f43',
  '#4fe0c8',
  '#ff8fc0',
] as const;
