/** Events in the last second, from counters that are read a few times a second. */

/** Readings that make up the window: at four a second it is one second long. */
const INTERVALS = 4;

/** Counters and how fast they increase. */
export class PerSecond<Name extends string> {
  readonly #samples: { readonly atMs: number; readonly counts: Readonly<Record<Name, number>> }[] =
    [];

  /** @param counts The counters' values; they only increase, or all restart. */
  add(atMs: number, counts: Readonly<Record<Name, number>>): void {
    const newest = this.#samples.at(-1)?.counts;
    const names = Object.keys(counts) as Name[];
    const hasRestarted = newest !== undefined && names.some((name) => counts[name] < newest[name]);
    if (hasRestarted) this.clear();
    this.#samples.push({ atMs, counts });
    if (this.#samples.length > INTERVALS + 1) this.#samples.shift();
  }

  /** Increase over the window. */
  increase(name: Name): number {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    return first === undefined || last === undefined ? 0 : last.counts[name] - first.counts[name];
  }

  /** Increase per second; the average over a window that a stall has made longer. */
  rate(name: Name): number {
    const spanMs = (this.#samples.at(-1)?.atMs ?? 0) - (this.#samples[0]?.atMs ?? 0);
    return spanMs > 0 ? (this.increase(name) * 1000) / spanMs : 0;
  }

  clear(): void {
    this.#samples.length = 0;
  }
}
