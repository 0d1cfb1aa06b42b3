/** The processor time of the whole run: what a test costs on any machine, however busy it is. */
import { readFileSync } from 'node:fs';

/** The limit of `npm test`, in seconds, on a machine whose type checker takes about 40. CONTRIBUTING.md says who keeps it. */
export const BUDGET_SECONDS = 420;

/** Linux counts in hundredths of a second, whatever the clock of the kernel. */
const TICKS_PER_SECOND = 100;

/**
 * User and system time of this process and of all that it started and that has ended, in seconds. Undefined where the system
 * does not tell: only Linux does.
 */
export function processorSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  // The name of the program, in parentheses, may contain anything. After it come the fields from the third on.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [own, ownSystem, children, childrenSystem] = fields.slice(11, 15).map(Number);
  return (
    ((own ?? 0) + (ownSystem ?? 0) + (children ?? 0) + (childrenSystem ?? 0)) / TICKS_PER_SECOND
  );
}

/** A line for the end of a run. @param isEveryday Whether it was `npm test`, which has a budget. */
export function describeProcessorTime(seconds: number, isEveryday: boolean): string {
  const time = `Processor time: ${minutes(seconds)}`;
  return isEveryday ? `${time} of a budget of ${minutes(BUDGET_SECONDS)}` : time;
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`;
}
