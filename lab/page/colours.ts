/** Colours of the canvases; the style sheet has the same. */
export const COLOURS = {
  /** The two steppers, on dark ground. */
  sides: ['#7cc4ff', '#e8b268'],
  ghost: 'rgb(238 241 246 / 62%)',
  text: '#eef1f6',
  quiet: '#b3bccb',
  /** Between a body and its true place. */
  gap: 'rgb(255 133 119 / 62%)',
  wall: '#8d97a8',
  line: 'rgb(255 255 255 / 13%)',
  faint: 'rgb(255 255 255 / 5%)',
  refresh: 'rgb(255 255 255 / 14%)',
  hitch: 'rgb(255 133 119 / 17%)',
  hitchText: '#ff9e92',
  alarm: '#ff8577',
  update: '#9be08f',
  wait: 'rgb(255 255 255 / 9%)',
  sleep: 'rgb(150 160 255 / 36%)',
  refreshWork: '#d6a4ff',
  cursor: '#ffffff',
} as const;

export const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export type Side = 0 | 1;
export const SIDES: readonly Side[] = [0, 1];
export const SIDE_NAMES = ['A', 'B'] as const;
