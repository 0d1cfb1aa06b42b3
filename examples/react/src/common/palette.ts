/** Colors that go together. */
const COLORS = ['#e3a13f', '#4f8fc9', '#d65a4f', '#6fae78', '#a97fc2', '#efe2c0'] as const;

export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? COLORS[0];

export const GROUND = '#c3bcae';
export const WOOD = '#b5875a';
