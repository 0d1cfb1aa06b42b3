/** The boxes: nine in three columns, which fall one by one. */

const COLORS = ['#d9593d', '#2f7f86', '#e3a92f'];

export const BOXES = Array.from({ length: 9 }, (_, index) => ({
  name: `box-${index}`,
  position: [1.2 * ((index % 3) - 1) + 0.2 * (index % 2), 1 + 0.5 * index, 0] as const,
  color: COLORS[index % COLORS.length] as string,
}));
export type BoxLook = (typeof BOXES)[number];
