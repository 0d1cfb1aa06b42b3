/** Colors that go together. */
const COLORS = ['#e0a34a', '#6ea8d8', '#d9635b', '#7fb88a', '#b48ac7', '#e6d3a3'] as const;

export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? COLORS[0];

export const GROUND = '#47505c';
export const WOOD = '#8a6f4d';
