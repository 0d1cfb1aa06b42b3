/** The two loops, and the colours of the canvases: variables of the style sheets, which follow the system. */
const VARIABLES = {
  ground: '--ground',
  text: '--text',
  quiet: '--text-quiet',
  a: '--accent',
  b: '--warm',
  alarm: '--alarm',
  ghost: '--ghost',
  /** Between a body and its true place. */
  gap: '--behind',
  wall: '--wall',
  line: '--line',
  faint: '--faint',
  refresh: '--refresh',
  hitch: '--alarm-soft',
  update: '--update',
  wait: '--wait',
  sleep: '--sleep',
  refreshWork: '--refresh-work',
} as const;

/** As a canvas takes them: it knows no variables. */
export const COLOURS = read();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  Object.assign(COLOURS, read());
});

function read(): Record<keyof typeof VARIABLES, string> {
  const probe = document.body.appendChild(document.createElement('i'));
  const style = getComputedStyle(probe);
  const colours = Object.entries(VARIABLES).map(([name, variable]) => {
    probe.style.color = `var(${variable})`;
    return [name, style.color];
  });
  probe.remove();
  return Object.fromEntries(colours) as Record<keyof typeof VARIABLES, string>;
}

export const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export type Side = 0 | 1;
export const SIDES: readonly Side[] = [0, 1];
export const SIDE_NAMES = ['A', 'B'] as const;

export const colourOf = (side: Side): string => (side === 0 ? COLOURS.a : COLOURS.b);
