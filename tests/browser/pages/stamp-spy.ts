/** Keeps what this thread draws in the performance panel, and still draws it. */

/** Name, start, end, track, group, colour. */
export type Stamp = readonly [string, number, number, string, string, string];

export const stamps: Stamp[] = [];

const { timeStamp } = console;
console.timeStamp = (...stamp: readonly unknown[]) => {
  stamps.push(stamp as unknown as Stamp);
  (timeStamp as (...args: readonly unknown[]) => void)(...stamp);
};
